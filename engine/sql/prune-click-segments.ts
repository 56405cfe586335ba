import type { ClientBase } from 'pg';

/** Forgets segments that were finished before `finishedBefore`; answers how many. */
export async function pruneClickSegments(client: ClientBase, finishedBefore: Date): Promise<number> {
  const { rowCount } = await client.query({
    name: 'prune_click_segments',
    text: 'DELETE FROM click_segments WHERE finished_at < $1',
    values: [finishedBefore],
  });
  return rowCount ?? 0;
}
