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
