import type { ClientBase } from 'pg';

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
    values: [
      segments.map((segment) => segment.segment_id),
      segments.map((segment) => segment.shipped_bytes),
      segments.map((segment) => segment.shipped_clicks),
    ],
  });
}

/** Says that nothing more will come from the segments. The rows stay behind for a while, so that a file that comes back from a backup is not stored again. */
export async function finishClickSegments(client: ClientBase, segmentIds: readonly string[], now: Date): Promise<void> {
  await client.query({
    name: 'finish_click_segments',
    text: 'UPDATE click_segments SET finished_at = $2 WHERE segment_id = ANY ($1::uuid[]) AND finished_at IS NULL',
    values: [segmentIds, now],
  });
}

export interface ShippedSegment {
  readonly segment_id: string;
  /** Offset in the file up to which everything is stored; 0 before the first time. */
  readonly shipped_bytes: number;
  readonly shipped_clicks: number;
}

/**
 * How far the segments are stored, with their rows locked to the end of the transaction: of two shippers on one segment
 * the second waits here and then sees what the first has stored. In the order of ids, so that two never wait for each
 * other.
 */
export async function lockClickSegments(client: ClientBase, segmentIds: readonly string[]): Promise<readonly ShippedSegment[]> {
  const { rows } = await client.query<ShippedSegment>({
    name: 'lock_click_segments',
    text: `
      SELECT segment_id, shipped_bytes::float8 AS shipped_bytes, shipped_clicks::float8 AS shipped_clicks
      FROM click_segments
      WHERE segment_id = ANY ($1::uuid[])
      ORDER BY segment_id
      FOR UPDATE`,
    values: [segmentIds],
  });
  return rows;
}

/** Forgets segments that were finished before `finishedBefore`; returns how many. */
export async function pruneClickSegments(client: ClientBase, finishedBefore: Date): Promise<number> {
  const { rowCount } = await client.query({
    name: 'prune_click_segments',
    text: 'DELETE FROM click_segments WHERE finished_at < $1',
    values: [finishedBefore],
  });
  return rowCount ?? 0;
}

/** How far the segments are stored, without a lock; a segment that the database knows nothing of is missing. */
export async function readClickSegments(client: ClientBase, segmentIds: readonly string[]): Promise<ReadonlyMap<string, ShippedSegment>> {
  const { rows } = await client.query<ShippedSegment>({
    name: 'read_click_segments',
    text: `
      SELECT segment_id, shipped_bytes::float8 AS shipped_bytes, shipped_clicks::float8 AS shipped_clicks
      FROM click_segments
      WHERE segment_id = ANY ($1::uuid[])`,
    values: [segmentIds],
  });
  return new Map(rows.map((row) => [row.segment_id, row]));
}
