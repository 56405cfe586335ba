import { setTimeout as wait } from 'node:timers/promises';
import type { Queryable } from '../../db/database.js';
import { LOOK_AGAIN_MS, shardsOfAll } from './shard-locks.js';
import { FIGURES_LOCK, IS_IN_DATABASE, IS_PRESENCE } from './shard-shares.js';

/** A counter that finds shards locked looks again within this time (jobs/counting.ts). */
const TURN_MS = 2_500;

/** Time between two turns given by work that locks shards in many short transactions. */
const BETWEEN_TURNS_MS = 5_000;

/**
 * Called between two of many transactions that lock the shards of the environments. Waits until a counter has had its turn, in which it
 * keeps the shards locked until it has counted. Returns at once if there is no counter, or nothing to count.
 */
export async function giveTurn(database: Queryable, environmentNumbers: readonly number[] | null): Promise<void> {
  const shards = shardsOfAll(environmentNumbers);
  const untilMs = performance.now() + TURN_MS;
  const oldest = await oldestWaiting(database, shards);
  while (oldest !== null && performance.now() < untilMs) {
    await wait(LOOK_AGAIN_MS);
    if ((await oldestWaiting(database, shards)) !== oldest) return;
  }
}

/** Returns the oldest batch of the shards; null if none is waiting, or if there is no counter. */
async function oldestWaiting(database: Queryable, shards: readonly number[]): Promise<string | null> {
  const { rows } = await database.query<{ batch_id: string | null }>({
    name: 'oldest_click_batch',
    text: `SELECT min(batch_id) AS batch_id FROM click_batches
           WHERE shard = ANY ($2::integer[]) AND EXISTS (
             SELECT FROM pg_locks WHERE ${IS_IN_DATABASE} AND granted AND ${IS_PRESENCE})`,
    values: [FIGURES_LOCK, shards],
  });
  return rows[0]?.batch_id ?? null;
}

/** Returns a function to call between short transactions. It gives a turn if the last one was `BETWEEN_TURNS_MS` ago or more. */
export function givingTurns(database: Queryable, environmentNumbers: readonly number[]): () => Promise<void> {
  let lastMs = performance.now();
  return async () => {
    if (performance.now() < lastMs + BETWEEN_TURNS_MS) return;
    await giveTurn(database, environmentNumbers);
    lastMs = performance.now();
  };
}
