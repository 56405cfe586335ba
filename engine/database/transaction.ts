import type { Pool, PoolClient } from 'pg';

/** Runs `work` in a transaction on a connection of its own. Throws what `work` or the database throws; then nothing was done, unless it was the commit that failed. */
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
    // A connection with a broken transaction is thrown away rather than rolled back: it may be what broke.
    client.release(failure);
  }
}
