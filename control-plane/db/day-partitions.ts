import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, isLockTimeout, type Queryable } from './database.js';

/**
 * How long a statement that creates or drops days waits for its lock, how often it is tried, and the pause between two tries. While it
 * waits for its lock, all other statements on the table wait behind it, including those that store the clicks of every host.
 */
const LOCK_TIMEOUT_MS = 200;
const TRIES = 8;
const PAUSE_MS = 500;

/**
 * The day partitions of a table with their days (UTC), as SQL with the columns `oid`, `name` and `day`. `parent` is an expression for the
 * name of the table.
 */
export function dayPartitionsSql(parent: string): string {
  return `(
    SELECT relation.oid, relation.relname AS name, to_date(right(relation.relname, 8), 'YYYYMMDD') AS day
    FROM pg_inherits AS link
    JOIN pg_class AS relation ON relation.oid = link.inhrelid
    WHERE link.inhparent = to_regclass(${parent}) AND relation.relname ~ ('^' || ${parent} || '_[0-9]{8}$')
  )`;
}

interface DropOptions {
  /** Waits between two tries. */
  readonly wait?: (milliseconds: number) => Promise<unknown>;
}

/**
 * Drops the partitions of a table that are older than `daysKept` days (UTC). Throws `DatabaseUnavailableError` if one of them is
 * in use at every try.
 */
export async function dropDayPartitions(
  database: Database,
  parent: string,
  daysKept: number,
  { wait = sleep }: DropOptions = {},
): Promise<void> {
  while (await inShortTries(database, (transaction) => dropOldestDay(transaction, parent, daysKept), wait));
}

/** Returns false if no partition is older. Each is dropped in a transaction of its own, because that locks the whole table. */
async function dropOldestDay(transaction: Database, parent: string, daysKept: number): Promise<boolean> {
  // The lock of `ensure_day_partition`. Of two processes that drop the same partition, the second fails with an error of the catalogue.
  await transaction.query({ text: `SELECT pg_advisory_xact_lock(hashtextextended('day_partitions:' || $1, 0))`, values: [parent] });
  const { rows } = await transaction.query<{ drop: string }>({
    text: `
      SELECT format('DROP TABLE %I', name) AS drop
      FROM ${dayPartitionsSql('$1')} AS partition
      WHERE day < (now() AT TIME ZONE 'UTC')::date - $2::integer
      ORDER BY day
      LIMIT 1`,
    values: [parent, daysKept],
  });
  const [oldest] = rows;
  if (oldest !== undefined) await transaction.query({ text: oldest.drop, values: [] });
  return oldest !== undefined;
}

/** Creates the missing partitions of a table, from yesterday to `daysAhead` days ahead (UTC). Throws as `dropDayPartitions` does. */
export async function makeDayPartitions(database: Database, parent: string, daysAhead: number): Promise<void> {
  const { rows } = await database.query<{ day: string }>({
    text: `
      SELECT day::date::text
      FROM generate_series((now() AT TIME ZONE 'UTC')::date - 1, (now() AT TIME ZONE 'UTC')::date + $2::integer, interval '1 day') AS day
      WHERE to_regclass($1 || '_' || to_char(day, 'YYYYMMDD')) IS NULL`,
    values: [parent, daysAhead],
  });
  const days = rows.map(({ day }) => day);
  if (days.length === 0) return;
  await inShortTries(database, (transaction) => ensureDayPartitions(transaction, parent, days), sleep);
}

/** Creates those of the days (`2026-11-20`, UTC) that are missing. It locks the whole table until its transaction ends. */
export async function ensureDayPartitions(database: Queryable, parent: string, days: readonly string[]): Promise<void> {
  await database.query({
    name: 'ensure_day_partitions',
    text: 'SELECT ensure_day_partition($1, day) FROM unnest($2::date[]) AS day',
    values: [parent, days],
  });
}

async function inShortTries<Result>(
  database: Database,
  work: (transaction: Database) => Promise<Result>,
  wait: (milliseconds: number) => Promise<unknown>,
): Promise<Result> {
  for (let tries = 1; ; tries++)
    try {
      return await database.transaction(async (transaction) => {
        await transaction.query({ text: `SELECT set_config('lock_timeout', $1, true)`, values: [`${LOCK_TIMEOUT_MS}ms`] });
        return await work(transaction);
      });
    } catch (error) {
      if (!isLockTimeout(error) || tries === TRIES) throw error;
      await wait(PAUSE_MS);
    }
}
