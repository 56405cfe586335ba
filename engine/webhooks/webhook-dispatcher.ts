import type { Pool } from 'pg';
import { monotonicClock } from '../../shared/base/clock.js';
import { WEBHOOK_TIMEOUT_MS } from '../../shared/base/limits.js';
import type { Logger } from '../../shared/base/log.js';
import type { PartHealth } from '../../shared/base/part-health.js';
import { FEED_CHANNEL, WEBHOOK_CHANNEL } from '../../shared/feed/channel.js';
import { parseSecretKeys } from '../../shared/secrets/seal.js';
import { NotificationListener } from '../database/notification-listener.js';
import { PassLoop } from '../database/pass-loop.js';
import { traceAttempt } from './attempt-span.js';
import { type ClaimedWork, Claimer } from './claimer.js';
import type { Delivery } from './deliver.js';
import type { DeliveryReport } from './deliver.worker.js';
import { DeliveryThreads } from './delivery-threads.js';
import type { WebhookDispatcherOptions, WebhookDispatcherStats } from './dispatcher-options.js';
import { EndpointSlots } from './endpoint-slots.js';
import { Janitor } from './janitor.js';
import {
  type AttemptResult,
  EVENT_MISSING,
  isSuccess,
  notSent,
  SECRET_UNREADABLE,
  SENDER_FAILED,
  saysNothingOfEndpoint,
} from './outcome.js';
import { OutcomeWriter } from './outcome-writer.js';
import { createQueuePool } from './queue-pool.js';
import { RecentDurations } from './recent-durations.js';
import { uncountClaims } from './uncount-sql.js';

/** The name of this part on the health page. */
const WEBHOOKS_PART = 'webhooks';
/** Three times what an attempt takes at most. The rest is for a busy host, a slow claim and the writing of the outcome. */
const LEASE_MS = 30_000;
/** Work for which there was neither a poke nor a notification is found within this time. */
const POLL_MS = 1000;
/** Pokes within this time lead to one claim: at 200 events a second it combines two of them, at 5,000 fifty. */
const CLAIM_GAP_MS = 10;
/**
 * Rows that become due without the claimer's knowledge (a lease that ends without an outcome, a late commit) are found within this
 * time. If a full scan takes long, because dead rows cannot be cleaned up, it runs less often: for at most a twentieth of the
 * time.
 */
const FULL_SCAN_INTERVAL_MS = 5000;
const FULL_SCAN_PAUSE_FACTOR = 20;
/**
 * After this number of claims without an outcome, a delivery is sent alone in a thread: if it crashes the thread again, no other
 * delivery is affected. After `CLAIMS_MAX` claims without an outcome the attempt has failed.
 */
const SHARED_CLAIMS_MAX = 2;
const CLAIMS_MAX = 5;
/** If more outcomes than this wait to be written, nothing is claimed. */
const OUTCOMES_WAITING_MAX = 2048;
const OUTCOMES_RETRY_MS = 100;
/** Stopping takes at most the timeout, this, and the writing of outcomes: less than the drain of the whole process. */
const STOP_GRACE_MS = 300;
const WRITE_DEADLINE_MS = 500;
const HEALTH_GRACE_MS = 3000;
const DATABASE_AWAY_AFTER_MS = 5000;
/** The health page names only this many endpoints. */
const UNREADABLE_NAMED_MAX = 3;

interface InFlight {
  readonly work: ClaimedWork;
  readonly startedAt: number;
}

/**
 * Passes claimed rows from the claimer to the threads, and outcomes from the threads to the writer. It owns the deliveries that are
 * running (`#inFlight`); the other parts own their own state.
 */
export class WebhookDispatcher {
  readonly #options: WebhookDispatcherOptions;
  readonly #timeoutMs: number;
  readonly #leaseMs: number;
  readonly #pool: Pool;
  readonly #threads: DeliveryThreads;
  readonly #slots: EndpointSlots;
  readonly #claimer: Claimer;
  readonly #writer: OutcomeWriter;
  readonly #janitor: Janitor;
  readonly #listener: NotificationListener;
  readonly #loop: PassLoop;
  readonly #fullScans: PassLoop;
  /** By the key under which the threads know a delivery; oldest first. */
  readonly #inFlight = new Map<number, InFlight>();
  #nextKey = 0;
  #waitsForSlots = false;
  #queueLagMs = 0;
  readonly #claimDurations = new RecentDurations();
  #lastPassAt = performance.now();
  #succeeded = 0;
  #failed = 0;
  #stopped: Promise<void> | undefined;

  constructor(options: WebhookDispatcherOptions) {
    this.#options = options;
    this.#timeoutMs = options.attemptTimeoutMs ?? WEBHOOK_TIMEOUT_MS;
    this.#leaseMs = options.leaseMs ?? LEASE_MS;
    const { log } = options;
    const databaseUrl = options.queueDatabaseUrl === '' ? options.databaseUrl : options.queueDatabaseUrl;
    this.#slots = new EndpointSlots(() => performance.now(), options.deliveringHosts);
    this.#pool = createQueuePool(databaseUrl, (error) =>
      log.warn({ code: 'database_connection_lost', err: error }, 'a connection to the queue was lost'),
    );
    this.#threads = new DeliveryThreads({
      serviceName: options.serviceName,
      allow: options.outboundAllow,
      timeoutMs: this.#timeoutMs,
      threads: options.webhookThreads,
      ...(options.threadModule === undefined ? {} : { module: options.threadModule }),
      log,
      onReports: (reports) => this.#take(reports),
      onLost: (keys, alone) => this.#lose(keys, alone),
    });
    this.#claimer = new Claimer({
      pool: this.#pool,
      slots: this.#slots,
      secretKeys: parseSecretKeys(options.secretsKeys),
      leaseMs: this.#leaseMs,
      log,
    });
    const failures = failuresTo(log);
    this.#writer = new OutcomeWriter({
      pool: this.#pool,
      delaysSeconds: options.webhookRetryDelays,
      random: options.random ?? Math.random,
      onFailure: failures.writing,
    });
    this.#janitor = new Janitor({
      pool: this.#pool,
      log,
      onFailure: failures.cleaning,
      ...(options.janitorIntervalMs === undefined ? {} : { intervalMs: options.janitorIntervalMs }),
    });
    // Listens on the feed's channel too: a change of an object and its event are committed together, and the feed's assigner
    // already sends one notification for everything that was committed. So writers of events need not notify, which would cost
    // them PostgreSQL's only notification lock.
    this.#listener = new NotificationListener({
      databaseUrl,
      channels: [WEBHOOK_CHANNEL, FEED_CHANNEL],
      log,
      random: options.random ?? Math.random,
      onHint: () => this.poke(),
    });
    this.#loop = new PassLoop({ pass: () => this.#pass(), onFailure: failures.claiming, gapMs: CLAIM_GAP_MS });
    this.#fullScans = new PassLoop({ pass: () => this.#scanInFull(), onFailure: failures.scanning, gapMs: CLAIM_GAP_MS });
  }

  async start(): Promise<void> {
    this.#lastPassAt = performance.now();
    this.#writer.start();
    this.#janitor.start();
    this.#listener.start();
    this.#loop.start();
    this.#fullScans.start();
  }

  /** Looks at the queue now, because something has become due. Cheap: any number of calls lead to one pass. */
  poke(): void {
    this.#loop.poke();
  }

  /** Takes no more work, waits for a limited time for what is under way, and writes its outcomes. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    await Promise.all([this.#loop.stop(), this.#fullScans.stop(), this.#janitor.stop(), this.#listener.stop()]);
    // Every attempt ends by itself within its timeout. What a dead thread held is never reported, and is left to its lease.
    const endsAt = performance.now() + this.#timeoutMs + STOP_GRACE_MS;
    while (this.#inFlight.size > 0 && performance.now() < endsAt) await new Promise((resolve) => setTimeout(resolve, 10));
    await this.#writer.stop(WRITE_DEADLINE_MS);
    await this.#threads.stop();
    await this.#pool.end();
  }

  stats(): WebhookDispatcherStats {
    const { autoDisabled, abandoned, expired } = this.#janitor.stats();
    return {
      attempts_succeeded: this.#succeeded,
      attempts_failed: this.#failed,
      in_flight: this.#inFlight.size,
      queue_lag_ms: this.#queueLagMs,
      claim: this.#claimDurations.percentiles(),
      outcomes_waiting: this.#writer.waiting,
      endpoints_auto_disabled: autoDisabled,
      deliveries_abandoned: abandoned + this.#writer.stats().abandoned,
      deliveries_expired: expired,
      thread_failures: this.#threads.stats().failures,
      secrets_unreadable: this.#claimer.unreadableSecrets.length,
    };
  }

  health(): PartHealth {
    const reason = this.#unhealthyReason();
    return { part: WEBHOOKS_PART, ok: reason === '', reason };
  }

  #unhealthyReason(): string {
    const now = performance.now();
    const [oldest] = this.#inFlight.values();
    if (oldest !== undefined && now - oldest.startedAt > this.#timeoutMs + HEALTH_GRACE_MS) return 'The delivery threads do not respond.';
    if (this.#threads.stats().failing) return 'The delivery threads keep failing.';
    // No claim is made while outcomes cannot be written, so this covers both directions.
    if (now - this.#lastPassAt > DATABASE_AWAY_AFTER_MS) return "The queue's database cannot be reached.";
    const unreadable = this.#claimer.unreadableSecrets;
    if (unreadable.length > 0)
      return `The signing secret of ${unreadable.slice(0, UNREADABLE_NAMED_MAX).join(', ')} cannot be decrypted (${unreadable.length} in all): SECRETS_KEYS lacks the key with which it was sealed, or the row was altered.`;
    return '';
  }

  /** Looks at the queue once. Returns how long to wait until the next time, in milliseconds. */
  async #pass(): Promise<number> {
    // No claims while outcomes wait: once their leases have ended, their own rows would be claimed again.
    if (this.#writer.failing || this.#writer.waiting > OUTCOMES_WAITING_MAX) return OUTCOMES_RETRY_MS;
    this.#threads.dropLate(monotonicClock());
    const beganAt = performance.now();
    const pass = await this.#claimer.claim();
    this.#lastPassAt = performance.now();
    this.#claimDurations.add(this.#lastPassAt - beganAt);
    this.#queueLagMs = pass.lagMs;
    this.#waitsForSlots = pass.backlog === 'waits_for_slots';
    this.#janitor.sweep(pass.inactiveIds);
    this.#giveUpLost();
    this.#send(pass.work);
    if (pass.backlog === 'claimable') return 0;
    const pollMs = this.#options.pollMs ?? POLL_MS;
    return pass.nextDueInMs === null ? pollMs : Math.min(pollMs, pass.nextDueInMs);
  }

  async #scanInFull(): Promise<number> {
    const beganAt = performance.now();
    if (await this.#claimer.scanInFull()) this.#loop.poke();
    const tookMs = performance.now() - beganAt;
    return Math.max(this.#options.fullScanIntervalMs ?? FULL_SCAN_INTERVAL_MS, tookMs * FULL_SCAN_PAUSE_FACTOR);
  }

  /** If a delivery has not been reported when its lease ends, its thread hangs and is replaced. */
  #giveUpLost(): void {
    const startedBefore = performance.now() - this.#leaseMs;
    const overdue: number[] = [];
    for (const [key, { startedAt }] of this.#inFlight) {
      if (startedAt > startedBefore) break;
      overdue.push(key);
    }
    if (overdue.length > 0) this.#threads.giveUp(overdue);
  }

  #send(work: readonly ClaimedWork[]): void {
    const shared: Delivery[] = [];
    const alone: Delivery[] = [];
    for (const item of work) {
      const { delivery, url, secrets, body } = item;
      if (secrets === null || body === null || delivery.claims > CLAIMS_MAX) {
        const why = body === null ? EVENT_MISSING : secrets === null ? SECRET_UNREADABLE : SENDER_FAILED;
        this.#finish(item, notSent(why, monotonicClock()));
        continue;
      }
      const key = this.#nextKey++;
      this.#inFlight.set(key, { work: item, startedAt: performance.now() });
      (delivery.claims > SHARED_CLAIMS_MAX ? alone : shared).push({
        key,
        delivery_id: delivery.id,
        event_type: delivery.event_type,
        body,
        url,
        secrets,
        lease_ends_at_ms: item.leaseEndsAtMs,
      });
    }
    this.#threads.send(shared);
    this.#threads.sendAlone(alone);
  }

  #take(reports: readonly DeliveryReport[]): void {
    const unsent: ClaimedWork[] = [];
    for (const { key, result } of reports) {
      const held = this.#inFlight.get(key);
      if (held === undefined) continue;
      this.#inFlight.delete(key);
      if (result !== null) this.#finish(held.work, result);
      else {
        this.#slots.released(held.work.slot, null);
        unsent.push(held.work);
      }
    }
    if (unsent.length > 0) this.#uncount(unsent);
    if (this.#waitsForSlots) this.#loop.poke();
  }

  /**
   * Handles the deliveries that a thread had when it ended. Their claims stay counted, and they are claimed again when their
   * leases have ended. A delivery that had the thread to itself is what ended it, so its attempt has failed.
   */
  #lose(keys: readonly number[], alone: boolean): void {
    for (const key of keys) {
      const held = this.#inFlight.get(key);
      if (held === undefined) continue;
      this.#inFlight.delete(key);
      if (alone) this.#finish(held.work, notSent(SENDER_FAILED, monotonicClock()));
      else this.#slots.released(held.work.slot, null);
    }
    if (this.#waitsForSlots) this.#loop.poke();
  }

  /**
   * Reverses the count of claims under which nothing was sent, because they say nothing about the delivery. If this cannot be
   * written, each counts once more than it should.
   */
  #uncount(unsent: readonly ClaimedWork[]): void {
    const claims = unsent.map(({ delivery: { id, created_at }, claimId }) => ({ id, created_at, claim_id: claimId }));
    uncountClaims(this.#pool, claims).catch((error: unknown) =>
      this.#options.log.warn(
        { code: 'claims_uncounted_failed', err: error, deliveries: claims.length },
        'claims without an attempt could not be uncounted',
      ),
    );
  }

  #finish(work: ClaimedWork, result: AttemptResult): void {
    const succeeded = isSuccess(result);
    if (succeeded) this.#succeeded++;
    else this.#failed++;
    this.#slots.released(work.slot, saysNothingOfEndpoint(result) ? null : succeeded);
    const next = this.#writer.add({ delivery: work.delivery, claimId: work.claimId, result });
    traceAttempt(work, result);
    const { id, webhook_id, event_id, event_type, kind, attempt } = work.delivery;
    this.#options.log[succeeded ? 'debug' : 'info'](
      {
        code: 'webhook_attempted',
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

type OnFailure = (error: unknown, failuresInRow: number) => void;

/** Whatever fails is tried again, and the log says so. */
function failuresTo(log: Logger): Readonly<Record<'writing' | 'cleaning' | 'claiming' | 'scanning', OnFailure>> {
  return {
    writing: (err, failures_in_row) =>
      log.warn({ code: 'webhook_outcomes_unwritten', err, failures_in_row }, 'outcomes of webhooks could not be written; trying again'),
    cleaning: (err, failures_in_row) =>
      log.warn({ code: 'webhook_queue_uncleaned', err, failures_in_row }, 'the webhook queue could not be cleaned; trying again'),
    claiming: (err, failures_in_row) =>
      log.warn({ code: 'webhook_claim_failed', err, failures_in_row }, 'webhook deliveries could not be claimed; trying again'),
    scanning: (err, failures_in_row) =>
      log.warn({ code: 'webhook_scan_failed', err, failures_in_row }, 'the webhook queue could not be scanned; trying again'),
  };
}
