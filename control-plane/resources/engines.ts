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

/** Whether every engine that is in touch has followed the feed up to the row. One that has left shows nothing any more. */
async function haveFollowed(database: Queryable, feedId: number): Promise<boolean> {
  const { rows } = await database.query<{ followed: boolean }>({
    name: 'engines_have_followed',
    text: `
      SELECT NOT EXISTS (
        SELECT FROM engines, config_feed AS fed, config_feed_state AS state
        WHERE fed.id = $1 AND left_at IS NULL
          AND greatest(heartbeat_at, pg_postmaster_start_time()) > now() - make_interval(secs => $2)
          AND (fed.position IS NULL OR applied_position IS NULL OR NOT starts_with(applied_epoch, state.epoch::text) OR applied_position < fed.position)
      ) AS followed`,
    values: [feedId, IN_TOUCH_SECONDS],
  });
  return rows[0]?.followed ?? true;
}

/**
 * Resolves when no engine that is in touch with the database shows anything of before the feed row, or after 5 seconds:
 * an engine that is slower than that is not known to show something else. Where the database is away meanwhile nobody is waited for:
 * the row is committed, and the call must not be answered as if it had failed.
 */
export async function untilFollowed(database: Queryable, feedId: number): Promise<void> {
  const end = performance.now() + WAIT_MS_MAX;
  for (let waitMs = ASK_AFTER_MS_FIRST; performance.now() < end; waitMs = Math.min(2 * waitMs, ASK_AFTER_MS_MAX)) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    try {
      if (await haveFollowed(database, feedId)) return;
    } catch (error) {
      if (error instanceof DatabaseUnavailableError) return;
      throw error;
    }
  }
}
