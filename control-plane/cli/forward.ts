import { newId } from '../../shared/base/ids.js';
import { WEBHOOK_TIMEOUT_MS } from '../../shared/base/limits.js';
import { withDeadline } from '../../shared/base/with-deadline.js';
import type { Event } from '../../shared/contract/schemas/event.js';
import { signatureHeader } from '../../shared/webhooks/signature.js';

export interface Forwarding {
  readonly url: URL;
  readonly secret: string;
  /** SERVICE_NAME, which is part of the header names. */
  readonly serviceName: string;
  readonly interrupted: AbortSignal;
}

export interface Forwarded {
  readonly response_code: number | null;
  /** Why there was no response; null if there was one, with any status. */
  readonly error: string | null;
  readonly latency_ms: number;
}

/**
 * Sends an event to the developer's server as the service sends it to an endpoint, with the same body, headers and time
 * limit. Redirects are not followed. Only the secret differs.
 */
export async function forwardEvent(event: Event, { url, secret, serviceName, interrupted }: Forwarding): Promise<Forwarded> {
  const { id, type, created_at, environment, test, data } = event;
  const body = JSON.stringify({ id, type, created_at, environment, ...(test ? { test } : {}), data });
  const beganAt = performance.now();
  const latency = () => Math.round(performance.now() - beganAt);
  try {
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': `${serviceName}-Webhooks/1`,
      [`X-${serviceName}-Signature`]: signatureHeader(body, Math.floor(Date.now() / 1000), [secret]),
      [`X-${serviceName}-Event`]: type,
      [`X-${serviceName}-Delivery`]: newId('delivery'),
    };
    const response = await withDeadline(WEBHOOK_TIMEOUT_MS, interrupted, (signal) =>
      fetch(url, { method: 'POST', redirect: 'manual', headers, body, signal }),
    );
    await response.body?.cancel();
    return { response_code: response.status, error: null, latency_ms: latency() };
  } catch (error) {
    return { response_code: null, error: wordOf(error), latency_ms: latency() };
  }
}

/** fetch throws a TypeError whose cause is the actual error. */
function wordOf(error: unknown): string {
  if (error instanceof DOMException) return error.name === 'TimeoutError' ? 'timeout' : 'interrupted';
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : 'connection_lost';
}
