import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../shared/base/log.js';
import type { Queryable } from '../db/database.js';
import { type FeedProgress, type LateEngine, readFeedProgress, readLateEngines } from './progress-sql.js';

/**
 * An engine is waited for while it is in touch with the database: it says so every two seconds. After a failover this process gives all
 * engines the same time to be in touch again.
 */
export const IN_TOUCH_SECONDS = 10;
const WAIT_MS_MAX = 5000;
/** Engines take some ten milliseconds. While no caller has waited for less than 20 ms, they are asked less often. */
const ASK_MS_MIN = 3;
const ASK_MS_MAX = 100;
const ASK_FACTOR = 0.15;

interface Waiter {
  readonly sinceMs: number;
  /** The newest change when the caller's own had been committed; null before it was read. */
  feedId: number | null;
  resolve(): void;
}

/**
 * Lets calls wait until link hosts act by their changes. One statement at a time serves all callers: the newest change in the feed
 * stands for what each of them has committed.
 */
export class FeedFollowers {
  readonly #database: Queryable;
  readonly #log: Logger;
  readonly #waiters = new Set<Waiter>();
  /** Engines that a call has waited for in vain. No other call waits for one of them until it has followed what it was late with. */
  readonly #late = new Map<string, LateEngine>();
  #asking = false;
  #epoch: string | null = null;
  #epochSinceMs = Number.NEGATIVE_INFINITY;

  constructor(database: Queryable, log: Logger) {
    this.#database = database;
    this.#log = log;
  }

  /**
   * Resolves when no engine that is in touch with the database shows anything of before a change that was committed, or after 5
   * seconds. If PostgreSQL cannot be asked, resolves as well: the change is committed, and its call must not be answered as if it had
   * failed.
   */
  untilFollowed(): Promise<void> {
    const waiting = new Promise<void>((resolve) => {
      this.#waiters.add({ sinceMs: performance.now(), feedId: null, resolve });
    });
    if (!this.#asking) void this.#ask();
    return waiting;
  }

  async #ask(): Promise<void> {
    this.#asking = true;
    while (this.#waiters.size > 0) {
      const asked = [...this.#waiters];
      try {
        await this.#settle(asked, await readFeedProgress(this.#database, this.#notWaitedFor()));
      } catch (error) {
        this.#log.warn(
          { code: 'feed_progress_unknown', err: error },
          'changes are answered although it is unknown whether link hosts act by them',
        );
        for (const waiter of asked) this.#end(waiter);
      }
      if (this.#waiters.size > 0) await delay(this.#pauseMs());
    }
    this.#asking = false;
  }

  #notWaitedFor() {
    const wasFailover = performance.now() - this.#epochSinceMs < 1000 * IN_TOUCH_SECONDS;
    return { silentSeconds: wasFailover ? null : IN_TOUCH_SECONDS, late: [...this.#late.values()] };
  }

  async #settle(asked: readonly Waiter[], { epoch, newest, followed }: FeedProgress): Promise<void> {
    const isFailover = this.#isFailover(epoch);
    const late = performance.now() - WAIT_MS_MAX;
    let overdue = Number.POSITIVE_INFINITY;
    for (const waiter of asked) {
      waiter.feedId ??= newest;
      if (followed >= waiter.feedId && !isFailover) this.#end(waiter);
      else if (waiter.sinceMs < late) {
        overdue = Math.min(overdue, waiter.feedId);
        this.#end(waiter);
      }
    }
    if (Number.isFinite(overdue)) await this.#noteLate(overdue);
  }

  /** Whether the server is another one than in the answer before. Engines that have not connected to it yet are waited for from now on. */
  #isFailover(epoch: string): boolean {
    const before = this.#epoch;
    this.#epoch = epoch;
    if (before === null || before === epoch) return false;
    this.#epochSinceMs = performance.now();
    return true;
  }

  async #noteLate(feedId: number): Promise<void> {
    const engines = await readLateEngines(this.#database, feedId, this.#notWaitedFor());
    for (const engine of engines) {
      this.#late.set(engine.id, engine);
      this.#log.warn(
        { code: 'link_host_late', engine: engine.id },
        'a link host has not followed a change for 5 seconds; changes are answered without it until it has',
      );
    }
  }

  #end(waiter: Waiter): void {
    this.#waiters.delete(waiter);
    waiter.resolve();
  }

  #pauseMs(): number {
    const newestMs = Math.max(...[...this.#waiters].map(({ sinceMs }) => sinceMs));
    return Math.min(ASK_MS_MAX, Math.max(ASK_MS_MIN, (performance.now() - newestMs) * ASK_FACTOR));
  }
}
