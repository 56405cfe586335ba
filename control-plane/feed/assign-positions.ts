import type { ClientBase, QueryConfig, QueryResult } from 'pg';
import { FEED_CHANNEL } from '../../shared/feed/channel.js';

/** One assigner at a time numbers rows, whatever the number of control planes: the bytes of "feed". */
const FEED_LOCK = 0x6665_6564;

/** Rows numbered in one transaction: bounds how long the lock is held (10,000 rows take some 60 ms). */
const ASSIGN_ROWS_MAX = 10_000;

/**
 * Four statements sent as one message, so that an assignment costs one round trip. They cannot be one statement: its
 * snapshot would be older than the lock, and two assigners would give one position twice.
 *
 * What is visible under the lock and has no position is numbered in the order of ids, from `last_position` on, without
 * gaps. A row of a transaction that commits later simply gets a later position; nothing can be overtaken, because a
 * position is given only to what is already committed. The one NOTIFY of the transaction stands for all its rows: sent
 * by each writer it would take PostgreSQL's one notification lock in each writer's commit.
 *
 * The commit is synchronous, whatever the server's default: engines remember positions for good.
 */
const ASSIGN = `
BEGIN;
SET LOCAL synchronous_commit = on;
SELECT pg_advisory_xact_lock(${FEED_LOCK});
WITH unassigned AS (
  SELECT id, row_number() OVER (ORDER BY id) AS rank
  FROM (SELECT id FROM config_feed WHERE position IS NULL ORDER BY id LIMIT ${ASSIGN_ROWS_MAX}) AS oldest
), assigned AS (
  UPDATE config_feed SET position = state.last_position + unassigned.rank
  FROM unassigned, config_feed_state AS state
  WHERE config_feed.id = unassigned.id
  RETURNING config_feed.position
), head AS (
  UPDATE config_feed_state SET last_position = last_position + (SELECT count(*) FROM assigned)
  WHERE EXISTS (SELECT FROM assigned)
  RETURNING last_position
)
SELECT (SELECT count(*) FROM assigned)::integer AS assigned,
  pg_notify('${FEED_CHANNEL}', json_build_object('position', last_position)::text)
FROM head;
COMMIT`;

/** Time a round trip may take before the connection counts as dead. pg knows the member, its types do not. */
const TIME_LIMIT = { query_timeout: 10_000 } satisfies { query_timeout: number };

const ASSIGN_MESSAGE: QueryConfig = { text: ASSIGN, ...TIME_LIMIT };

/** Gives positions to committed rows that have none, and notifies. Answers whether there may be more. On an error the connection must be thrown away. */
export async function assignPositions(client: ClientBase): Promise<{ readonly assigned: number; readonly more: boolean }> {
  // A message of several statements answers with one result for each.
  const results = (await client.query(ASSIGN_MESSAGE)) as unknown as QueryResult<{ assigned: number }>[];
  const assigned = results.find((result) => result.command === 'SELECT' && result.fields[0]?.name === 'assigned')?.rows[0]?.assigned ?? 0;
  return { assigned, more: assigned === ASSIGN_ROWS_MAX };
}

/** Rows deleted in one transaction. */
const PRUNE_ROWS_MAX = 10_000;

/** Removes rows further behind the head than `rowsKept`, oldest first. Answers whether there may be more. */
export async function pruneFeed(client: ClientBase, rowsKept: number): Promise<{ readonly pruned: number; readonly more: boolean }> {
  const query: QueryConfig = {
    ...TIME_LIMIT,
    name: 'prune_feed',
    // The state's row is locked first: two assigners prune one after the other, the second from where the first ended.
    text: `WITH state AS (
             SELECT pruned_position, least(last_position - $1::bigint, pruned_position + $2::bigint) AS upto
             FROM config_feed_state WHERE last_position - $1::bigint > pruned_position FOR UPDATE
           ), gone AS (
             DELETE FROM config_feed USING state WHERE position > state.pruned_position AND position <= state.upto RETURNING 1
           ), moved AS (
             UPDATE config_feed_state SET pruned_position = state.upto FROM state
           )
           SELECT count(*)::integer AS pruned FROM gone`,
    values: [rowsKept, PRUNE_ROWS_MAX],
  };
  const { rows } = await client.query<{ pruned: number }>(query);
  const pruned = rows[0]?.pruned ?? 0;
  return { pruned, more: pruned === PRUNE_ROWS_MAX };
}
