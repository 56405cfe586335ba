import type { ClientBase, QueryConfig } from 'pg';
import { invariant } from '../../shared/base/invariant.js';
import { FEED_CHANNEL } from '../../shared/feed/channel.js';

/** The bytes of "feed". This lock lets only one assigner at a time number rows, whatever the number of control planes. */
const FEED_LOCK = 0x6665_6564;

/** Maximum number of rows numbered in one transaction. It bounds how long the lock is held (10,000 rows take about 60 ms). */
const ASSIGN_ROWS_MAX = 10_000;

/** How long a round trip may take before the connection counts as dead. pg supports the option, but its types do not have it. */
const TIME_LIMIT = { query_timeout: 10_000 } satisfies { query_timeout: number };

export interface Assignment {
  /** The highest id that got a position; null if none did. */
  readonly lastId: number | null;
  readonly more: boolean;
}

/**
 * Gives positions to committed rows with an id of `fromId` or more that have none, and notifies: one statement, one
 * transaction, one round trip, with plans that PostgreSQL keeps (`number_feed` says how). Returns whether there may be
 * more. On an error the connection must be thrown away.
 */
export async function assignPositions(client: ClientBase, fromId = 0): Promise<Assignment> {
  const query: QueryConfig = {
    ...TIME_LIMIT,
    name: 'number_feed',
    text: 'SELECT numbered, last_id::float8 AS last_id FROM number_feed($1, $2, $3, $4)',
    values: [FEED_LOCK, FEED_CHANNEL, fromId, ASSIGN_ROWS_MAX],
  };
  const { rows } = await client.query<{ numbered: number; last_id: number | null }>(query);
  const row = rows[0];
  invariant(row !== undefined, 'number_feed answers with one row');
  return { lastId: row.last_id, more: row.numbered === ASSIGN_ROWS_MAX };
}

/** Maximum number of rows deleted in one transaction. */
const PRUNE_ROWS_MAX = 10_000;

/** Deletes up to `rowsMax` rows that are more than `rowsKept` behind the head, oldest first. Returns whether there are more. */
export async function pruneFeed(
  client: ClientBase,
  rowsKept: number,
  rowsMax = PRUNE_ROWS_MAX,
): Promise<{ readonly pruned: number; readonly more: boolean }> {
  const query: QueryConfig = {
    ...TIME_LIMIT,
    name: 'prune_feed',
    // Locks the state's row first, so that two assigners prune one after the other, the second from where the first ended.
    text: `WITH state AS (
             SELECT pruned_position, last_position - $1::bigint AS target, least(last_position - $1::bigint, pruned_position + $2::bigint) AS upto
             FROM config_feed_state WHERE last_position - $1::bigint > pruned_position FOR UPDATE
           ), gone AS (
             DELETE FROM config_feed USING state WHERE position > state.pruned_position AND position <= state.upto RETURNING 1
           ), moved AS (
             UPDATE config_feed_state SET pruned_position = state.upto FROM state
           )
           SELECT (SELECT count(*) FROM gone)::integer AS pruned, coalesce((SELECT upto < target FROM state), false) AS more`,
    values: [rowsKept, rowsMax],
  };
  const { rows } = await client.query<{ pruned: number; more: boolean }>(query);
  const row = rows[0];
  invariant(row !== undefined, 'pruning answers with one row');
  return row;
}
