import type { Queryable } from '../../db/database.js';
import { shardOf } from '../shards.js';

/**
 * Returns the batches with clicks of the environment that wait to be counted, seldom more than a few. Statements on its clicks leave out what
 * is in this list. To leave out what is in the table of batches, PostgreSQL sorts all clicks by their batch, which takes longer than reading
 * them.
 */
export async function readWaitingBatches(snapshot: Queryable, environmentNumber: number): Promise<readonly string[]> {
  const { rows } = await snapshot.query<{ batch_id: string }>({
    name: 'read_waiting_batches',
    text: 'SELECT batch_id FROM click_batches WHERE shard = $1',
    values: [shardOf(environmentNumber)],
  });
  return rows.map(({ batch_id }) => batch_id);
}
