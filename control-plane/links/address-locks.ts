import type { Queryable } from '../db/database.js';

/** Addresses that a transaction is about to take. */
interface WantedAddresses {
  /** Of links that are made, moved to another host or brought back. */
  readonly paths?: readonly string[];
  /** Of aliases that are given, in their normal form. */
  readonly aliasPaths?: readonly string[];
}

/**
 * Locks addresses until the transaction ends: those of links in share, those of aliases exclusively. Without the locks a link and an alias
 * of another one could take one address at once, since neither transaction sees what the other has not committed. What is in the way
 * is to be looked for in a later statement, whose snapshot is newer than the locks.
 *
 * To be called once in a transaction, before it writes any row: locks are taken in one order, and a transaction that waits for one holds
 * nothing that another one with locks waits for. So no two calls wait for each other in a circle. Two rare ones come late: a second try of
 * generated paths, and a bulk call with an idempotency key that has freed the path of a link deleted long ago. If such a call does meet
 * another one, PostgreSQL ends one of both, which is answered with 503.
 */
export async function lockAddresses(
  transaction: Queryable,
  environmentId: string,
  { paths = [], aliasPaths = [] }: WantedAddresses,
): Promise<void> {
  if (paths.length + aliasPaths.length === 0) return;
  await transaction.query({
    name: 'lock_addresses',
    // The stronger lock at once where both want the same one: two calls that made theirs stronger later would wait for each other.
    text: `SELECT CASE WHEN for_alias THEN pg_advisory_xact_lock(key) ELSE pg_advisory_xact_lock_shared(key) END
           FROM (
             SELECT address_lock($1, path) AS key, bool_or(for_alias) AS for_alias
             FROM (SELECT unnest($2::text[]) AS path, false AS for_alias UNION ALL SELECT unnest($3::text[]), true) AS wanted
             GROUP BY key ORDER BY key
           ) AS locks`,
    values: [environmentId, paths, aliasPaths],
  });
}
