import type { Queryable } from './database.js';

/**
 * Allows pauses between the statements of a transaction until it ends: it may wait for another connection, a file, or the reader of its
 * output. The server may end sessions whose transaction is idle for a minute, and pools of requests request an even shorter time.
 */
export async function allowPauses(transaction: Queryable): Promise<void> {
  await transaction.query({
    name: 'allow_pauses',
    text: `SELECT set_config('idle_in_transaction_session_timeout', '1h', true)`,
    values: [],
  });
}
