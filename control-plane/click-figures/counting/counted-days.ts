import { dayBefore } from '../../../shared/base/day-ranges.js';
import { DAY_MS } from '../../../shared/base/instant.js';
import { invariant } from '../../../shared/base/invariant.js';
import { COUNTING_BYTES_MAX } from '../../../shared/base/limits.js';
import { sqlIntegers } from '../../db/copied-rows.js';
import type { Database } from '../../db/database.js';
import { type LocalQuarter, LocalQuarters, QUARTER_SECONDS } from '../../local-days/quarters.js';
import type { Span } from '../../local-days/span.js';
import { type Breakdown, DayCount, type Figure } from '../day-count/day-count.js';
import { type CountedClick, readLoggedClicks } from '../day-count/logged-clicks.js';
import { IS_WAITING, SHARD, shardOf } from '../shards.js';
import { readTimeZones } from './zones.js';

/** A day without new clicks for this long is dropped from memory, unless it is one of the current days. */
const IDLE_MS = 600_000;
/** The days in progress somewhere in the world are tomorrow, today and yesterday, in UTC. This is how many days back they go. */
const OPEN_DAYS = 1;

/** A day of the environments of a shard. */
export interface CountedDay {
  readonly shard: number;
  /** `2026-11-20`, in the time zone of each project. */
  readonly day: string;
  readonly count: DayCount;
  usedMs: number;
}

/** The figures and breakdowns of a day that have changed, with their current counts. */
export interface ChangedDay {
  readonly day: string;
  readonly figures: readonly Figure[];
  readonly breakdowns: readonly Breakdown[];
}

/** Days are read in advance only for clicks that span at most this time: a backlog of weeks has clicks of only some of its days. */
const PREPARED_MS_MAX = DAY_MS;

export interface Preparation extends Span {
  readonly shards: readonly number[];
  readonly nowMs: number;
}

/** The environment and quarter of the previous click, and what was found for them. Most clicks have the same as the click before. */
interface Found {
  environment_number: number;
  quarter: number;
  day: CountedDay | null;
  hour: number;
}

/**
 * Days that are in memory, with their figures and visitors. If a day is needed and not in memory, its clicks that are already
 * counted are read from the log.
 */
export class CountedDays {
  readonly #quarters = new LocalQuarters();
  /** Time zones by environment number; null for a number that no environment has. */
  readonly #zones = new Map<number, string | null>();
  /** Keyed by shard and day, `3 2026-11-20`. */
  readonly #days = new Map<string, CountedDay>();
  /** Shards whose days `prepare` has read. */
  readonly #prepared = new Set<number>();
  readonly #found: Found = { environment_number: -1, quarter: -1, day: null, hour: 0 };

  /** Days whose figures have changed since they were taken. */
  get changed(): readonly CountedDay[] {
    return [...this.#days.values()].filter(({ count }) => count.hasChanged);
  }

  /** Takes what changed, by day, with all shards of a day together. */
  takeChanges(): readonly ChangedDay[] {
    const { changed } = this;
    return [...new Set(changed.map(({ day }) => day))].map((day) => {
      const counts = changed.filter((counted) => counted.day === day).map(({ count }) => count);
      return {
        day,
        figures: counts.flatMap((count) => count.takeFigures()),
        breakdowns: counts.flatMap((count) => count.takeBreakdowns()),
      };
    });
  }

  /**
   * Counts a click if its environment and its day are in memory. Returns false if they are not; then they have to be read. A click of
   * an environment that does not exist, or of a day before `keptFrom`, counts in no figure.
   */
  add(click: CountedClick, keptFrom: string, nowMs: number): boolean {
    const found = this.#found;
    if (click.quarter !== found.quarter || click.environment_number !== found.environment_number) {
      const zone = this.#zones.get(click.environment_number);
      if (zone === undefined) return false;
      const local = zone === null ? null : this.#local(zone, click.quarter);
      if (local === undefined) return false;
      if (local === null || local.day < keptFrom) return true;
      const day = this.#days.get(keyOf(shardOf(click.environment_number), local.day));
      if (day === undefined) return false;
      day.usedMs = nowMs;
      Object.assign(found, { environment_number: click.environment_number, quarter: click.quarter, day, hour: local.hour });
    }
    found.day?.count.add(click, found.hour);
    return true;
  }

  /**
   * Reads the days to which clicks between the two instants may belong, for shards of which nothing is in memory. Otherwise all of
   * their clicks would have to be put aside until their days are read.
   */
  async prepare(database: Database, { shards, from, to, nowMs }: Preparation): Promise<void> {
    const unknown = shards.filter((shard) => !this.#prepared.has(shard));
    if (unknown.length === 0 || to.getTime() - from.getTime() > PREPARED_MS_MAX) return;
    for (const shard of unknown) this.#prepared.add(shard);
    const days = new Set<string>();
    for (const zone of await this.#readZones(database, { shards: unknown, environmentNumbers: [] }, { from, to }))
      for (let quarter = quarterOf(from); quarter <= quarterOf(to); quarter++) {
        const local = this.#local(zone, quarter);
        if (local !== undefined) days.add(local.day);
      }
    for (const day of days) await this.#readDay(database, day, unknown, nowMs);
  }

  /** Reads what is needed to count the clicks: the time zones of their environments, and those of their days that lie in `shards`. */
  async read(database: Database, clicks: readonly CountedClick[], shards: readonly number[], nowMs: number): Promise<void> {
    const environmentNumbers = [...new Set(clicks.map(({ environment_number }) => environment_number))];
    const quarters = clicks.map(({ quarter }) => quarter);
    const span = { from: instantOf(min(quarters)), to: instantOf(max(quarters) + 1) };
    for (const number of environmentNumbers) this.#zones.set(number, null);
    await this.#readZones(database, { shards, environmentNumbers }, span);
    const days = new Set(clicks.map(({ environment_number, quarter }) => this.#dayOf(environment_number, quarter)));
    for (const day of days) if (day !== null) await this.#readDay(database, day, shards, nowMs);
  }

  /** Reads the time zones of the environments, with their quarters within the span. Returns the zones. */
  async #readZones(database: Database, wanted: Parameters<typeof readTimeZones>[1], span: Span): Promise<ReadonlySet<string>> {
    const zones = await readTimeZones(database, wanted);
    for (const [number, zone] of zones) this.#zones.set(number, zone);
    const names = new Set(zones.values());
    await this.#quarters.fetch(database, names, span);
    return names;
  }

  /** Discards everything that belongs to other shards than these. */
  keep(shards: readonly number[]): void {
    this.#found.quarter = -1;
    for (const [key, { shard }] of this.#days) if (!shards.includes(shard)) this.#days.delete(key);
    for (const shard of this.#prepared) if (!shards.includes(shard)) this.#prepared.delete(shard);
    for (const number of this.#zones.keys()) if (!shards.includes(shardOf(number))) this.#zones.delete(number);
  }

  /** Discards idle days and, while the others take too much memory, the least recently used of them. */
  forgetIdle(nowMs: number): void {
    this.#found.quarter = -1;
    const openFrom = dayBefore(nowMs, OPEN_DAYS);
    const newest = [...this.#days].toSorted(([, a], [, b]) => b.usedMs - a.usedMs);
    let bytes = 0;
    for (const [key, { day, count, usedMs }] of newest) {
      bytes += count.bytes;
      const idle = Math.abs(nowMs - usedMs) > IDLE_MS && day < openFrom;
      if (idle || (bytes > COUNTING_BYTES_MAX && usedMs !== nowMs)) this.#days.delete(key);
    }
  }

  /** Reads the day's part of the log in one scan, for all of the shards whose day is not in memory yet. */
  async #readDay(database: Database, day: string, shards: readonly number[], nowMs: number): Promise<void> {
    const missing = shards.filter((shard) => !this.#days.has(keyOf(shard, day)));
    if (missing.length === 0) return;
    const read = new Map(missing.map((shard): [number, CountedDay] => [shard, { shard, day, count: new DayCount(), usedMs: nowMs }]));
    const bounds = await this.#bounds(database, day, missing);
    if (bounds !== null) {
      const condition = `${SHARD} = ANY (${sqlIntegers(missing, 'integer')}) AND NOT ${IS_WAITING}`;
      await readLoggedClicks(database, bounds, condition, (click) => {
        const zone = this.#zones.get(click.environment_number);
        const local = zone == null ? null : this.#local(zone, click.quarter);
        if (local?.day === day) read.get(shardOf(click.environment_number))?.count.add(click, local.hour);
      });
    }
    for (const [shard, counted] of read) {
      counted.count.forgetChanges();
      this.#days.set(keyOf(shard, day), counted);
    }
  }

  /** When the day begins in the first of the shards' time zones and ends in the last; null if no environment of theirs is known. */
  async #bounds(database: Database, day: string, shards: readonly number[]): Promise<Span | null> {
    const zones = new Set<string>();
    for (const [number, zone] of this.#zones) if (zone !== null && shards.includes(shardOf(number))) zones.add(zone);
    const at = Date.parse(day);
    await this.#quarters.fetch(database, zones, { from: new Date(at - DAY_MS), to: new Date(at + 2 * DAY_MS) });
    const quarters: number[] = [];
    for (const zone of zones) {
      const ofDay = [...this.#quarters.of(zone)].flatMap(([quarter, local]) => (local.day === day ? [quarter] : []));
      quarters.push(min(ofDay), max(ofDay));
    }
    return quarters.length === 0 ? null : { from: instantOf(min(quarters)), to: instantOf(max(quarters) + 1) };
  }

  #dayOf(environmentNumber: number, quarter: number): string | null {
    const zone = this.#zones.get(environmentNumber);
    return zone == null ? null : (this.#local(zone, quarter)?.day ?? null);
  }

  #local(zone: string, quarter: number): LocalQuarter | undefined {
    return this.#quarters.of(zone).get(quarter);
  }
}

function keyOf(shard: number, day: string): string {
  return `${shard} ${day}`;
}

function quarterOf(at: Date): number {
  return Math.floor(at.getTime() / 1000 / QUARTER_SECONDS);
}

function instantOf(quarter: number): Date {
  return new Date(quarter * QUARTER_SECONDS * 1000);
}

function min(numbers: readonly number[]): number {
  invariant(numbers.length > 0, 'the least of no numbers');
  return numbers.reduce((least, number) => (number < least ? number : least));
}

function max(numbers: readonly number[]): number {
  invariant(numbers.length > 0, 'the greatest of no numbers');
  return numbers.reduce((greatest, number) => (number > greatest ? number : greatest));
}
