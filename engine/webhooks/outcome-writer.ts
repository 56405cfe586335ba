import type { Pool } from 'pg';
import { type Clock, monotonicClock } from '../../shared/base/clock.js';
import { PassLoop } from '../database/pass-loop.js';
import { inTransaction } from '../database/transaction.js';
import { shrinkBacklogs } from './backlog-sql.js';
import { type AttemptResult, type NextState, nextState, streakChanges } from './outcome.js';
import type { ClaimedDelivery } from './sql.js';
import { type OutcomeRow, recordOutcomes, recordStreaks } from './sql.js';

export interface FinishedDelivery {
  readonly delivery: ClaimedDelivery;
  readonly claimId: string;
  readonly result: AttemptResult;
}

export interface OutcomeWriterOptions {
  readonly pool: Pool;
  readonly delaysSeconds: readonly number[];
  readonly random: () => number;
  readonly onFailure: (error: unknown, failuresInRow: number) => void;
  /** The clock of the times at which attempts ended. */
  readonly now?: Clock;
}

interface Decided extends FinishedDelivery {
  readonly next: NextState;
}

/** By the id of the delivery. */
type WrittenStates = ReadonlyMap<string, OutcomeRow['status']>;

const BATCH_MAX = 256;
/** Outcomes that arrive within this time go into one transaction. */
const GAP_MS = 3;
const IDLE_MS = 60_000;

/**
 * Writes outcomes in batches. The failure streaks of a batch are updated in the same transaction. If the database cannot be
 * reached, outcomes are kept and written later; `recordOutcomes` then drops those whose rows have been claimed again.
 */
export class OutcomeWriter {
  readonly #options: OutcomeWriterOptions;
  readonly #loop: PassLoop;
  readonly #now: Clock;
  #waiting: Decided[] = [];
  #written = 0;
  #stale = 0;
  #abandoned = 0;

  constructor(options: OutcomeWriterOptions) {
    this.#options = options;
    this.#now = options.now ?? monotonicClock;
    this.#loop = new PassLoop({ pass: () => this.#pass(), onFailure: options.onFailure, gapMs: GAP_MS });
  }

  start(): void {
    this.#loop.start();
  }

  /** The next state is decided once, here, so that a second attempt to write it does not draw another delay. */
  add(finished: FinishedDelivery): NextState {
    const next = nextState(finished.delivery, finished.result, this.#options.delaysSeconds, this.#options.random);
    this.#waiting.push({ ...finished, next });
    this.#loop.poke();
    return next;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Whether writing currently fails. Nothing should be claimed then: the leases of what waits here may have ended, and it would be
   * sent again.
   */
  get failing(): boolean {
    return this.#loop.failures > 0;
  }

  /** Writes the waiting outcomes for up to `deadlineMs`. The deliveries of the rest are repeated when their leases end. */
  async stop(deadlineMs: number): Promise<void> {
    const endsAt = performance.now() + deadlineMs;
    while (this.#waiting.length > 0 && performance.now() < endsAt) await new Promise((resolve) => setTimeout(resolve, 5));
    await this.#loop.stop();
  }

  /** `abandoned` counts deliveries whose last attempt failed, or failed after their endpoint had been disabled. */
  stats(): { readonly written: number; readonly stale: number; readonly abandoned: number } {
    return { written: this.#written, stale: this.#stale, abandoned: this.#abandoned };
  }

  async #pass(): Promise<number> {
    const batch = this.#waiting.slice(0, BATCH_MAX);
    if (batch.length === 0) return IDLE_MS;
    const written = await this.#write(batch);
    this.#waiting = this.#waiting.slice(batch.length);
    this.#written += written.size;
    this.#stale += batch.length - written.size;
    for (const status of written.values()) if (status === 'abandoned') this.#abandoned++;
    return this.#waiting.length > 0 ? 0 : IDLE_MS;
  }

  /** Returns the states of the outcomes that were written. */
  #write(batch: readonly Decided[]): Promise<WrittenStates> {
    return inTransaction(this.#options.pool, async (client) => {
      const nowMs = this.#now();
      const written = await recordOutcomes(
        client,
        batch.map((entry) => outcomeRow(entry, nowMs)),
      );
      // Only what was written counts, because a stale worker says nothing about an endpoint.
      const counted = batch.filter((entry) => written.has(entry.delivery.id));
      const changes = streakChanges(
        counted.map((entry) => ({ attempt: entry.delivery, result: entry.result })),
        nowMs,
      );
      if (changes.length > 0) await recordStreaks(client, changes);
      const ended = endedClicks(counted, written);
      if (ended.size > 0) await shrinkBacklogs(client, ended);
      return written;
    });
  }
}

/** Returns how many automatic deliveries of clicks have ended, by endpoint: those that will not be tried again. */
function endedClicks(batch: readonly Decided[], written: WrittenStates): ReadonlyMap<string, number> {
  const ended = new Map<string, number>();
  for (const { delivery } of batch) {
    const { id, webhook_id, event_type, kind } = delivery;
    if (event_type !== 'click.created' || kind !== 'automatic' || written.get(id) === 'retrying') continue;
    ended.set(webhook_id, (ended.get(webhook_id) ?? 0) + 1);
  }
  return ended;
}

/** The outcome may have waited for the database, so times relative to its end are converted to times relative to now. */
function outcomeRow({ delivery, claimId, result, next }: Decided, nowMs: number): OutcomeRow {
  return {
    id: delivery.id,
    created_at: delivery.created_at,
    claim_id: claimId,
    webhook_id: delivery.webhook_id,
    status: next.status,
    response_code: result.response_code,
    response_body: result.response_body,
    latency_ms: result.latency_ms,
    error: result.error,
    next_attempt_in_ms: next.retry_after_ms === null ? null : next.retry_after_ms - (nowMs - result.finished_at_ms),
  };
}
