import type { Queryable } from '../db/database.js';

/**
 * Destroys the hash keys of days whose clicks can no longer be attributed. Without its key, a hash of an address or a visitor
 * loses its meaning, wherever it has been copied. A day is over 12 hours after its end in UTC, when it ends in the westernmost
 * time zone of a project; then the longest attribution window of any environment has to pass.
 *
 * Clicks that arrive later than that, from a spool that could not be shipped, get new keys for their day. Their visitors count
 * as new ones, which is the price of the promise.
 */
export async function destroyOldHashKeys(database: Queryable): Promise<number> {
  const { rowCount } = await database.query({
    text: `DELETE FROM hash_keys
           WHERE day + interval '36 hours' + make_interval(mins => (SELECT coalesce(max(attribution_window_minutes), 0) FROM environments))
             <= now() AT TIME ZONE 'UTC'`,
    values: [],
  });
  return rowCount;
}
