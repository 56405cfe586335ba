import type { Clock } from '../../shared/base/clock.js';
import { WEBHOOK_LOGGED_BYTES_MAX, WEBHOOK_READ_BYTES_MAX } from '../../shared/base/limits.js';
import { parseUrl } from '../../shared/base/parse-url.js';
import { textExcerpt } from '../../shared/base/text-excerpt.js';
import type { BoundedRequest, RequestOutcome } from '../../shared/net/bounded-request.js';
import { signatureHeader } from '../../shared/webhooks/signature.js';
import type { AttemptResult } from './outcome.js';

/** A whole delivery as a thread needs it. */
export interface Delivery {
  /** Key of the delivery in the dispatcher. */
  readonly key: number;
  /** Id of the attempt. */
  readonly delivery_id: string;
  readonly event_type: string;
  /** The stored text, which is signed and sent unchanged. */
  readonly body: string;
  readonly url: string;
  /** The secrets to sign with, newest first. */
  readonly secrets: readonly string[];
  /** By the monotonic clock of the process. */
  readonly lease_ends_at_ms: number;
}

export interface DeliveryContext {
  readonly request: (request: BoundedRequest) => Promise<RequestOutcome>;
  /** The time that is signed. */
  readonly clock: Clock;
  /** The clock of leases. */
  readonly monotonic: Clock;
  /** SERVICE_NAME, which is part of the header names. */
  readonly serviceName: string;
  readonly timeoutMs: number;
}

/**
 * Sends one delivery and returns the outcome. Returns null and sends nothing if its lease would end before its deadline, because
 * another worker could then send it too.
 */
export async function deliver(delivery: Delivery, context: DeliveryContext): Promise<AttemptResult | null> {
  const startedAtMs = context.monotonic();
  if (startedAtMs + context.timeoutMs >= delivery.lease_ends_at_ms) return null;
  const url = parseUrl(delivery.url);
  if (url === null) return notSendable(startedAtMs);
  const name = context.serviceName;
  const outcome = await context.request({
    method: 'POST',
    url,
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': `${name}-Webhooks/1`,
      [`X-${name}-Signature`]: signatureHeader(delivery.body, Math.floor(context.clock() / 1000), delivery.secrets),
      [`X-${name}-Event`]: delivery.event_type,
      [`X-${name}-Delivery`]: delivery.delivery_id,
    },
    body: delivery.body,
    timeoutMs: context.timeoutMs,
    readBytesMax: WEBHOOK_READ_BYTES_MAX,
    keptBytesMax: WEBHOOK_LOGGED_BYTES_MAX,
  });
  return {
    response_code: outcome.status,
    // null if no head arrived, and thus no answer; '' for an answer with an empty body.
    response_body: outcome.status === null ? null : textExcerpt(outcome.body, WEBHOOK_LOGGED_BYTES_MAX),
    error: outcome.kind === 'answered' ? null : outcome.error,
    latency_ms: outcome.latencyMs,
    finished_at_ms: context.monotonic(),
  };
}

/** A stored URL that cannot be parsed is an outcome, not an exception: an exception would fail the rest of the batch. */
function notSendable(atMs: number): AttemptResult {
  return { response_code: null, response_body: null, error: 'invalid_request', latency_ms: 0, finished_at_ms: atMs };
}
