import { CLICK_SHARDS } from '../../../shared/base/limits.js';
import type { Queryable } from '../../db/database.js';
import { ALL_SHARDS } from '../shards.js';

/** The bytes of "figr", a number that nothing else in the database uses for locks. Counters hold this lock in shared mode. */
export const FIGURES_LOCK = 0x66696772;

/** Conditions on a row of `pg_locks`: an advisory lock in this database, and the lock that counters share, whose number is `$1`. */
export const IS_IN_DATABASE = `locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
export const IS_PRESENCE = `objsubid = 1 AND classid = 0 AND objid = $1 AND mode = 'ShareLock'`;

/**
 * Locks this session's share of the shards, and unlocks those it holds beyond that; each counting session has an equal share. Returns the
 * shards that it holds. These are session-level locks, so they end with the session.
 */
export async function takeShards(database: Queryable): Promise<readonly number[]> {
  const { counters, present, own, others } = await readCounters(database);
  if (!present)
    await database.query({ name: 'share_figures_lock', text: 'SELECT pg_advisory_lock_shared($1::bigint)', values: [FIGURES_LOCK] });
  const share = Math.ceil(CLICK_SHARDS / (counters + (present ? 0 : 1)));
  const surplus = own.slice(share);
  if (surplus.length > 0) await lockEach(database, 'pg_advisory_unlock', surplus);
  const free = ALL_SHARDS.filter((shard) => !own.includes(shard) && !others.includes(shard));
  const wanted = free.slice(0, Math.max(0, share - own.length));
  const taken = wanted.length === 0 ? [] : await lockEach(database, 'pg_try_advisory_lock', wanted);
  return [...own.slice(0, share), ...taken];
}

interface Counters {
  /** Number of counting sessions. */
  readonly counters: number;
  /** Whether this session is among them. */
  readonly present: boolean;
  /** Shards that this session holds, and shards that others hold. */
  readonly own: readonly number[];
  readonly others: readonly number[];
}

async function readCounters(database: Queryable): Promise<Counters> {
  const { rows } = await database.query<Counters>({
    name: 'read_click_counters',
    text: `
      WITH lock AS (
        SELECT pid = pg_backend_pid() AS own, objid::integer AS shard, objsubid = 1 AS is_presence
        FROM pg_locks
        WHERE ${IS_IN_DATABASE} AND granted AND ((${IS_PRESENCE}) OR (objsubid = 2 AND classid = $1))
      )
      SELECT count(*) FILTER (WHERE is_presence)::integer AS counters, coalesce(bool_or(is_presence AND own), false) AS present,
        coalesce(array_agg(shard ORDER BY shard) FILTER (WHERE NOT is_presence AND own), '{}') AS own,
        coalesce(array_agg(shard) FILTER (WHERE NOT is_presence AND NOT own), '{}') AS others
      FROM lock`,
    values: [FIGURES_LOCK],
  });
  return rows[0] as Counters;
}

/** Returns the shards for which the function returned true. */
async function lockEach(
  database: Queryable,
  lock: 'pg_try_advisory_lock' | 'pg_advisory_unlock',
  shards: readonly number[],
): Promise<readonly number[]> {
  const { rows } = await database.query<{ shard: number }>({
    text: `SELECT shard FROM unnest($2::integer[]) AS shard WHERE ${lock}($1::integer, shard)`,
    values: [FIGURES_LOCK, shards],
  });
  return rows.map(({ shard }) => shard);
}
