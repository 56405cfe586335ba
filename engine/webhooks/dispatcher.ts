import type { PartHealth } from '../../shared/base/part-health.js';
import { QueueDispatcher, WEBHOOKS_PART } from './queue-dispatcher.js';
import type { WebhookDispatcher, WebhookDispatcherOptions, WebhookDispatcherStats } from './webhook-dispatcher.js';

export function createWebhookDispatcher(options: WebhookDispatcherOptions): WebhookDispatcher {
  return options.queueDatabaseUrl === 'none' ? new NoQueue() : new QueueDispatcher(options);
}

/** QUEUE_DATABASE_URL=none: the operator has decided that this process delivers nothing. */
class NoQueue implements WebhookDispatcher {
  async start(): Promise<void> {}
  poke(): void {}
  async stop(): Promise<void> {}

  stats(): WebhookDispatcherStats {
    return NO_STATS;
  }

  health(): PartHealth {
    return { part: WEBHOOKS_PART, ok: true, reason: '' };
  }
}

const NO_STATS: WebhookDispatcherStats = {
  attempts_succeeded: 0,
  attempts_failed: 0,
  in_flight: 0,
  queue_lag_ms: 0,
  claim: { p50_ms: 0, p99_ms: 0 },
  outcomes_waiting: 0,
  endpoints_auto_disabled: 0,
  deliveries_abandoned: 0,
  deliveries_expired: 0,
  thread_failures: 0,
  secrets_unreadable: 0,
};
