import { systemClock } from '../../shared/base/clock.js';
import { parseUrl } from '../../shared/base/parse-url.js';
import { beginSpan } from '../../shared/tracing/tracer.js';
import type { ClaimedWork } from './claimer.js';
import { type AttemptResult, isSuccess } from './outcome.js';

/**
 * Records a span for an attempt that has just ended. This is done where outcomes are received, so that the threads that send load
 * nothing of OpenTelemetry.
 */
export function traceAttempt({ delivery, url }: ClaimedWork, result: AttemptResult): void {
  const span = beginSpan(() => ({
    name: 'webhook POST',
    kind: 'client',
    startedAtMs: systemClock() - result.latency_ms,
    attributes: {
      'http.request.method': 'POST',
      'server.address': parseUrl(url)?.hostname ?? '',
      'link_service.event_type': delivery.event_type,
      'link_service.delivery_id': delivery.id,
      'link_service.webhook_id': delivery.webhook_id,
      'http.request.resend_count': delivery.attempt - 1,
    },
  }));
  if (span === null) return;
  if (result.response_code !== null) span.set({ 'http.response.status_code': result.response_code });
  if (!isSuccess(result)) span.fail(result.error ?? String(result.response_code));
  span.end();
}
