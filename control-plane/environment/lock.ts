import type { Queryable } from '../db/database.js';

/**
 * Until the transaction ends, blocks other transactions that count or compare the environment's objects before they create or rename one, so
 * that two of them cannot both create the last one that is allowed, nor wait for each other's name. NO KEY UPDATE lets others write rows that
 * refer to the environment, such as links, in the meantime.
 */
export async function lockObjectCounts(database: Queryable, environmentId: string): Promise<void> {
  await database.query({ text: 'SELECT 1 FROM environments WHERE id = $1 FOR NO KEY UPDATE', values: [environmentId] });
}
