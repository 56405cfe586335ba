import type { Clock } from '../../shared/base/clock.js';
import type { Logger } from '../../shared/base/log.js';
import type { PartHealth } from '../process-messages.js';
import { QueueDispatcher, WEBHOOKS_PART } from './queue-dispatcher.js';
import type { Percentiles } from './recent-durations.js';

/** The settings of the engine that concern webhooks, under the names they have in `engine/settings.ts`. */
export interface WebhookDispatcherOptions {
  readonly databaseUrl: string;
  /** QUEUE_DATABASE_URL: '' takes `databaseUrl`; 'none' runs without a queue, and `start` does nothing. */
  readonly queueDatabaseUrl: string;
  readonly secretsKeys: string;
  readonly serviceName: string;
  readonly outboundAllow: readonly string[];
  readonly webhookRetryDelays: readonly number[];
  readonly webhookThreads: number;
  readonly logger: Logger;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly attemptTimeoutMs?: number;
  readonly leaseMs?: number;
  readonly janitorIntervalMs?: number;
  readonly pollMs?: number;
  readonly wholeLookIntervalMs?: number;
  readonly threadModule?: URL;
}

export interface WebhookDispatcherStats {
  /** Attempts that ended with a 2xx, and those that did not. */
  readonly attempts_succeeded: number;
  readonly attempts_failed: number;
  readonly in_flight: number;
  /** How long the earliest due row of an active endpoint had been due at the last look. */
  readonly queue_lag_ms: number;
  /** How long the newest looks at the queue took, claim included. */
  readonly claim: Percentiles;
  readonly outcomes_waiting: number;
  /** Outcomes that were not written because their row had been claimed anew. */
  readonly outcomes_stale: number;
  readonly endpoints_auto_disabled: number;
  readonly deliveries_abandoned: number;
  readonly deliveries_dropped: number;
  /** Deliveries of clicks that were given up because they had waited for a day. */
  readonly deliveries_expired: number;
  /** How often delivery threads died or were replaced because one hung; what they had under way is due again when its lease ends. */
  readonly thread_failures: number;
  /** Endpoints whose signing secret cannot be opened. */
  readonly secrets_unreadable: number;
}

export interface WebhookDispatcher {
  start(): Promise<void>;
  /** Something has become due: look at the queue now. Cheap; any number of calls make one look. */
  poke(): void;
  /** Takes no more work, waits for what is under way within a bound, writes its outcomes. */
  stop(): Promise<void>;
  stats(): WebhookDispatcherStats;
  health(): PartHealth;
}

export function createWebhookDispatcher(options: WebhookDispatcherOptions): WebhookDispatcher {
  return options.queueDatabaseUrl === 'none' ? new NoQueue() : new QueueDispatcher(options);
}

/** QUEUE_DATABASE_URL=none: nothing is delivered by this process, by the operator's will, which is no fault. */
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
  claim: { p50_ms: 0, p99_ms: 0, max_ms: 0 },
  outcomes_waiting: 0,
  outcomes_stale: 0,
  endpoints_auto_disabled: 0,
  deliveries_abandoned: 0,
  deliveries_dropped: 0,
  deliveries_expired: 0,
  thread_failures: 0,
  secrets_unreadable: 0,
};
