import type { ClientBase } from 'pg';
import { columnsOf } from '../../database/columns.js';

/** Begins the count of segments that have none: nothing is stored of them yet. */
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

/** Writes down how far the segments are stored, in the transaction that stores the clicks. Their rows are locked. */
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
 * Says that nothing more will come from the segments. The rows stay behind for a while, so that a file that comes back from a
 * backup is not stored again; one that has come back is remembered for as long once more. The database's clock says when.
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
  /** Offset in the file up to which everything is stored; 0 before the first time. */
  readonly shipped_bytes: number;
  readonly shipped_clicks: number;
}

const SELECT_SHIPPED = `
  SELECT segment_id, shipped_bytes::float8 AS shipped_bytes, shipped_clicks::float8 AS shipped_clicks
  FROM click_segments WHERE segment_id = ANY ($1::uuid[])`;

/**
 * How far the segments are stored, with their rows locked to the end of the transaction: of two shippers on one segment
 * the second waits here and then sees what the first has stored. In the order of ids, so that two never wait for each
 * other.
 */
export async function lockClickSegments(client: ClientBase, segmentIds: readonly string[]): Promise<readonly ShippedSegment[]> {
  const { rows } = await client.query<ShippedSegment>({
    name: 'lock_click_segments',
    text: `${SELECT_SHIPPED} ORDER BY segment_id FOR UPDATE`,
    values: [segmentIds],
  });
  return rows;
}

/** Forgets segments, those of all hosts, that were finished longer ago than `keptMs` by the database's clock; returns how many. */
export async function pruneClickSegments(client: ClientBase, keptMs: number): Promise<number> {
  const { rowCount } = await client.query({
    name: 'prune_click_segments',
    text: `DELETE FROM click_segments WHERE finished_at < now() - $1::float8 * interval '1 millisecond'`,
    values: [keptMs],
  });
  return rowCount ?? 0;
}

/** How far the segments are stored, without a lock; a segment that the database knows nothing of is missing. */
export async function readClickSegments(client: ClientBase, segmentIds: readonly string[]): Promise<ReadonlyMap<string, ShippedSegment>> {
  const { rows } = await client.query<ShippedSegment>({
    name: 'read_click_segments',
    text: SELECT_SHIPPED,
    values: [segmentIds],
  });
  return new Map(rows.map((row) => [row.segment_id, row]));
}

/** Up to where a batch goes in one of its segments, which is to be stored in ClickHouse. */
export interface ClickIntent {
  readonly segment_id: string;
  readonly batch_id: string;
  readonly to_bytes: number;
  readonly to_clicks: number;
}

/** The intents of the oldest batch of those that the segments have under way. */
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

/** Writes the intents of a batch down. The segments' rows are locked. False if one of them has a batch under way already. */
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

/** Deletes the batch's intents for the segments, in the transaction that notes it as stored. False if one is not there any more. */
export async function deleteClickIntents(client: ClientBase, batchId: string, segmentIds: readonly string[]): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'delete_click_intents',
    text: 'DELETE FROM click_intents WHERE batch_id = $1 AND segment_id = ANY ($2::uuid[])',
    values: [batchId, segmentIds],
  });
  return rowCount === segmentIds.length;
}
