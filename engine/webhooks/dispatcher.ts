import { fileURLToPath } from 'node:url';
import type { Pool } from 'pg';
import { Piscina } from 'piscina';
import { type Clock, systemClock } from '../../shared/base/clock.js';
import { WEBHOOK_TIMEOUT_MS } from '../../shared/base/limits.js';
import type { Logger } from '../../shared/base/log.js';
import { FEED_CHANNEL, WEBHOOK_CHANNEL } from '../../shared/feed/channel.js';
import { parseSecretKeys } from '../../shared/secrets/seal.js';
import type { PartHealth } from '../process-messages.js';
import { Listener } from '../sql/listener.js';
import { type ClaimedWork, Claimer } from './claimer.js';
import type { Delivery } from './deliver.js';
import type { DeliveryReport, WorkerSettings } from './deliver.worker.js';
import { EndpointSlots } from './endpoint-slots.js';
import { Janitor } from './janitor.js';
import { type AttemptResult, EVENT_MISSING, isSuccess } from './outcome.js';
import { OutcomeWriter } from './outcome-writer.js';
import { createQueuePool } from './queue-pool.js';
import { WakeLoop } from './wake-loop.js';

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
}

export interface WebhookDispatcherStats {
  /** Attempts that ended with a 2xx, and those that did not. */
  readonly attempts_succeeded: number;
  readonly attempts_failed: number;
  readonly in_flight: number;
  /** How long the earliest due row of an active endpoint had been due at the last look. */
  readonly queue_lag_ms: number;
  readonly outcomes_waiting: number;
  /** Outcomes that were not written because their row had been claimed anew. */
  readonly outcomes_stale: number;
  readonly endpoints_auto_disabled: number;
  readonly deliveries_abandoned: number;
  readonly deliveries_dropped: number;
  /** Delivery threads that died; what they had under way is due again when its lease ends. */
  readonly thread_failures: number;
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

const PART = 'webhooks';
/** Time an attempt takes at most, and as much again for a busy host, a slow claim and the writing of its outcome. */
const LEASE_MS = 30_000;
/** What neither poke nor notification told of is found within this time. */
const POLL_MS = 1000;
/** Pokes within this time make one claim: at 200 events a second that is two of them, at 5,000 fifty. */
const CLAIM_GAP_MS = 10;
/** Deliveries in one task of a thread: a task costs 60 to 80 µs of round trip, a delivery in it none. */
const BATCH_MAX = 64;
/** Above this many outcomes that wait to be written, nothing is claimed. */
const OUTCOMES_WAITING_MAX = 2048;
const OUTCOMES_RETRY_MS = 100;
/** Stopping takes the time-out, this, and the writing of outcomes at the most: less than the drain of the whole process. */
const STOP_GRACE_MS = 300;
const WRITE_DEADLINE_MS = 500;
const HEALTH_GRACE_MS = 3000;
const DATABASE_AWAY_AFTER_MS = 5000;

interface InFlight {
  readonly work: ClaimedWork;
  readonly startedAt: number;
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
    return { part: PART, ok: true, reason: '' };
  }
}

const NO_STATS: WebhookDispatcherStats = {
  attempts_succeeded: 0,
  attempts_failed: 0,
  in_flight: 0,
  queue_lag_ms: 0,
  outcomes_waiting: 0,
  outcomes_stale: 0,
  endpoints_auto_disabled: 0,
  deliveries_abandoned: 0,
  deliveries_dropped: 0,
  thread_failures: 0,
};

/**
 * Moves work from the claimer to the threads and outcomes from the threads to the writer. It owns what is under way
 * (`#inFlight`); the other parts own their own state and are told.
 */
class QueueDispatcher implements WebhookDispatcher {
  readonly #options: WebhookDispatcherOptions;
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #pool: Pool;
  readonly #threads: Piscina;
  readonly #slots = new EndpointSlots();
  readonly #claimer: Claimer;
  readonly #writer: OutcomeWriter;
  readonly #janitor: Janitor;
  readonly #listener: Listener;
  readonly #loop: WakeLoop;
  /** By the key the threads know a delivery by; the oldest first. */
  readonly #inFlight = new Map<number, InFlight>();
  #nextKey = 0;
  #waitsForSlots = false;
  #queueLagMs = 0;
  #lastPassAt = performance.now();
  #succeeded = 0;
  #failed = 0;
  #threadFailures = 0;
  #threadFailuresInRow = 0;
  #stopped: Promise<void> | undefined;

  constructor(options: WebhookDispatcherOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#timeoutMs = options.attemptTimeoutMs ?? WEBHOOK_TIMEOUT_MS;
    const { logger } = options;
    const databaseUrl = options.queueDatabaseUrl === '' ? options.databaseUrl : options.queueDatabaseUrl;
    this.#pool = createQueuePool(databaseUrl, (error) => logger.warn({ err: error }, 'a connection to the queue was lost'));
    this.#threads = createThreads(options, this.#timeoutMs);
    this.#threads.on('message', (reports: readonly DeliveryReport[]) => this.#take(reports));
    this.#claimer = new Claimer({
      pool: this.#pool,
      slots: this.#slots,
      secretKeys: parseSecretKeys(options.secretsKeys),
      clock: this.#clock,
      leaseMs: options.leaseMs ?? LEASE_MS,
      logger,
    });
    const failed = (what: string) => (error: unknown, failuresInRow: number) =>
      logger.warn({ err: error, failures_in_row: failuresInRow }, `${what} failed and will be tried again`);
    this.#writer = new OutcomeWriter({
      pool: this.#pool,
      delaysSeconds: options.webhookRetryDelays,
      random: options.random ?? Math.random,
      onFailure: failed('writing webhook outcomes'),
    });
    this.#janitor = new Janitor({
      pool: this.#pool,
      clock: this.#clock,
      logger,
      onFailure: failed('tidying the webhook queue'),
      ...(options.janitorIntervalMs === undefined ? {} : { intervalMs: options.janitorIntervalMs }),
    });
    // The feed's channel too: a change of an object and its event are committed together, and the feed's assigner already
    // sends one notification for all that was committed. Writers of events need not notify themselves, which would cost
    // them PostgreSQL's one notification lock.
    this.#listener = new Listener({
      databaseUrl,
      channels: [WEBHOOK_CHANNEL, FEED_CHANNEL],
      log: logger,
      random: options.random ?? Math.random,
      onHint: () => this.poke(),
    });
    this.#loop = new WakeLoop({ pass: () => this.#pass(), onFailure: failed('claiming webhook deliveries'), gapMs: CLAIM_GAP_MS });
  }

  async start(): Promise<void> {
    this.#lastPassAt = performance.now();
    this.#writer.start();
    this.#janitor.start();
    this.#listener.start();
    this.#loop.start();
  }

  poke(): void {
    this.#loop.poke();
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    await Promise.all([this.#loop.stop(), this.#janitor.stop(), this.#listener.stop()]);
    // Every attempt ends by itself within its time-out; what a dead thread held never reports and is left to its lease.
    const endsAt = performance.now() + this.#timeoutMs + STOP_GRACE_MS;
    while (this.#inFlight.size > 0 && performance.now() < endsAt) await new Promise((resolve) => setTimeout(resolve, 10));
    await this.#writer.stop(WRITE_DEADLINE_MS);
    await this.#threads.destroy();
    await this.#pool.end();
  }

  stats(): WebhookDispatcherStats {
    const { stale, waiting } = this.#writer.stats();
    const { autoDisabled, abandoned, dropped } = this.#janitor.stats();
    return {
      attempts_succeeded: this.#succeeded,
      attempts_failed: this.#failed,
      in_flight: this.#inFlight.size,
      queue_lag_ms: this.#queueLagMs,
      outcomes_waiting: waiting,
      outcomes_stale: stale,
      endpoints_auto_disabled: autoDisabled,
      deliveries_abandoned: abandoned,
      deliveries_dropped: dropped,
      thread_failures: this.#threadFailures,
    };
  }

  health(): PartHealth {
    const reason = this.#unhealthyReason();
    return { part: PART, ok: reason === '', reason };
  }

  #unhealthyReason(): string {
    const now = performance.now();
    const [oldest] = this.#inFlight.values();
    if (oldest !== undefined && now - oldest.startedAt > this.#timeoutMs + HEALTH_GRACE_MS) return 'The delivery threads do not answer.';
    if (this.#threadFailuresInRow > 0) return 'The delivery threads fail.';
    // No claim is made while outcomes cannot be written, so that this covers both directions.
    if (now - this.#lastPassAt > DATABASE_AWAY_AFTER_MS) return "The queue's database cannot be reached.";
    return '';
  }

  /** One look at the queue; answers how long to wait for the next. */
  async #pass(): Promise<number> {
    // Claiming while outcomes wait would claim their own rows again once the leases have ended.
    if (this.#writer.failing || this.#writer.waiting > OUTCOMES_WAITING_MAX) return OUTCOMES_RETRY_MS;
    const pass = await this.#claimer.claim();
    this.#lastPassAt = performance.now();
    this.#queueLagMs = pass.lagMs;
    this.#waitsForSlots = pass.backlog === 'waits_for_slots';
    this.#janitor.sweep(pass.inactiveIds, pass.deletedIds);
    this.#send(pass.work);
    if (pass.backlog === 'claimable') return 0;
    const pollMs = this.#options.pollMs ?? POLL_MS;
    return pass.nextDueAtMs === null ? pollMs : Math.min(pollMs, Math.max(0, pass.nextDueAtMs - this.#clock()));
  }

  #send(work: readonly ClaimedWork[]): void {
    const deliveries: Delivery[] = [];
    for (const item of work) {
      if (item.body === null) {
        this.#finish(item, {
          response_code: null,
          response_body: null,
          error: EVENT_MISSING,
          latency_ms: 0,
          finished_at_ms: this.#clock(),
        });
        continue;
      }
      const key = this.#nextKey++;
      this.#inFlight.set(key, { work: item, startedAt: performance.now() });
      deliveries.push({
        key,
        delivery_id: item.delivery.id,
        event_type: item.delivery.event_type,
        body: item.body,
        url: item.url,
        secrets: item.secrets,
        lease_ends_at_ms: item.leaseEndsAtMs,
      });
    }
    // Small claims are spread over all threads, large ones go in full batches.
    const size = Math.min(BATCH_MAX, Math.ceil(deliveries.length / this.#options.webhookThreads));
    for (let at = 0; at < deliveries.length; at += size) this.#sendBatch(deliveries.slice(at, at + size));
  }

  #sendBatch(batch: readonly Delivery[]): void {
    this.#threads.run(batch).catch((error: unknown) => {
      // The thread died, or the pool was destroyed by `stop`. What it had not reported is due again when its lease ends.
      this.#threadFailures++;
      this.#threadFailuresInRow++;
      this.#options.logger.error({ err: error, deliveries: batch.length }, 'a webhook delivery thread failed');
      for (const { key } of batch) this.#takeOne({ key, result: null });
    });
  }

  #take(reports: readonly DeliveryReport[]): void {
    this.#threadFailuresInRow = 0;
    for (const report of reports) this.#takeOne(report);
    if (this.#waitsForSlots) this.#loop.poke();
  }

  #takeOne({ key, result }: DeliveryReport): void {
    const held = this.#inFlight.get(key);
    if (held === undefined) return;
    this.#inFlight.delete(key);
    if (result !== null) this.#finish(held.work, result);
    else this.#slots.released(held.work.delivery.webhook_id, null);
  }

  #finish(work: ClaimedWork, result: AttemptResult): void {
    const succeeded = isSuccess(result);
    if (succeeded) this.#succeeded++;
    else this.#failed++;
    this.#slots.released(work.delivery.webhook_id, result.error === EVENT_MISSING ? null : succeeded);
    const next = this.#writer.add({ delivery: work.delivery, claimId: work.claimId, result });
    const { id, webhook_id, event_id, event_type, kind, attempt } = work.delivery;
    this.#options.logger[succeeded ? 'debug' : 'info'](
      {
        delivery_id: id,
        webhook_id,
        event_id,
        event_type,
        kind,
        attempt,
        status: next.status,
        response_code: result.response_code,
        error: result.error,
        latency_ms: result.latency_ms,
      },
      'webhook attempt',
    );
  }
}

function createThreads(options: WebhookDispatcherOptions, timeoutMs: number): Piscina {
  const settings: WorkerSettings = { serviceName: options.serviceName, allow: options.outboundAllow, timeoutMs };
  return new Piscina({
    filename: fileURLToPath(new URL('deliver.worker.js', import.meta.url)),
    minThreads: options.webhookThreads,
    maxThreads: options.webhookThreads,
    // A task is a batch that waits for the network; what is under way is bounded by `endpoint-slots.ts`.
    concurrentTasksPerWorker: 4096,
    // Piscina's default halts a thread between tasks with Atomics.wait: its kept-alive sockets would not notice that the
    // other side has closed them.
    atomics: 'disabled',
    workerData: settings,
  });
}
