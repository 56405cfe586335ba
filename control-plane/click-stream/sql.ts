import { ANY_SHARD, shardOf } from '../click-figures/shards.js';
import type { Queryable } from '../db/database.js';
import type { PlacedBatch, Position } from './position.js';

interface StartRow {
  readonly horizon: string;
  readonly next: string;
  readonly now_s: number;
  readonly batches: readonly string[];
  readonly xids: readonly string[];
}

/** Reads the position of somebody who wants what comes from now on, and `next`: a transaction that has not begun yet. */
export async function readStart(database: Queryable): Promise<{ readonly position: Position; readonly next: bigint }> {
  const { rows } = await database.query<StartRow>({
    name: 'read_click_stream_start',
    text: `
      WITH now AS MATERIALIZED (SELECT pg_current_snapshot() AS snapshot),
      batch AS (SELECT batch_id, xid FROM click_log_batches, now WHERE xid >= pg_snapshot_xmin(snapshot))
      SELECT pg_snapshot_xmin(snapshot)::text AS horizon, pg_snapshot_xmax(snapshot)::text AS next,
        extract(epoch FROM now())::float8 AS now_s,
        ARRAY(SELECT batch_id::text FROM batch ORDER BY batch_id) AS batches, ARRAY(SELECT xid::text FROM batch ORDER BY batch_id) AS xids
      FROM now`,
    values: [],
  });
  const { horizon, next, now_s, batches, xids } = rows[0] as StartRow;
  const seen = new Map(batches.map((batch, at) => [BigInt(batch), BigInt(xids[at] as string)]));
  return { position: { xid: BigInt(horizon), seen, at_s: Math.floor(now_s) }, next: BigInt(next) };
}

export interface ClickBatch extends PlacedBatch {
  readonly from_at: Date;
  readonly to_at: Date;
  readonly shards: readonly number[];
}

export interface BatchPage {
  /** The oldest transaction that was under way. */
  readonly horizon: bigint;
  readonly now_s: number;
  /** In the order of their transactions. */
  readonly batches: readonly ClickBatch[];
}

interface BatchRow {
  readonly horizon: string;
  readonly now_s: number;
  readonly batch_id: string | null;
  readonly xid: string;
  readonly shards: readonly number[];
  readonly from_at: Date;
  readonly to_at: Date;
  readonly stored_s: number;
}

/** Reads the next batches behind the position, with clicks of any environment. */
export async function readBatches(database: Queryable, { xid, seen }: Position, limit: number): Promise<BatchPage> {
  const { rows } = await database.query<BatchRow>({
    name: 'read_click_log_batches',
    text: `
      WITH now AS MATERIALIZED (SELECT pg_current_snapshot() AS snapshot)
      SELECT pg_snapshot_xmin(snapshot)::text AS horizon, extract(epoch FROM now())::float8 AS now_s, batch_id, batch.xid::text AS xid,
        shards::integer[] AS shards, from_at, to_at, extract(epoch FROM stored_at)::float8 AS stored_s
      FROM now LEFT JOIN (
        SELECT * FROM click_log_batches
        WHERE xid >= $1::xid8 AND (batch_id, xid) NOT IN (SELECT * FROM unnest($2::bigint[], $3::xid8[])) ORDER BY xid, batch_id LIMIT $4
      ) AS batch ON true
      ORDER BY batch.xid, batch_id`,
    values: [String(xid), [...seen.keys()].map(String), [...seen.values()].map(String), limit],
  });
  const { horizon, now_s } = rows[0] as BatchRow;
  const batches = rows
    .filter((row) => row.batch_id !== null)
    .map((row) => ({ ...row, batch_id: BigInt(row.batch_id as string), xid: BigInt(row.xid) }));
  return { horizon: BigInt(horizon), now_s, batches };
}

export function holdsClicksOf({ shards }: ClickBatch, environmentNumber: number): boolean {
  return shards.includes(ANY_SHARD) || shards.includes(shardOf(environmentNumber));
}

/** Which of the keys may still read clicks. */
export async function readUsableKeys(database: Queryable, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await database.query<{ id: string }>({
    name: 'read_keys_of_streams',
    text: `SELECT id FROM api_keys WHERE id = ANY ($1) AND revoked_at IS NULL AND 'analytics:read' = ANY (scopes)`,
    values: [ids],
  });
  return new Set(rows.map(({ id }) => id));
}

/** Deletes batches that no stream goes on from any more. Returns how many. */
export async function forgetClickLogBatches(database: Queryable, secondsKept: number, rowsMax: number): Promise<number> {
  const { rowCount } = await database.query({
    text: `DELETE FROM click_log_batches WHERE batch_id IN (
             SELECT batch_id FROM click_log_batches WHERE stored_at < now() - make_interval(secs => $1) ORDER BY stored_at LIMIT $2)`,
    values: [secondsKept, rowsMax],
  });
  return rowCount;
}
