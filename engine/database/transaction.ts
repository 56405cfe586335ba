import type { Pool, PoolClient } from 'pg';

/**
 * Runs `work` in a transaction on its own connection. Throws the errors of `work` and of the database. Then nothing was
 * changed, unless the commit itself failed.
 */
export async function inTransaction<Result>(pool: Pool, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    failure = error instanceof Error ? error : new Error('not an error', { cause: error });
    throw error;
  } finally {
    // A connection with a broken transaction is discarded rather than rolled back, because it may be the cause.
    client.release(failure);
  }
}
