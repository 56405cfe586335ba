import type { ClientBase } from 'pg';

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
