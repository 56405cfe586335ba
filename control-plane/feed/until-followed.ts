import { DatabaseUnavailableError, type Queryable } from '../db/database.js';

/**
 * An engine is waited for while it is in touch with the database: it says so every two seconds. Where the server itself
 * came back a moment ago, engines get the same time to be in touch again.
 */
const IN_TOUCH_SECONDS = 10;
const WAIT_MS_MAX = 5000;
/** Engines take some ten milliseconds. One that takes longer is asked less often. */
const ASK_AFTER_MS_FIRST = 2;
const ASK_AFTER_MS_MAX = 100;

/** The newest row of the feed; null if there is none. */
async function newestRow(database: Queryable): Promise<string | null> {
  const { rows } = await database.query<{ id: string | null }>({
    name: 'newest_feed_row',
    text: 'SELECT max(id) AS id FROM config_feed',
    values: [],
  });
  return rows[0]?.id ?? null;
}

/**
 * Whether every engine that is in touch has followed the feed up to the row. One that has left shows nothing any more, and one that
 * has followed nothing yet shows nothing so far.
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
 * Resolves when no engine that is in touch with the database shows anything of before a change that was committed, or after 5 seconds:
 * an engine that is slower than that is not known to show something else. Where the database is away meanwhile, no engine is waited for:
 * the change is committed, and its call must not be answered as if it had failed.
 *
 * The newest row of the feed stands for all that were committed before it. A row gets its position after a newer one only if its
 * transaction was open while 10,000 others came and went (`SWEPT_IDS_MARGIN` of the assigner): such a change is not waited for.
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
