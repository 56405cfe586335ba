import type { Queryable } from '../db/database.js';

/** Addresses that a transaction is about to take. */
interface WantedAddresses {
  /** Paths of links that are created, moved to another host or restored. */
  readonly paths?: readonly string[];
  /** Paths of aliases that links get, in their normal form. */
  readonly aliasPaths?: readonly string[];
}

/**
 * Locks addresses until the transaction ends: those of links in shared mode, those of aliases exclusively. Without the locks, a link and an
 * alias of another link could take the same address at the same time, because neither transaction sees what the other has not committed.
 * Look for conflicting rows in a later statement, whose snapshot is newer than the locks.
 *
 * Call this once per transaction, before it writes any row. Every call takes its locks in the same order, and a transaction that waits for
 * one holds nothing that another transaction with locks waits for. So no two calls can deadlock. Two calls come late: a second try of
 * generated paths, and the further rounds of an import with an `Idempotency-Key`, which is one transaction. If one of these conflicts with
 * another call, PostgreSQL aborts one of the two, which is answered with 503.
 */
export async function lockAddresses(
  transaction: Queryable,
  environmentId: string,
  { paths = [], aliasPaths = [] }: WantedAddresses,
): Promise<void> {
  if (paths.length + aliasPaths.length === 0) return;
  await transaction.query({
    name: 'lock_addresses',
    // Take the stronger lock at once if a link and an alias want the same address: two calls that upgraded their locks later would
    // deadlock.
    text: `SELECT CASE WHEN for_alias THEN pg_advisory_xact_lock(key) ELSE pg_advisory_xact_lock_shared(key) END
           FROM (
             SELECT address_lock($1, path) AS key, bool_or(for_alias) AS for_alias
             FROM (SELECT unnest($2::text[]) AS path, false AS for_alias UNION ALL SELECT unnest($3::text[]), true) AS wanted
             GROUP BY key ORDER BY key
           ) AS locks`,
    values: [environmentId, paths, aliasPaths],
  });
}

/**
 * Locks all addresses of the environment exclusively until the transaction ends, for a change of the hosts that links are shown on: it waits
 * for calls that take addresses, and those that come later wait for it and look at the hosts again. The rules of `lockAddresses` hold here
 * too. Host names are locked later (`lockHostNames`).
 */
export async function lockAllAddresses(transaction: Queryable, environmentId: string): Promise<void> {
  await transaction.query({
    name: 'lock_all_addresses',
    // The keys of the function `address_lock`.
    text: `SELECT pg_advisory_xact_lock(key)
           FROM (SELECT hashtextextended('addresses/' || $1::text, place) AS key FROM generate_series(0, 63) AS place ORDER BY key) AS locks`,
    values: [environmentId],
  });
}
