import type { ClientBase } from 'pg';
import { columnsOf } from '../../database/columns.js';

/** Adds a count to segments that have none. Nothing of them is stored yet. */
export async function addClickSegments(client: ClientBase, segmentIds: readonly string[]): Promise<void> {
  await client.query({
    name: 'add_click_segments',
    text: `
      INSERT INTO click_segments (segment_id, shipped_bytes, shipped_clicks)
      SELECT id, 0, 0 FROM unnest($1::uuid[]) AS id ORDER BY id
      ON CONFLICT (segment_id) DO NOTHING`,
    values: [segmentIds],
  });
}

/** Records how far the segments are stored, in the transaction that stores the clicks. The caller has locked their rows. */
export async function advanceClickSegments(client: ClientBase, segments: readonly ShippedSegment[]): Promise<void> {
  await client.query({
    name: 'advance_click_segments',
    text: `
      UPDATE click_segments AS segment
      SET shipped_bytes = given.shipped_bytes, shipped_clicks = given.shipped_clicks
      FROM unnest($1::uuid[], $2::bigint[], $3::bigint[]) AS given (segment_id, shipped_bytes, shipped_clicks)
      WHERE segment.segment_id = given.segment_id`,
    values: columnsOf(segments, 'segment_id', 'shipped_bytes', 'shipped_clicks'),
  });
}

/**
 * Records that nothing more will come from the segments. The rows are kept for a while, so that a file restored from a backup
 * is not stored again. If that happens, its segment is remembered for the same time again. The database's clock decides.
 */
export async function finishClickSegments(client: ClientBase, segmentIds: readonly string[]): Promise<void> {
  await client.query({
    name: 'finish_click_segments',
    text: 'UPDATE click_segments SET finished_at = now() WHERE segment_id = ANY ($1::uuid[])',
    values: [segmentIds],
  });
}

export interface ShippedSegment {
  readonly segment_id: string;
  /** Offset in the file up to which everything is stored; 0 before anything is. */
  readonly shipped_bytes: number;
  readonly shipped_clicks: number;
}

const SELECT_SHIPPED = `
  SELECT segment_id, shipped_bytes::float8 AS shipped_bytes, shipped_clicks::float8 AS shipped_clicks
  FROM click_segments WHERE segment_id = ANY ($1::uuid[])`;

/**
 * Returns how far the segments are stored, and locks their rows until the end of the transaction. If two shippers work on one
 * segment, the second waits here and then sees what the first has stored. Rows are locked in the order of their ids, so that
 * shippers cannot deadlock.
 */
export async function lockClickSegments(client: ClientBase, segmentIds: readonly string[]): Promise<readonly ShippedSegment[]> {
  const { rows } = await client.query<ShippedSegment>({
    name: 'lock_click_segments',
    text: `${SELECT_SHIPPED} ORDER BY segment_id FOR UPDATE`,
    values: [segmentIds],
  });
  return rows;
}

/** Deletes the segments of all hosts that were finished more than `keptMs` ago by the database's clock. Returns how many. */
export async function pruneClickSegments(client: ClientBase, keptMs: number): Promise<number> {
  const { rowCount } = await client.query({
    name: 'prune_click_segments',
    text: `DELETE FROM click_segments WHERE finished_at < now() - $1::float8 * interval '1 millisecond'`,
    values: [keptMs],
  });
  return rowCount ?? 0;
}

/** Returns how far the segments are stored, without a lock. Segments that the database does not know are missing. */
export async function readClickSegments(client: ClientBase, segmentIds: readonly string[]): Promise<ReadonlyMap<string, ShippedSegment>> {
  const { rows } = await client.query<ShippedSegment>({
    name: 'read_click_segments',
    text: SELECT_SHIPPED,
    values: [segmentIds],
  });
  return new Map(rows.map((row) => [row.segment_id, row]));
}

/** How far into one of its segments a batch goes that is to be stored in ClickHouse. */
export interface ClickIntent {
  readonly segment_id: string;
  readonly batch_id: string;
  readonly to_bytes: number;
  readonly to_clicks: number;
}

/** Returns the intents of the oldest batch that is under way for the segments. */
export async function readClickIntents(client: ClientBase, segmentIds: readonly string[]): Promise<readonly ClickIntent[]> {
  const { rows } = await client.query<ClickIntent>({
    name: 'read_click_intents',
    text: `
      SELECT segment_id, batch_id, to_bytes::float8 AS to_bytes, to_clicks::float8 AS to_clicks
      FROM click_intents WHERE segment_id = ANY ($1::uuid[]) ORDER BY made_at, batch_id`,
    values: [segmentIds],
  });
  return rows.filter(({ batch_id }) => batch_id === rows[0]?.batch_id);
}

/** Records the intents of a batch. The caller has locked the segments' rows. Returns false if one of them already has a batch under way. */
export async function addClickIntents(client: ClientBase, intents: readonly ClickIntent[]): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'add_click_intents',
    text: `
      INSERT INTO click_intents (segment_id, batch_id, to_bytes, to_clicks)
      SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[])
      ON CONFLICT (segment_id) DO NOTHING`,
    values: columnsOf(intents, 'segment_id', 'batch_id', 'to_bytes', 'to_clicks'),
  });
  return rowCount === intents.length;
}

/**
 * Deletes the batch's intents for the segments, in the transaction that records it as stored. Returns false if one of them no
 * longer exists.
 */
export async function deleteClickIntents(client: ClientBase, batchId: string, segmentIds: readonly string[]): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'delete_click_intents',
    text: 'DELETE FROM click_intents WHERE batch_id = $1 AND segment_id = ANY ($2::uuid[])',
    values: [batchId, segmentIds],
  });
  return rowCount === segmentIds.length;
}
