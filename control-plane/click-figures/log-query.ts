import type { Queryable } from '../db/database.js';
import type { Parameters } from './parameters.js';
import type { ClickCounts } from './sums.js';
import type { StatsWindow } from './window.js';

/** From the first instant on, before the second. */
export interface LogRange {
  readonly environment_number: number;
  readonly start: Date;
  readonly end: Date;
}

/** The instants at which the days of the window begin and end. */
export async function readLogRange(database: Queryable, window: StatsWindow): Promise<LogRange> {
  const { rows } = await database.query<{ start: Date; end: Date }>({
    name: 'read_log_range',
    text: `
      SELECT min(slot_at) FILTER (WHERE day >= $4::date) AS start, min(slot_at) FILTER (WHERE day > $5::date) AS end
      FROM local_slots($1, $2, $3)`,
    values: [window.from_at, window.to_at, window.time_zone, window.from, window.to],
  });
  return { environment_number: window.environment_number, ...(rows[0] as { start: Date; end: Date }) };
}

/** Clicks of one group, told apart by a value. */
export interface CountedGroup extends ClickCounts {
  readonly value: string | null;
}

interface GroupsWanted {
  readonly range: LogRange;
  /** SQL over the columns of `clicks`. */
  readonly conditions: readonly string[];
  /** What tells the groups apart, as SQL over the columns of `clicks`. */
  readonly key: string;
  /** The groups with most clicks of people. */
  readonly limit: number;
  /** The values that conditions and key name. */
  readonly parameters: Parameters;
}

/**
 * Counts clicks of the log. A visitor counts once in each group: the hash of one is another one on every day. Not prepared: planned with
 * the instants at hand, PostgreSQL opens the partitions of their days alone.
 */
export async function countGroups(
  snapshot: Queryable,
  { range, conditions, key, limit, parameters }: GroupsWanted,
): Promise<readonly CountedGroup[]> {
  const where = [
    `occurred_at >= ${parameters.add(range.start)}`,
    `occurred_at < ${parameters.add(range.end)}`,
    `environment_number = ${parameters.add(range.environment_number)}`,
    ...conditions,
  ];
  const { rows } = await snapshot.query<CountedGroup>({
    text: `
      SELECT value::text, sum(clicks)::float8 AS "all", sum(human)::float8 AS human, (count(*) FILTER (WHERE human > 0))::float8 AS "unique"
      FROM (
        SELECT ${key} AS value, visitor_hash, count(*) AS clicks, count(*) FILTER (WHERE NOT bot) AS human
        FROM clicks
        WHERE ${where.join(' AND ')}
        GROUP BY 1, 2
      ) AS visit
      GROUP BY value
      ORDER BY sum(human) DESC, sum(clicks) DESC, value
      LIMIT ${parameters.add(limit)}`,
    values: parameters.values,
  });
  return rows;
}

/** The days of the log that are read for the range, and how many bytes each has, latest first. */
export async function readLogSizes(snapshot: Queryable, { start, end }: LogRange): Promise<readonly { day: string; bytes: number }[]> {
  const { rows } = await snapshot.query<{ day: string; bytes: number }>({
    name: 'read_log_sizes',
    text: `
      SELECT day::text, pg_relation_size(oid)::float8 AS bytes
      FROM (
        SELECT relation.oid, to_date(right(relation.relname, 8), 'YYYYMMDD') AS day
        FROM pg_inherits AS link JOIN pg_class AS relation ON relation.oid = link.inhrelid
        WHERE link.inhparent = 'clicks'::regclass AND relation.relname ~ '^clicks_[0-9]{8}$'
      ) AS part
      WHERE day BETWEEN ($1::timestamptz AT TIME ZONE 'UTC')::date AND ($2::timestamptz AT TIME ZONE 'UTC')::date
      ORDER BY day DESC`,
    values: [start, end],
  });
  return rows;
}
