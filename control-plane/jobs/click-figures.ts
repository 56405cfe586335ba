import type { Clock } from '../../shared/base/clock.js';
import type { Logger } from '../../shared/base/log.js';
import { figureDays } from '../click-figures/days.js';
import { mergeClickBatches, waitingBatches } from '../click-figures/merge.js';
import { makePrefixes } from '../click-figures/top-prefixes.js';
import type { Database } from '../db/database.js';
import { createPeriodicJob, type PeriodicJob, type Round } from './periodic.js';

export interface ClickFiguresOptions {
  /** Its statements may take their time. */
  readonly database: Database;
  readonly log: Logger;
  readonly clock: Clock;
  readonly clickRetentionDays: number;
  readonly intervalMs?: number;
}

/** How often it is looked what waits. */
const INTERVAL_MS = 1_000;
const RETRY_MS = 5_000;
/** Until figures hold its clicks a reader counts them itself: past this time readers notice, and then are refused. */
const OVERDUE_MS = 60_000;

/** A few clicks may wait for more, since counting has a fixed cost; so many or so old ones are counted. */
const ENOUGH_CLICKS = 2_000;
const WAIT_MS_MAX = 5_000;

/** How often it is looked for lists whose days are over. */
const PREFIX_INTERVAL_MS = 600_000;

/** Counts clicks some seconds after they were stored, and adds up long lists for the days that are over. */
export function createClickFigures(options: ClickFiguresOptions): PeriodicJob {
  const { database, log, clock, clickRetentionDays, intervalMs = INTERVAL_MS } = options;
  let countedMs = Number.NEGATIVE_INFINITY;
  let prefixesMs = Number.NEGATIVE_INFINITY;

  const isDue = async (): Promise<boolean> => {
    const waiting = await waitingBatches(database);
    if (waiting.length === 0) return false;
    // A clock that was set back must not put this off until it has caught up.
    const age = Math.abs(clock() - countedMs);
    return age >= WAIT_MS_MAX || waiting.reduce((sum, { clicks }) => sum + clicks, 0) >= ENOUGH_CLICKS;
  };

  const round = async ({ isStopping, progressed }: Round): Promise<void> => {
    if (await isDue()) {
      countedMs = clock();
      while (!isStopping() && (await mergeClickBatches(database, figureDays(clock(), clickRetentionDays))).batches > 0) progressed();
    }
    if (Math.abs(clock() - prefixesMs) < PREFIX_INTERVAL_MS) return;
    await makePrefixes(database, clock(), { isStopping, progressed });
    prefixesMs = clock();
  };

  return createPeriodicJob({
    part: 'click-figures',
    round,
    intervalMs,
    retryMs: RETRY_MS,
    overdueMs: OVERDUE_MS,
    overdueReason: 'clicks are stored but not counted',
    log,
    clock,
  });
}
