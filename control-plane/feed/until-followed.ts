import { DatabaseUnavailableError, type Queryable } from '../db/database.js';

/**
 * Changes wait for an engine only while it is in touch with the database, which it reports every two seconds. If the server itself
 * has just restarted, engines get the same time to report again.
 */
const IN_TOUCH_SECONDS = 10;
const WAIT_MS_MAX = 5000;
/** Engines take about ten milliseconds. If one takes longer, the intervals between checks grow. */
const ASK_AFTER_MS_FIRST = 2;
const ASK_AFTER_MS_MAX = 100;

/** Returns the id of the newest row of the feed; null if there is none. */
async function newestRow(database: Queryable): Promise<string | null> {
  const { rows } = await database.query<{ id: string | null }>({
    name: 'newest_feed_row',
    text: 'SELECT max(id) AS id FROM config_feed',
    values: [],
  });
  return rows[0]?.id ?? null;
}

/**
 * Whether every engine that is in touch has followed the feed up to the row. Ignores engines that have stopped, because they serve nothing
 * any more, and engines that have followed nothing yet, because they serve nothing so far.
 */
async function haveFollowed(database: Queryable, feedId: string): Promise<boolean> {
  const { rows } = await database.query<{ followed: boolean }>({
    name: 'engines_have_followed',
    text: `
      SELECT NOT EXISTS (
        SELECT FROM engines, config_feed AS fed, config_feed_state AS state
        WHERE fed.id = $1 AND left_at IS NULL AND applied_position IS NOT NULL
          AND greatest(heartbeat_at, pg_postmaster_start_time()) > now() - make_interval(secs => $2)
          AND (fed.position IS NULL OR NOT starts_with(applied_epoch, state.epoch::text) OR applied_position < fed.position)
      ) AS followed`,
    values: [feedId, IN_TOUCH_SECONDS],
  });
  return rows[0]?.followed ?? true;
}

/**
 * Resolves when no engine that is in touch with the database serves a state from before a committed change any more, or after 5 seconds,
 * in which case a slow engine may still serve it. If the database becomes unreachable, it resolves without waiting: the change is
 * committed, and its call must not be answered as if it had failed.
 *
 * The newest row of the feed represents all rows that were committed before it. A row gets its position after a newer one only if its
 * transaction was open while 10,000 others began and ended (`SWEPT_IDS_MARGIN` of the assigner). Such a change is not waited for.
 */
export async function untilFollowed(database: Queryable): Promise<void> {
  const end = performance.now() + WAIT_MS_MAX;
  try {
    const feedId = await newestRow(database);
    if (feedId === null) return;
    for (let waitMs = ASK_AFTER_MS_FIRST; performance.now() < end; waitMs = Math.min(1.5 * waitMs, ASK_AFTER_MS_MAX)) {
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      if (await haveFollowed(database, feedId)) return;
    }
  } catch (error) {
    if (!(error instanceof DatabaseUnavailableError)) throw error;
  }
}
