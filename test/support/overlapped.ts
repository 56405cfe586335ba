import type { Database } from '../../control-plane/db/database.js';
import { until } from './until.js';

/** Work on a database, in a transaction or not. */
export type Work<Result> = (database: Database) => Promise<Result>;

/**
 * Runs the first work in a transaction, then the second one at the same time, and ends that transaction only when the
 * second work has ended or waits for a lock. `rollback` rolls it back. The pool needs three connections.
 */
export async function overlapped<First, Second>(
  database: Database,
  first: Work<First>,
  second: Work<Second>,
  { rollback = false } = {},
): Promise<readonly [First, Second]> {
  let end = () => {};
  const ending = new Promise<void>((resolve) => {
    end = resolve;
  });
  let whole: Promise<void> = Promise.resolve();
  const done = await new Promise<First>((resolve, reject) => {
    whole = database.transaction(async (transaction) => {
      resolve(await first(transaction));
      await ending;
      if (rollback) throw new RolledBack();
    });
    whole.catch(reject);
  });
  let ended = false;
  const other = second(database).finally(() => {
    ended = true;
  });
  try {
    await until(async () => ended || (await waitsForLock(database)), 'the second work to end or to wait for a lock');
  } finally {
    end();
  }
  await whole.catch((error: unknown) => {
    if (!(error instanceof RolledBack)) throw error;
  });
  return [done, await other];
}

class RolledBack extends Error {}

/** Whether a session on the database waits for a lock. */
export async function waitsForLock(database: Database): Promise<boolean> {
  const { rowCount } = await database.query({
    text: `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    values: [],
  });
  return rowCount > 0;
}

/** Runs `beside` before one of the statements of the transactions, and goes on once it has ended or waits for a lock. */
export function interrupted(
  at: Database,
  place: number,
  beside: Work<unknown>,
): { readonly database: Database; readonly other: () => Promise<unknown> } {
  let statements = 0;
  let other: Promise<unknown> | undefined;
  const begin = async (): Promise<void> => {
    let ended = false;
    other = beside(at).finally(() => {
      ended = true;
    });
    other.catch(() => undefined);
    await until(async () => ended || (await waitsForLock(at)), 'the work to end or to wait for a lock');
  };
  const within = (transaction: Database): Database => ({
    ...transaction,
    transaction: (work) => work(within(transaction)),
    query: async (statement) => {
      if (statements++ === place) await begin();
      return transaction.query(statement);
    },
  });
  return { database: { ...at, transaction: (work) => at.transaction((own) => work(within(own))) }, other: async () => other };
}
