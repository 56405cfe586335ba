import type { Queryable } from '../db/database.js';

/**
 * Holds back others that count or compare the environment's objects before they make one, until the transaction ends, so
 * that two at once cannot both be the last that is allowed. NO KEY UPDATE lets rows that refer to the environment, links
 * above all, be written meanwhile.
 */
export async function lockEnvironment(database: Queryable, environmentId: string): Promise<void> {
  await database.query({ text: 'SELECT 1 FROM environments WHERE id = $1 FOR NO KEY UPDATE', values: [environmentId] });
}
