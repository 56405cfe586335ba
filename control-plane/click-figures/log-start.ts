import type { Queryable } from '../db/database.js';

/** When the oldest day of the click log begins. Earlier clicks were deleted or never existed, so they cannot be counted again. */
export async function readLogStart(database: Queryable): Promise<Date> {
  const { rows } = await database.query<{ first: Date | null }>({
    name: 'read_log_start',
    text: `SELECT to_date(min(right(relation.relname, 8)), 'YYYYMMDD')::timestamp AT TIME ZONE 'UTC' AS first
           FROM pg_inherits AS link JOIN pg_class AS relation ON relation.oid = link.inhrelid
           WHERE link.inhparent = 'clicks'::regclass AND relation.relname ~ '^clicks_[0-9]{8}$'`,
    values: [],
  });
  return rows[0]?.first ?? new Date();
}
