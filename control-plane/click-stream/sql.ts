import { LAST_EVENT_ID_BATCHES_MAX } from '../../shared/contract/schemas/click-stream.js';
import { shardOf } from '../click-figures/shards.js';
import { DatabaseUnavailableError, type Queryable } from '../db/database.js';
import type { PlacedBatch } from './position.js';
import { horizonOf, type Look, type StreamProgress, snapshotOf, snapshotText } from './progress.js';

/**
 * Identifies the server that assigned the transaction numbers, by its cluster and timeline. After a restore or a failover, which may have
 * lost commits, the same numbers are assigned again. Engines use the same to detect that their feed is a different one
 * (engine/sync/sql.ts). Any user may read it, and it fails on a standby.
 */
const SERVER = `(SELECT hashtextextended(system_identifier || left(pg_walfile_name(pg_current_wal_lsn()), 8), 0) & ((1::bigint << 40) - 1)
  FROM pg_control_system())::float8 AS server`;

interface LookRow {
  readonly server: number;
  readonly snapshot: string;
  readonly now_s: number;
}

interface StartRow extends LookRow {
  readonly batches: readonly string[];
  readonly xids: readonly string[];
}

/** Reads the position at which a stream of new clicks begins. */
export async function readStart(database: Queryable): Promise<StreamProgress> {
  const { rows } = await database.query<StartRow>({
    name: 'read_click_stream_start',
    text: `
      WITH look AS MATERIALIZED (SELECT pg_current_snapshot() AS snapshot),
      batch AS (
        SELECT batch_id, xid FROM click_log_batches WHERE xid >= (SELECT pg_snapshot_xmin(snapshot) FROM look)
        ORDER BY xid DESC, batch_id DESC LIMIT $1
      )
      SELECT ${SERVER}, snapshot::text AS snapshot, extract(epoch FROM now())::float8 AS now_s,
        ARRAY(SELECT batch_id::text FROM batch ORDER BY xid, batch_id) AS batches,
        ARRAY(SELECT xid::text FROM batch ORDER BY xid, batch_id) AS xids
      FROM look`,
    values: [LAST_EVENT_ID_BATCHES_MAX],
  });
  const { server, snapshot, now_s, batches, xids } = rows[0] as StartRow;
  const ended = snapshotOf(snapshot);
  const seen = new Map(batches.map((batch, at) => [BigInt(batch), BigInt(xids[at] as string)]));
  return { position: { server, xid: horizonOf(ended), seen, at_s: Math.floor(now_s) }, ended, rest: null };
}

export interface ClickBatch extends PlacedBatch {
  readonly from_at: Date;
  readonly to_at: Date;
  readonly shards: readonly number[];
}

export interface BatchPage {
  /** The look in which they were seen: the one that is being continued, or a new one. */
  readonly look: Look;
  /** In the order of their transactions. */
  readonly batches: readonly ClickBatch[];
}

interface BatchRow extends LookRow {
  readonly batch_id: string | null;
  readonly xid: string;
  readonly shards: readonly number[];
  readonly from_at: Date;
  readonly to_at: Date;
  readonly stored_s: number;
}

/**
 * Reads the next batches, with clicks of any environment: those of transactions that had not begun at the last look, and of those that had
 * not ended. Both are found by the index, so that batches read since the oldest transaction began are not scanned again each time.
 */
export async function readBatches(database: Queryable, { position, ended, rest }: StreamProgress, limit: number): Promise<BatchPage> {
  const after = rest?.after ?? { xid: 0n, batch_id: 0n };
  const isNext = `(xid, batch_id) > ($3::xid8, $4::bigint) AND (batch_id, xid) NOT IN (SELECT * FROM unnest($5::bigint[], $6::xid8[]))
    AND pg_visible_in_snapshot(xid, (SELECT snapshot FROM look)) ORDER BY xid, batch_id LIMIT $8`;
  const { rows } = await database.query<BatchRow>({
    name: 'read_click_log_batches',
    text: `
      WITH look AS MATERIALIZED (SELECT coalesce($7::text::pg_snapshot, pg_current_snapshot()) AS snapshot),
      ended AS (SELECT * FROM click_log_batches WHERE xid = ANY ($1::xid8[]) AND ${isNext}),
      begun AS (SELECT * FROM click_log_batches WHERE xid >= $2::xid8 AND ${isNext})
      SELECT ${SERVER}, snapshot::text AS snapshot, extract(epoch FROM now())::float8 AS now_s, batch_id, batch.xid::text AS xid,
        shards::integer[] AS shards, from_at, to_at, extract(epoch FROM stored_at)::float8 AS stored_s
      FROM look LEFT JOIN (
        SELECT * FROM ended UNION ALL SELECT * FROM begun ORDER BY xid, batch_id LIMIT $8
      ) AS batch ON true
      ORDER BY batch.xid, batch_id`,
    values: [
      ended.underWay.map(String),
      String(ended.next),
      String(after.xid),
      String(after.batch_id),
      [...position.seen.keys()].map(String),
      [...position.seen.values()].map(String),
      rest === null ? null : snapshotText(rest.look.snapshot),
      limit,
    ],
  });
  const { server, snapshot, now_s } = rows[0] as BatchRow;
  const batches = rows
    .filter((row) => row.batch_id !== null)
    .map((row) => ({ ...row, batch_id: BigInt(row.batch_id as string), xid: BigInt(row.xid) }));
  const look = rest?.look ?? { snapshot: snapshotOf(snapshot), now_s };
  // The transactions of another server have the same numbers as others that were read.
  if (server !== position.server || look.snapshot.next < ended.next)
    throw new DatabaseUnavailableError('another server took over, and may lack what was read of the log');
  return { look, batches };
}

export function holdsClicksOf({ shards }: ClickBatch, environmentNumber: number): boolean {
  return shards.includes(shardOf(environmentNumber));
}

/** Returns which of the keys may still read clicks. */
export async function readUsableKeys(database: Queryable, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await database.query<{ id: string }>({
    name: 'read_keys_of_streams',
    text: `SELECT id FROM api_keys WHERE id = ANY ($1) AND revoked_at IS NULL AND 'analytics:read' = ANY (scopes)`,
    values: [ids],
  });
  return new Set(rows.map(({ id }) => id));
}

/** Deletes batches from which no stream resumes any more. Returns how many. */
export async function forgetClickLogBatches(database: Queryable, secondsKept: number, rowsMax: number): Promise<number> {
  const { rowCount } = await database.query({
    text: `DELETE FROM click_log_batches WHERE batch_id IN (
             SELECT batch_id FROM click_log_batches WHERE stored_at < now() - make_interval(secs => $1) ORDER BY stored_at LIMIT $2)`,
    values: [secondsKept, rowsMax],
  });
  return rowCount;
}
