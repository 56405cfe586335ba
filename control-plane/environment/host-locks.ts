import type { Queryable } from '../db/database.js';

/**
 * Locks host names until the transaction ends, and with them the right to use them as a verified domain or as a host of an environment. No
 * constraint covers both, so a later statement, whose snapshot is newer than the locks, has to look for whether a name is taken. Call this
 * before anything but addresses (`lockAllAddresses`) is locked, so that no two transactions deadlock; only `leaveDomain` locks one more
 * name when it has the domain's row.
 */
export async function lockHostNames(transaction: Queryable, names: readonly string[]): Promise<void> {
  await transaction.query({
    name: 'lock_host_names',
    text: `SELECT pg_advisory_xact_lock(key)
           FROM (SELECT DISTINCT hashtextextended('domain/' || name, 0) AS key FROM unnest($1::text[]) AS name ORDER BY key) AS locks`,
    values: [names],
  });
}
