import type { Queryable } from '../../db/database.js';
import type { StatsWindow } from '../../local-days/window.js';
import { shardSql } from '../shards.js';

/** How long a click may take to reach the log in normal operation. */
export const STORED_WITHIN_MS = 1_000;

/** Returns the moment up to which the stored clicks of the environment have been counted. */
export async function readAsOf(snapshot: Queryable, { environment_number }: StatsWindow): Promise<string> {
  const { rows } = await snapshot.query<{ as_of: Date }>({
    name: 'read_figures_as_of',
    text: `SELECT least(min(from_at), now() - interval '${STORED_WITHIN_MS} milliseconds') AS as_of FROM click_batches WHERE shard = ${shardSql('$1::integer')}`,
    values: [environment_number],
  });
  return (rows[0] as { as_of: Date }).as_of.toISOString();
}
