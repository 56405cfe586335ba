import type { ClientBase } from 'pg';

/** Says that nothing more will come from the segments. The rows stay behind for a while, so that a file that comes back from a backup is not stored again. */
export async function finishClickSegments(client: ClientBase, segmentIds: readonly string[], now: Date): Promise<void> {
  await client.query({
    name: 'finish_click_segments',
    text: 'UPDATE click_segments SET finished_at = $2 WHERE segment_id = ANY ($1::uuid[]) AND finished_at IS NULL',
    values: [segmentIds, now],
  });
}
