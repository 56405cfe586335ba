import type { ClientBase } from 'pg';
import type { ShippedSegment } from './lock-click-segments.js';

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
