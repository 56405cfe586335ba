import { dayBefore } from '../../shared/base/day-ranges.js';
import type { Queryable } from '../db/database.js';
import type { Span } from './span.js';
import { daysOf } from './window.js';

/** Every offset from UTC and every clock change is a multiple of a quarter of an hour, and so every midnight falls on one. */
export const QUARTER_SECONDS = 900;
const QUARTERS_OF_DAY = 96;

/** The local day and hour of a quarter of an hour. */
export interface LocalQuarter {
  /** `2026-11-20` */
  readonly day: string;
  /** The quarter with which its hour begins, as a number of quarters since 1970. */
  readonly hour: number;
}

/** Maximum number of days of zones in memory: enough for all zones of the world over a week. */
const DAYS_KEPT_MAX = 4096;

/** Days and hours of time zones, read from PostgreSQL, because statistics are shown by the same function. */
export class LocalQuarters {
  /** By zone, and then by quarter of an hour since 1970. */
  readonly #zones = new Map<string, Map<number, LocalQuarter>>();
  /** Days (in UTC) and zones that have been fetched. */
  readonly #days = new Set<string>();

  /** The quarters of the zone that have been fetched. */
  of(zone: string): ReadonlyMap<number, LocalQuarter> {
    return this.#zones.get(zone) ?? NONE;
  }

  /** Fetches what is missing for clicks of the span. */
  async fetch(database: Queryable, zones: ReadonlySet<string>, span: Span): Promise<void> {
    const missing: { zone: string; at: string; key: string }[] = [];
    const days = daysOf({ from: dayBefore(span.from.getTime(), 0), to: dayBefore(span.to.getTime() - 1, 0) });
    for (const zone of zones)
      for (const day of days) {
        const key = `${day} ${zone}`;
        if (!this.#days.has(key)) missing.push({ zone, at: `${day}T00:00:00Z`, key });
      }
    if (missing.length === 0) return;
    if (this.#days.size > 0 && this.#days.size + missing.length > DAYS_KEPT_MAX) {
      this.#zones.clear();
      this.#days.clear();
      // What was in memory of this time is missing now as well.
      return this.fetch(database, zones, span);
    }
    const { rows } = await database.query<{ time_zone: string; quarter: number; day: string; hour: number }>({
      name: 'fetch_local_quarters',
      text: `
        SELECT time_zone, (extract(epoch FROM slot_at) / ${QUARTER_SECONDS})::integer AS quarter, day::text,
          (extract(epoch FROM hour_at) / ${QUARTER_SECONDS})::integer AS hour
        FROM unnest($1::text[], $2::timestamptz[]) AS wanted (time_zone, at)
        CROSS JOIN LATERAL local_slots(at, at + interval '15 minutes' * ${QUARTERS_OF_DAY - 1}, time_zone)`,
      values: [missing.map(({ zone }) => zone), missing.map(({ at }) => at)],
    });
    for (const { key } of missing) this.#days.add(key);
    for (const { time_zone, quarter, day, hour } of rows) {
      const quarters = this.#zones.get(time_zone) ?? new Map<number, LocalQuarter>();
      this.#zones.set(time_zone, quarters.set(quarter, { day, hour }));
    }
  }
}

const NONE: ReadonlyMap<number, LocalQuarter> = new Map();
