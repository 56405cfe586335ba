import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseUnavailableError, type Queryable } from '../db/database.js';

/**
 * An engine is waited for while it is in touch with the database: it says so every two seconds. If the server itself came back a
 * moment ago, engines get the same time to be in touch again.
 */
const IN_TOUCH_SECONDS = 10;
const WAIT_MS_MAX = 5000;
/** Engines take some ten milliseconds. While no caller has waited for less than 20 ms, they are asked less often. */
const ASK_MS_MIN = 3;
const ASK_MS_MAX = 100;
const ASK_FACTOR = 0.15;

/**
 * Positions are given in the order of commits, which differs a little from that of the ids. Among so many rows after an engine's
 * position is the one with the lowest id that it has not followed.
 */
const ROWS_AHEAD = 1000;

interface Waiter {
  readonly sinceMs: number;
  /** The newest feed row when the caller's change had been committed; null before it was read. */
  feedId: number | null;
  resolve(): void;
  reject(error: unknown): void;
}

interface Progress {
  /** The newest row of the feed. */
  readonly newest: number;
  /** The newest row that every engine has followed, along with all rows before it. */
  readonly followed: number;
}

/**
 * An engine that has left shows nothing any more, and one that has followed nothing yet shows nothing so far. An engine of another
 * epoch has followed nothing of this feed.
 */
async function readProgress(database: Queryable): Promise<Progress> {
  const { rows } = await database.query<Progress>({
    name: 'read_feed_progress',
    text: `
      WITH newest AS MATERIALIZED (
        SELECT coalesce(max(id), 0) AS id FROM config_feed
      ), slowest AS MATERIALIZED (
        SELECT min(CASE WHEN starts_with(applied_epoch, state.epoch::text) THEN applied_position ELSE -1 END) AS position
        FROM engines, config_feed_state AS state
        WHERE left_at IS NULL AND applied_position IS NOT NULL
          AND greatest(heartbeat_at, pg_postmaster_start_time()) > now() - make_interval(secs => $1)
      )
      SELECT newest.id::float8 AS newest, least(
        newest.id,
        (SELECT min(id) - 1 FROM config_feed WHERE position IS NULL AND slowest.position IS NOT NULL),
        (SELECT min(id) - 1 FROM (
          SELECT id FROM config_feed WHERE position > slowest.position ORDER BY position LIMIT ${ROWS_AHEAD}
        ) AS ahead)
      )::float8 AS followed
      FROM newest, slowest`,
    values: [IN_TOUCH_SECONDS],
  });
  return rows[0] as Progress;
}

/**
 * Lets calls wait until link hosts act by their changes. One statement at a time serves all callers: the newest row of the feed
 * stands for what each of them has committed.
 */
export class FeedFollowers {
  readonly #database: Queryable;
  readonly #waiters = new Set<Waiter>();
  #asking = false;

  constructor(database: Queryable) {
    this.#database = database;
  }

  /**
   * Resolves when no engine that is in touch with the database shows anything of before a change that was committed, or after 5
   * seconds: an engine that is slower than that is not known to show something else. If the database becomes unavailable meanwhile,
   * resolves as well: the change is committed, and its call must not be answered as if it had failed.
   */
  untilFollowed(): Promise<void> {
    const waiting = new Promise<void>((resolve, reject) => {
      this.#waiters.add({ sinceMs: performance.now(), feedId: null, resolve, reject });
    });
    if (!this.#asking) void this.#ask();
    return waiting;
  }

  async #ask(): Promise<void> {
    this.#asking = true;
    while (this.#waiters.size > 0) {
      const asked = [...this.#waiters];
      try {
        this.#settle(asked, await readProgress(this.#database));
      } catch (error) {
        for (const waiter of asked) this.#end(waiter, error instanceof DatabaseUnavailableError ? null : error);
      }
      if (this.#waiters.size > 0) await delay(this.#pauseMs());
    }
    this.#asking = false;
  }

  #settle(asked: readonly Waiter[], { newest, followed }: Progress): void {
    const late = performance.now() - WAIT_MS_MAX;
    for (const waiter of asked) {
      waiter.feedId ??= newest;
      if (followed >= waiter.feedId || waiter.sinceMs < late) this.#end(waiter, null);
    }
  }

  #end(waiter: Waiter, error: unknown): void {
    this.#waiters.delete(waiter);
    if (error === null) waiter.resolve();
    else waiter.reject(error);
  }

  #pauseMs(): number {
    const newestMs = Math.max(...[...this.#waiters].map(({ sinceMs }) => sinceMs));
    return Math.min(ASK_MS_MAX, Math.max(ASK_MS_MIN, (performance.now() - newestMs) * ASK_FACTOR));
  }
}

/** Returns the function to call after a commit: it calls `feedChanged`, and resolves when link hosts act by the change. */
export function followChanges(database: Queryable, feedChanged: () => void): () => Promise<void> {
  const followers = new FeedFollowers(database);
  return () => {
    feedChanged();
    return followers.untilFollowed();
  };
}
