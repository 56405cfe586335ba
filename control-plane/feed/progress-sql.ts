import type { Queryable } from '../db/database.js';

/** An engine that has not followed a change in time. */
export interface LateEngine {
  readonly id: string;
  /** The end of the feed at that time. */
  readonly position: number;
}

/** Which engines are not waited for, besides those that have left or have followed nothing yet. */
export interface NotWaitedFor {
  /** Those that have been silent for so long; null for none. A server that came back a moment ago considers none silent. */
  readonly silentSeconds: number | null;
  readonly late: readonly LateEngine[];
}

export interface FeedProgress {
  /** The identity of the feed, as `feed_epoch` describes it. */
  readonly epoch: string;
  /** The newest change in the feed. */
  readonly newest: number;
  /** The newest change that every engine has followed, along with all before it. */
  readonly followed: number;
}

/**
 * Positions are given in the order of commits, which differs a little from that of the ids. Among so many of the newest changes is the one
 * with the lowest id that an engine has not followed; if that is the oldest of them, there may be others before it.
 */
const NEWEST_CHANGES = 200;

/**
 * Selects engines that are waited for. An engine that has left shows nothing any more. One that makes its first copy looks links up in
 * PostgreSQL, and may show for a second what it has looked up before.
 */
const WAITED_FOR = `
  left_at IS NULL AND applied_position IS NOT NULL
  AND ($1::float8 IS NULL OR greatest(heartbeat_at, pg_postmaster_start_time()) > now() - make_interval(secs => $1::float8))
  AND NOT EXISTS (
    SELECT FROM unnest($2::uuid[], $3::bigint[]) AS late (id, position)
    WHERE late.id = engines.id AND (applied_epoch <> feed.epoch OR applied_position < late.position)
  )`;

function parametersOf({ silentSeconds, late }: NotWaitedFor) {
  return [silentSeconds, late.map(({ id }) => id), late.map(({ position }) => position)];
}

/** An engine of another epoch has followed nothing of this feed. */
export async function readFeedProgress(database: Queryable, notWaitedFor: NotWaitedFor): Promise<FeedProgress> {
  const { rows } = await database.query<FeedProgress>({
    name: 'read_feed_progress',
    text: `
      WITH feed AS MATERIALIZED (
        SELECT feed_epoch() AS epoch, coalesce((SELECT max(id) FROM config_feed WHERE NOT is_creation), 0) AS newest
      ), slowest AS MATERIALIZED (
        SELECT min(CASE WHEN applied_epoch = feed.epoch THEN applied_position ELSE -1 END) AS position
        FROM engines, feed WHERE ${WAITED_FOR}
      ), changes AS MATERIALIZED (
        SELECT min(id) AS oldest, min(id) FILTER (WHERE changed.position IS NULL OR changed.position > slowest.position) AS ahead
        FROM slowest, (SELECT id, position FROM config_feed WHERE NOT is_creation ORDER BY id DESC LIMIT ${NEWEST_CHANGES}) AS changed
      )
      SELECT feed.epoch, feed.newest::float8 AS newest,
        (CASE WHEN slowest.position IS NULL OR ahead IS NULL THEN newest WHEN ahead > oldest THEN ahead - 1 ELSE 0 END)::float8 AS followed
      FROM feed, slowest, changes`,
    values: parametersOf(notWaitedFor),
  });
  return rows[0] as FeedProgress;
}

/** Returns the engines that are waited for and have not followed the change. */
export async function readLateEngines(database: Queryable, feedId: number, notWaitedFor: NotWaitedFor): Promise<readonly LateEngine[]> {
  const { rows } = await database.query<LateEngine>({
    name: 'read_late_engines',
    text: `
      WITH feed AS MATERIALIZED (SELECT feed_epoch() AS epoch, last_position FROM config_feed_state)
      SELECT engines.id, feed.last_position::float8 AS position
      FROM engines, feed
      WHERE ${WAITED_FOR}
        AND (applied_epoch <> feed.epoch OR applied_position < (SELECT position FROM config_feed WHERE id = $4))`,
    values: [...parametersOf(notWaitedFor), feedId],
  });
  return rows;
}
