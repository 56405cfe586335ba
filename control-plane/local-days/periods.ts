import type { Queryable } from '../db/database.js';
import type { StatsWindow } from './window.js';

/** An hour or a day in the project's time zone. */
export interface Period {
  readonly start: Date;
  /** The day to which it belongs. */
  readonly date: string;
}

/** Reads the hours or days of the window, oldest first; only those that have begun by `until`, if it is given. */
export async function readPeriods(
  database: Queryable,
  window: StatsWindow,
  interval: 'hour' | 'day',
  until: Date | null = null,
): Promise<readonly Period[]> {
  const { rows } = await database.query<Period>({
    name: 'read_stats_periods',
    text: `
      SELECT min(hour_at) AS start, day::text AS date
      FROM local_slots($1, $2, $3)
      WHERE day BETWEEN $4::date AND $5::date AND ($6::timestamptz IS NULL OR hour_at <= $6)
      GROUP BY day, CASE WHEN $7::boolean THEN hour_at END
      ORDER BY start`,
    values: [window.from_at, window.to_at, window.time_zone, window.from, window.to, until?.toISOString() ?? null, interval === 'hour'],
  });
  return rows;
}
