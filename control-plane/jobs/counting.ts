import { COUNTED_CLICKS } from '../../shared/base/limits.js';
import type { ClickStore } from '../click-store/click-store.js';
import type { Database } from '../db/database.js';
import { createPeriodicJob, type JobSurroundings, type PeriodicJob, type Round } from './periodic.js';

/** The work of the job. Each function does a part of what is due. */
export interface Counting {
  /** Counts the oldest waiting clicks. Returns how many; 0 if none are waiting. */
  count(nowMs: number): Promise<number>;
  /** Adds up the clicks of some links. Returns false if there is nothing to add up. */
  addUpLinks(nowMs: number): Promise<boolean>;
  /** Builds prefixes of long lists. Returns false if none are due. */
  makePrefix(nowMs: number): Promise<boolean>;
  /** Prepares the clicks of days for later calls, some at a time. Returns false if there is nothing to do. */
  countDays(nowMs: number): Promise<boolean>;
}

/** Returns the work of a click store: the thread does what the store does not do itself. */
export function countingOf(
  thread: Counting,
  { addUpLinks, sumDays }: Pick<ClickStore, 'addUpLinks' | 'sumDays'>,
  database: Database,
): Counting {
  return {
    count: (nowMs) => thread.count(nowMs),
    addUpLinks: (nowMs) => (addUpLinks === null ? thread.addUpLinks(nowMs) : addUpLinks(database, nowMs)),
    makePrefix: (nowMs) => thread.makePrefix(nowMs),
    countDays: (nowMs) => (sumDays === null ? thread.countDays(nowMs) : sumDays(database, nowMs)),
  };
}

interface CountingOptions extends JobSurroundings {
  readonly counting: Counting;
}

/** How often to look for waiting clicks. Statistics are behind by this, or by `IDLE_REST_MS` after a pause, and by the time that counting takes. */
const INTERVAL_MS = 250;
/** After this time, readers of statistics notice. */
const OVERDUE_MS = 60_000;

/**
 * After a round, counting pauses for `REST_PER_COST` times as long as the round took, so that the rows of a link that is clicked on all the
 * time are written once a round, not once every quarter of a second. It does not pause while `MANY_CLICKS` or more are waiting.
 */
const REST_PER_COST = 3;
const REST_MS_MAX = 2_000;
const MANY_CLICKS = COUNTED_CLICKS / 2;

/**
 * If nothing was counted for this long, the job looks for clicks once in `IDLE_REST_MS`. The first click after a pause is counted that much
 * later; `as_of` of statistics says so.
 */
const IDLE_AFTER_MS = 5_000;
const IDLE_REST_MS = 500;

/** How often to look for lists of past days. */
const PREFIX_INTERVAL_MS = 600_000;

/** How often to look for days whose columns are to be made, and how often if so many clicks have been counted since. */
const COLUMNS_INTERVAL_MS = 60_000;
const COLUMNS_INTERVAL_BUSY_MS = 15_000;
const COLUMNS_CLICKS = 100_000;

/** How often to look for links whose clicks have changed. Lists that are sorted by clicks are behind by this. */
const LINKS_INTERVAL_MS = 5_000;

/** Counts clicks as soon as they are stored, and prepares long lists of past days and columns of days. */
export function createCounting({ counting, log, clock, intervalMs = INTERVAL_MS }: CountingOptions): PeriodicJob {
  let prefixesMs = Number.NEGATIVE_INFINITY;
  let columnsMs = Number.NEGATIVE_INFINITY;
  let countedSinceColumns = 0;
  let linksMs = Number.NEGATIVE_INFINITY;
  let restsUntilMs = Number.NEGATIVE_INFINITY;
  let lastCountedMs = clock();

  const countAll = async ({ isStopping, progressed }: Round): Promise<void> => {
    const beganMs = clock();
    // A clock that was set back must not delay counting until it has caught up.
    if (beganMs < restsUntilMs && restsUntilMs - beganMs <= REST_MS_MAX) return;
    let counted: number;
    do {
      counted = await counting.count(clock());
      if (counted > 0) lastCountedMs = clock();
      countedSinceColumns += counted;
      if (counted >= MANY_CLICKS) progressed();
    } while (!isStopping() && counted >= MANY_CLICKS);
    const now = clock();
    const restMs = Math.min(REST_MS_MAX, REST_PER_COST * Math.abs(now - beganMs));
    restsUntilMs = now + (Math.abs(now - lastCountedMs) >= IDLE_AFTER_MS ? Math.max(restMs, IDLE_REST_MS) : restMs);
  };

  /** Runs steps until there is nothing left, and counts clicks between them. */
  const addUp = async (current: Round, step: (nowMs: number) => Promise<boolean>): Promise<void> => {
    while (!current.isStopping() && (await step(clock()))) {
      current.progressed();
      await countAll(current);
    }
  };

  const round = async (current: Round): Promise<void> => {
    await countAll(current);
    if (Math.abs(clock() - linksMs) >= LINKS_INTERVAL_MS) {
      await addUp(current, (nowMs) => counting.addUpLinks(nowMs));
      linksMs = clock();
    }
    // These times are set before the work, so that a failure is not repeated in each round, which would keep clicks from being counted.
    if (Math.abs(clock() - prefixesMs) >= PREFIX_INTERVAL_MS) {
      prefixesMs = clock();
      await addUp(current, (nowMs) => counting.makePrefix(nowMs));
    }
    const columnsIntervalMs = countedSinceColumns >= COLUMNS_CLICKS ? COLUMNS_INTERVAL_BUSY_MS : COLUMNS_INTERVAL_MS;
    if (Math.abs(clock() - columnsMs) < columnsIntervalMs) return;
    columnsMs = clock();
    countedSinceColumns = 0;
    await addUp(current, (nowMs) => counting.countDays(nowMs));
  };

  return createPeriodicJob({
    part: 'click-figures',
    round,
    intervalMs,
    overdueMs: OVERDUE_MS,
    overdueReason: 'clicks are stored but not counted',
    log,
    clock,
  });
}
