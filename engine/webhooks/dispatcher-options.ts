import type { Logger } from '../../shared/base/log.js';
import type { Percentiles } from './recent-durations.js';

/** The settings of the engine that concern webhooks, under the names they have in `engine/settings.ts`. */
export interface WebhookDispatcherOptions {
  readonly databaseUrl: string;
  /** QUEUE_DATABASE_URL: '' uses `databaseUrl`. It is not 'none': a host without a queue has no dispatcher. */
  readonly queueDatabaseUrl: string;
  readonly secretsKeys: string;
  readonly serviceName: string;
  readonly outboundAllow: readonly string[];
  readonly webhookRetryDelays: readonly number[];
  readonly webhookThreads: number;
  readonly log: Logger;
  /** Returns how many hosts deliver, including this one; 0 while this one must not deliver yet. 1 if absent. */
  readonly deliveringHosts?: () => number;
  readonly random?: () => number;
  readonly attemptTimeoutMs?: number;
  readonly leaseMs?: number;
  readonly janitorIntervalMs?: number;
  readonly pollMs?: number;
  readonly fullScanIntervalMs?: number;
  readonly threadModule?: URL;
}

export interface WebhookDispatcherStats {
  /** Attempts that ended with a 2xx, and those that did not. */
  readonly attempts_succeeded: number;
  readonly attempts_failed: number;
  readonly in_flight: number;
  /** How long the earliest due row of an active endpoint had been due at the last pass. */
  readonly queue_lag_ms: number;
  /** How long the newest passes over the queue took, including the claim. */
  readonly claim: Percentiles;
  readonly outcomes_waiting: number;
  readonly endpoints_auto_disabled: number;
  /** Deliveries that were given up after their last attempt, or because their endpoint was disabled. */
  readonly deliveries_abandoned: number;
  /** Deliveries of clicks that were given up because they had waited for a day. */
  readonly deliveries_expired: number;
  /** How often delivery threads died, or were replaced because they hung. What they had under way is due again when its lease ends. */
  readonly thread_failures: number;
  /** Endpoints whose signing secret cannot be decrypted. */
  readonly secrets_unreadable: number;
}
