import { invariant } from '../../shared/base/invariant.js';
import type { Database } from '../db/database.js';
import { nameShards, stillWaiting, takeBatches, type WaitingBatch, waitingBatches } from './batches.js';
import { CountedDays } from './counted-days.js';
import { dayBefore, type EnvironmentDay, figuresKeptFrom } from './days.js';
import { DIMENSION_NAMES } from './dimensions.js';
import { storeBreakdowns, storeFigures } from './figure-rows.js';
import { type CountedClick, readLoggedClicks, sqlInstant, sqlIntegers } from './logged-clicks.js';
import { ensureFigurePartitions } from './partitions.js';
import { changeShards, SHARD, type Shard, takeShards, tryLockShards } from './shards.js';
import { cutDayPrefixes, forgetRangePrefixes } from './top-prefixes.js';
import { daysOf } from './window.js';

const TOTAL = DIMENSION_NAMES.indexOf('total');

/** One round under way. */
interface Round {
  readonly transaction: Database;
  readonly nowMs: number;
  /** First day that has figures. */
  readonly keptFrom: string;
  /** Those that are locked. */
  readonly shards: readonly number[];
  readonly batches: readonly WaitingBatch[];
}

/**
 * Counts clicks of the log into figures. It has a share of the shards of environments, and remembers in memory which visitors
 * their days have had. A batch is counted in one transaction with the deletion of its row and the change of its shard's version;
 * if anything fails, or somebody else has changed the figures of the shard, what it remembers is forgotten, and read from the
 * log again. So it may be killed at any time, and any number of them may run.
 */
export class ClickCounter {
  readonly #database: Database;
  readonly #clickRetentionDays: number;
  readonly #days = new CountedDays();
  /** Versions of the shards whose days are remembered. */
  readonly #versions = new Map<number, string>();
  /** Days of figures whose partitions are known to be there. */
  readonly #partitions = new Set<string>();

  /** The database is one session: it is the session that has the shards. */
  constructor(database: Database, clickRetentionDays: number) {
    this.#database = database;
    this.#clickRetentionDays = clickRetentionDays;
  }

  /** Counts the oldest clicks that wait, in one transaction. Returns how many; 0 if none do. */
  async count(nowMs: number): Promise<number> {
    const shards = await takeShards(this.#database);
    this.#keep(shards);
    await nameShards(this.#database);
    const batches = await waitingBatches(this.#database, shards);
    if (batches.length === 0) return 0;
    const keptFrom = figuresKeptFrom(nowMs, this.#clickRetentionDays);
    await this.#makePartitions(batches, keptFrom);
    try {
      return await this.#database.transaction((transaction) => this.#count({ transaction, nowMs, keptFrom, shards, batches }));
    } catch (error) {
      this.#keep([]);
      throw error;
    }
  }

  async #count(round: Round): Promise<number> {
    const { transaction, nowMs } = round;
    const locked = await tryLockShards(transaction, round.shards);
    this.#forgetChanged(locked);
    const shards = locked.map(({ shard }) => shard);
    const batches = await stillWaiting(
      transaction,
      round.batches.filter(({ shard }) => shards.includes(shard)),
    );
    if (batches.length === 0) return 0;
    await this.#read({ ...round, shards, batches });
    const changed = await this.#store(transaction);
    await cutDayPrefixes(transaction, changed);
    await forgetRangePrefixes(transaction, changed);
    const taken = await takeBatches(transaction, batches);
    invariant(taken === batches.length, 'nobody else counts the batches of a shard that is locked');
    for (const { shard, version } of await changeShards(transaction, shards)) this.#versions.set(shard, version);
    this.#days.forgetIdle(nowMs);
    return batches.reduce((sum, { clicks }) => sum + clicks, 0);
  }

  /** Counts the clicks of the batches in memory. Those of days that are not there yet wait until these are read. */
  async #read({ transaction, batches, shards, keptFrom, nowMs }: Round): Promise<void> {
    const span = spanOf(batches);
    await this.#days.prepare(transaction, { shards, ...span, nowMs });
    const aside: CountedClick[] = [];
    await readLoggedClicks(transaction, conditionOf(batches, span), (click) => {
      if (!this.#days.add(click, keptFrom, nowMs)) aside.push({ ...click });
    });
    if (aside.length === 0) return;
    await this.#days.read(transaction, aside, shards, nowMs);
    for (const click of aside) {
      const added = this.#days.add(click, keptFrom, nowMs);
      invariant(added, 'what a click needs to be counted was read');
    }
  }

  /** Stores the figures that changed. Returns the days that grew. */
  async #store(transaction: Database): Promise<readonly EnvironmentDay[]> {
    const changed: EnvironmentDay[] = [];
    const days = this.#days.changed;
    for (const day of new Set(days.map(({ day }) => day))) {
      const counts = days.filter((counted) => counted.day === day).map(({ count }) => count);
      const figures = counts.flatMap((count) => count.takeFigures());
      await storeFigures(transaction, { day, figures, growsDayPrefixes: true });
      await storeBreakdowns(
        transaction,
        day,
        counts.flatMap((count) => count.takeBreakdowns()),
      );
      for (const { dimension, environment_number } of figures) if (dimension === TOTAL) changed.push({ environment_number, day });
    }
    return changed;
  }

  #forgetChanged(locked: readonly Shard[]): void {
    const changed = locked.filter(({ shard, version }) => this.#versions.get(shard) !== version).map(({ shard }) => shard);
    this.#keep([...this.#versions.keys()].filter((shard) => !changed.includes(shard)));
    for (const { shard, version } of locked) this.#versions.set(shard, version);
  }

  #keep(shards: readonly number[]): void {
    this.#days.keep(shards);
    for (const shard of this.#versions.keys()) if (!shards.includes(shard)) this.#versions.delete(shard);
  }

  /** The days of projects that the batches may have clicks of. */
  async #makePartitions(batches: readonly WaitingBatch[], keptFrom: string): Promise<void> {
    const missing = new Set<string>();
    for (const { from_at, to_at } of batches)
      for (const day of daysOf({ from: dayBefore(from_at.getTime(), 1), to: dayBefore(to_at.getTime(), -1) }))
        if (day >= keptFrom && !this.#partitions.has(day)) missing.add(day);
    if (missing.size === 0) return;
    await ensureFigurePartitions(this.#database, [...missing]);
    for (const day of this.#partitions) if (day < keptFrom) this.#partitions.delete(day);
    for (const day of missing) this.#partitions.add(day);
  }
}

interface Span {
  readonly fromAt: Date;
  readonly endAt: Date;
}

/** When the clicks of the batches were made; before `endAt`, since a Date has no microseconds. */
function spanOf(batches: readonly WaitingBatch[]): Span {
  return {
    fromAt: new Date(Math.min(...batches.map(({ from_at }) => from_at.getTime()))),
    endAt: new Date(Math.max(...batches.map(({ to_at }) => to_at.getTime())) + 1),
  };
}

/** The clicks of the batches. Instants leave the partitions of other days out of the plan. */
function conditionOf(batches: readonly WaitingBatch[], { fromAt, endAt }: Span): string {
  const ids = sqlIntegers(
    batches.map(({ batch_id }) => batch_id),
    'bigint',
  );
  const shards = sqlIntegers(
    batches.map(({ shard }) => shard),
    'integer',
  );
  return `batch_id BETWEEN ${BigInt(batches[0]?.batch_id ?? 0)} AND ${BigInt(batches.at(-1)?.batch_id ?? 0)}
    AND occurred_at >= ${sqlInstant(fromAt)} AND occurred_at < ${sqlInstant(endAt)}
    AND (batch_id, ${SHARD}) IN (SELECT * FROM unnest(${ids}, ${shards}))`;
}
