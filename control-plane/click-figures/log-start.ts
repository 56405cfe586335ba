import type { Queryable } from '../db/database.js';
import { dayPartitionsSql } from '../db/day-partitions.js';

/** When the oldest day of the click log begins. Earlier clicks were deleted or never existed, so they cannot be counted again. */
export async function readLogStart(database: Queryable): Promise<Date> {
  const { rows } = await database.query<{ first: Date | null }>({
    name: 'read_log_start',
    text: `SELECT min(day)::timestamp AT TIME ZONE 'UTC' AS first FROM ${dayPartitionsSql("'clicks'")} AS partition`,
    values: [],
  });
  return rows[0]?.first ?? new Date();
}
