import type { StatsWindow } from '../click-figures/window.js';
import type { Queryable } from '../db/database.js';
import type { Values } from './clickhouse-sql.js';

/** Days and hours as PostgreSQL computes them, by which clicks in ClickHouse are grouped. */

export interface Start {
  readonly start: Date;
  readonly date: string;
}

/** Returns when the days of the window, or their hours, begin, including those in the future. */
export async function readStarts(snapshot: Queryable, window: StatsWindow, hours: boolean): Promise<readonly Start[]> {
  const { rows } = await snapshot.query<Start>({
    name: 'read_starts',
    text: `
      SELECT min(slot_at) AS start, day::text AS date FROM local_slots($1, $2, $3)
      WHERE day BETWEEN $4::date AND $5::date
      GROUP BY day, CASE WHEN $6::boolean THEN hour_at END
      ORDER BY start`,
    values: [window.from_at, window.to_at, window.time_zone, window.from, window.to, hours],
  });
  return rows;
}

/** An expression for the last of the instants that is not after the click, in milliseconds. */
export function startSql(starts: readonly Pick<Start, 'start'>[], values: Values): string {
  const startsMs = starts.map(({ start }) => start.getTime());
  return `roundDown(toUnixTimestamp64Milli(occurred_at), ${values.add('Array(Int64)', startsMs)})`;
}

/** Days by the instants that `startSql` returns. */
export function datesOf(starts: readonly Start[]): ReadonlyMap<string, string> {
  return new Map(starts.map(({ start, date }) => [String(start.getTime()), date]));
}
