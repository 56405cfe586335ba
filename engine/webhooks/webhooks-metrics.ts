import { counter, gauge, type Metric } from '../processes/collected-metrics.js';
import type { WebhookDispatcherStats } from './dispatcher-options.js';

export const WEBHOOKS_METRICS: readonly Metric<WebhookDispatcherStats>[] = [
  counter('webhook_attempts_succeeded_total', 'Attempts answered with a 2xx', (s) => s.attempts_succeeded),
  counter('webhook_attempts_failed_total', 'Attempts that failed', (s) => s.attempts_failed),
  counter('webhook_deliveries_abandoned_total', 'Deliveries given up', (s) => s.deliveries_abandoned),
  counter('webhook_deliveries_expired_total', 'Deliveries of clicks abandoned after waiting for a day', (s) => s.deliveries_expired),
  counter('webhook_endpoints_auto_disabled_total', 'Endpoints disabled after failing', (s) => s.endpoints_auto_disabled),
  counter('webhook_thread_failures_total', 'Delivery threads that died or hung', (s) => s.thread_failures),
  gauge('webhook_secrets_unreadable', 'Endpoints whose signing secret cannot be decrypted', (s) => s.secrets_unreadable),
  gauge('webhook_deliveries_in_flight', 'Deliveries under way', (s) => s.in_flight),
  gauge('webhook_outcomes_waiting', 'Outcomes that wait to be written', (s) => s.outcomes_waiting),
  gauge('webhook_queue_lag_seconds', 'Time for which the oldest due delivery has been due', (s) => s.queue_lag_ms / 1000),
  gauge('webhook_claim_p50_seconds', 'Median duration of the latest scans of the webhook queue', (s) => s.claim.p50_ms / 1000),
  gauge(
    'webhook_claim_p99_seconds',
    '99th percentile of the duration of the latest scans of the webhook queue',
    (s) => s.claim.p99_ms / 1000,
  ),
];
