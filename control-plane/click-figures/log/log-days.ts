import type { Queryable } from '../../db/database.js';
import { dayPartitionsSql } from '../../db/day-partitions.js';
import type { Span } from '../../local-days/span.js';

/** When the oldest day of the click log begins. Earlier clicks were deleted or never existed, so they cannot be counted again. */
export async function readLogStart(database: Queryable): Promise<Date> {
  const { rows } = await database.query<{ first: Date | null }>({
    name: 'read_log_start',
    text: `SELECT min(day)::timestamp AT TIME ZONE 'UTC' AS first FROM ${dayPartitionsSql("'clicks'")} AS partition`,
    values: [],
  });
  return rows[0]?.first ?? new Date();
}

/** Returns the days of the log that are read for the range with their sizes in bytes, latest first. */
export async function readLogSizes(snapshot: Queryable, { from, to }: Span): Promise<readonly { day: string; bytes: number }[]> {
  const { rows } = await snapshot.query<{ day: string; bytes: number }>({
    name: 'read_log_sizes',
    text: `
      SELECT day::text, pg_relation_size(oid)::float8 AS bytes
      FROM ${dayPartitionsSql("'clicks'")} AS partition
      WHERE day BETWEEN ($1::timestamptz AT TIME ZONE 'UTC')::date AND ($2::timestamptz AT TIME ZONE 'UTC')::date
      ORDER BY day DESC`,
    values: [from, to],
  });
  return rows;
}
