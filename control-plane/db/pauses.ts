import type { Queryable } from './database.js';

/**
 * For the rest of a transaction that waits for something else between its statements: for what another connection reads, for a file,
 * for the reader of what it writes. The server may end sessions whose transaction is idle for a minute, and pools of requests ask for less.
 */
export async function allowPauses(transaction: Queryable): Promise<void> {
  await transaction.query({
    name: 'allow_pauses',
    text: `SELECT set_config('idle_in_transaction_session_timeout', '1h', true)`,
    values: [],
  });
}
