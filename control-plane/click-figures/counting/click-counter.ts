import { invariant } from '../../../shared/base/invariant.js';
import { COUNTED_CLICKS } from '../../../shared/base/limits.js';
import { sqlIntegers } from '../../db/copied-rows.js';
import type { Database } from '../../db/database.js';
import { allowPauses } from '../../db/pauses.js';
import type { Span } from '../../local-days/span.js';
import { TOTAL } from '../day-count/click-numbers.js';
import { type CountedClick, readLoggedClicks, summarizeClicks } from '../day-count/logged-clicks.js';
import { figuresKeptFrom } from '../kept-days.js';
import { changeShards, lockShardsWithin, tryLockShards } from '../locks/shard-locks.js';
import { takeShards } from '../locks/shard-shares.js';
import { trimPrefixes } from '../prepared/top-prefixes.js';
import { SHARD } from '../shards.js';
import { planCounting } from '../transaction.js';
import { CountedDays } from './counted-days.js';
import { storeBreakdowns } from './store-breakdowns.js';
import { ensureFigurePartitions, storeFigures } from './store-figures.js';
import { takeBatches, type WaitingBatch, waitingBatches } from './waiting-batches.js';

/** Batches whose clicks have been counted in memory, but whose figures are not stored yet. */
interface Round {
  readonly nowMs: number;
  /** Shards whose batches were read. */
  readonly shards: readonly number[];
  readonly batches: readonly WaitingBatch[];
}

/** How long clicks that were read ahead wait for shards that others lock briefly to add up figures (prepared/top-prefixes.ts, prepared/link-clicks.ts). */
const SHARDS_WAIT_MS = 2_000;

export interface ClickCounterOptions {
  /** The connection that locks the shards and stores figures. */
  readonly storing: Database;
  /** A second connection, which reads the next clicks in the meantime. */
  readonly reading: Database;
  readonly clickRetentionDays: number;
  /** Number of clicks in a round, if that many are waiting; `COUNTED_CLICKS` by default. */
  readonly roundClicks?: number;
}

/**
 * Counts the clicks of the log into figures. Each counter works on a share of the shards and keeps the visitors of their days in
 * memory. A round reads batches and counts them in memory. Then one transaction stores the changed figures, deletes the batches
 * and changes the versions of their shards. The next round reads while this one stores. If anything fails, or another process
 * has changed the figures of a shard, the data in memory is discarded and read from the log again. So a counter may be killed at
 * any time, and any number of counters may run.
 */
export class ClickCounter {
  readonly #storing: Database;
  readonly #reading: Database;
  readonly #clickRetentionDays: number;
  readonly #roundClicks: number;
  readonly #days = new CountedDays();
  /** Versions of the shards whose days are in memory. */
  readonly #versions = new Map<number, string>();
  /** Days whose partitions of figures are known to exist. */
  readonly #partitions = new Set<string>();
  /** The next round, if it is being read already. */
  #ahead: Promise<Round> | null = null;

  constructor({ storing, reading, clickRetentionDays, roundClicks = COUNTED_CLICKS }: ClickCounterOptions) {
    this.#storing = storing;
    this.#reading = reading;
    this.#clickRetentionDays = clickRetentionDays;
    this.#roundClicks = roundClicks;
  }

  /** Counts the oldest waiting clicks. Returns how many; 0 if none are waiting. */
  async count(nowMs: number): Promise<number> {
    try {
      const ahead = await this.#ahead;
      this.#ahead = null;
      const own = await takeShards(this.#storing);
      this.#keep(own);
      // If the figures have changed since the clicks were read ahead, the clicks are read again.
      const counted = ahead === null || ahead.batches.length === 0 ? 0 : await this.#storeAhead(ahead, own, nowMs);
      return counted > 0 ? counted : await this.#countOldest(own, nowMs);
    } catch (error) {
      // An error of the read-ahead would have the same cause, the database. The read-ahead has changed only what is discarded here.
      await Promise.allSettled([this.#ahead]);
      this.#ahead = null;
      this.#keep([]);
      throw error;
    }
  }

  /** Stores what was read while the previous round was being stored. Its shards have been unlocked since that transaction ended. */
  async #storeAhead(round: Round, own: readonly number[], nowMs: number): Promise<number> {
    await this.#makePartitions(this.#storing, round.nowMs);
    return this.#storing.transaction(async (transaction) => {
      const wanted = round.shards.filter((shard) => own.includes(shard));
      const locked = await lockShardsWithin(transaction, wanted, SHARDS_WAIT_MS);
      const shards = locked.filter(({ shard, version }) => this.#versions.get(shard) === version).map(({ shard }) => shard);
      // What is in memory of the other shards includes clicks that are not stored.
      this.#keep(own.filter((shard) => shards.includes(shard) || !wanted.includes(shard)));
      return this.#store(transaction, { ...round, shards, batches: batchesOf(round.batches, shards) }, { own, nowMs });
    });
  }

  /**
   * Reads the oldest batches and stores their figures, both while holding the locks of their shards. If these were two transactions, a
   * session that waits for the locks could get them in between, and the batches would have to be read again.
   */
  async #countOldest(own: readonly number[], nowMs: number): Promise<number> {
    const waiting = await this.#findWaiting(own, null);
    if (waiting.length === 0) return 0;
    return this.#storing.transaction(async (transaction) => {
      // This connection is idle while the other one reads.
      await allowPauses(transaction);
      const shards = await this.#lockFree(transaction, own);
      const round = { nowMs, shards, batches: batchesOf(waiting, shards) };
      if (round.batches.length === 0) return 0;
      await this.#readRound(round);
      await this.#makePartitions(this.#reading, nowMs);
      return this.#store(transaction, round, { own, nowMs });
    });
  }

  /** Reads the batches after those of the round that is being stored, whose shards are still locked. */
  async #readAhead(beside: Round, nowMs: number): Promise<Round> {
    const round = { nowMs, shards: beside.shards, batches: await this.#findWaiting(beside.shards, beside) };
    if (round.batches.length > 0) await this.#readRound(round);
    return round;
  }

  async #findWaiting(shards: readonly number[], beside: Round | null): Promise<readonly WaitingBatch[]> {
    const waiting = await waitingBatches(this.#reading, { shards, beside: beside?.batches ?? [], roundClicks: this.#roundClicks });
    // Not in a transaction, because nothing could vacuum the log until it ends.
    if (waiting.length > 0) await summarizeClicks(this.#reading, spanOf(waiting));
    return waiting;
  }

  /** Counts the batches of the round in memory. */
  async #readRound(round: Round): Promise<void> {
    await this.#reading.transaction(async (transaction) => {
      await planCounting(transaction);
      await this.#countInMemory(transaction, round);
    });
  }

  /**
   * Locks those of the shards that nobody else has locked, and discards what is in memory of those that have changed. Shards that are
   * locked by others stay in memory: the others may change nothing, and if they do, the version shows it once the shard is free.
   */
  async #lockFree(transaction: Database, own: readonly number[]): Promise<readonly number[]> {
    const locked = await tryLockShards(transaction, own);
    const changed = locked.filter(({ shard, version }) => this.#versions.get(shard) !== version).map(({ shard }) => shard);
    this.#keep(own.filter((shard) => !changed.includes(shard)));
    for (const { shard, version } of locked) this.#versions.set(shard, version);
    return locked.map(({ shard }) => shard);
  }

  /** Clicks of days that are not in memory yet are put aside until these days are read. */
  async #countInMemory(transaction: Database, { nowMs, shards, batches }: Round): Promise<void> {
    const keptFrom = figuresKeptFrom(nowMs, this.#clickRetentionDays);
    const span = spanOf(batches);
    await this.#days.prepare(transaction, { shards, ...span, nowMs });
    const aside: CountedClick[] = [];
    await readLoggedClicks(transaction, span, conditionOf(batches), (click) => {
      if (!this.#days.add(click, keptFrom, nowMs)) aside.push(click.copy());
    });
    if (aside.length === 0) return;
    await this.#days.read(transaction, aside, shards, nowMs);
    for (const click of aside) {
      const added = this.#days.add(click, keptFrom, nowMs);
      invariant(added, 'what a click needs to be counted was read');
    }
  }

  /**
   * Stores what the round changed, in the transaction that has locked its shards. Begins to read the next round if many clicks are
   * waiting. Returns the number of clicks counted.
   */
  async #store(transaction: Database, round: Round, { own, nowMs }: { own: readonly number[]; nowMs: number }): Promise<number> {
    const { shards, batches } = round;
    const clicks = batches.reduce((sum, batch) => sum + batch.clicks, 0);
    const changed = this.#days.takeChanges();
    this.#days.forgetIdle(round.nowMs);
    if (clicks * 2 >= this.#roundClicks && shards.length === own.length) this.#beginAhead(round, nowMs);
    for (const { day, figures, breakdowns } of changed) {
      await storeFigures(transaction, day, figures);
      await storeBreakdowns(transaction, day, breakdowns);
    }
    const days = changed.flatMap(({ day, figures }) =>
      figures.flatMap(({ dimension, environment_number }) => (dimension === TOTAL ? [{ environment_number, day }] : [])),
    );
    await trimPrefixes(transaction, days);
    const taken = await takeBatches(transaction, batches);
    invariant(taken === batches.length, 'nobody else counts the batches of a shard that is locked');
    for (const { shard, version } of await changeShards(transaction, shards)) this.#versions.set(shard, version);
    return clicks;
  }

  #beginAhead(beside: Round, nowMs: number): void {
    this.#ahead = this.#readAhead(beside, nowMs);
    // The next call of `count` handles the error.
    this.#ahead.catch(() => {});
  }

  /** Discards everything that belongs to other shards than these. Nothing may be read meanwhile. */
  #keep(shards: readonly number[]): void {
    this.#days.keep(shards);
    for (const shard of this.#versions.keys()) if (!shards.includes(shard)) this.#versions.delete(shard);
  }

  /** Creates the partitions that the changed figures need. Not in the transaction that stores them: see `ensureFigurePartitions`. */
  async #makePartitions(database: Database, nowMs: number): Promise<void> {
    const missing = this.#days.changed.map(({ day }) => day).filter((day) => !this.#partitions.has(day));
    if (missing.length === 0) return;
    const days = new Set(missing);
    await ensureFigurePartitions(database, [...days]);
    const keptFrom = figuresKeptFrom(nowMs, this.#clickRetentionDays);
    for (const day of this.#partitions) if (day < keptFrom) this.#partitions.delete(day);
    for (const day of days) this.#partitions.add(day);
  }
}

function batchesOf(batches: readonly WaitingBatch[], shards: readonly number[]): readonly WaitingBatch[] {
  return batches.filter(({ shard }) => shards.includes(shard));
}

/** The time span of the clicks of the batches. Its end is a millisecond late, because a Date has no microseconds. */
function spanOf(batches: readonly WaitingBatch[]): Span {
  return {
    from: new Date(Math.min(...batches.map(({ from_at }) => from_at.getTime()))),
    to: new Date(Math.max(...batches.map(({ to_at }) => to_at.getTime())) + 1),
  };
}

/** A condition that selects the clicks of the batches. */
function conditionOf(batches: readonly WaitingBatch[]): string {
  const ids = sqlIntegers(
    batches.map(({ batch_id }) => batch_id),
    'bigint',
  );
  const shards = sqlIntegers(
    batches.map(({ shard }) => shard),
    'integer',
  );
  return `batch_id BETWEEN ${BigInt(batches[0]?.batch_id ?? 0)} AND ${BigInt(batches.at(-1)?.batch_id ?? 0)}
    AND (batch_id, ${SHARD}) IN (SELECT * FROM unnest(${ids}, ${shards}))`;
}
