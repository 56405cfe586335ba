import { COUNTED_CLICKS } from '../../shared/base/limits.js';
import type { CountingThread } from '../click-figures/counting-thread.js';
import { createPeriodicJob, type JobSurroundings, type PeriodicJob, type Round } from './periodic.js';

/** Who does the work. */
export type Counting = Omit<CountingThread, 'stop'>;

interface ClickFiguresOptions extends JobSurroundings {
  readonly counting: Counting;
  /** Adds up the clicks of links where the click store does it, in place of `counting`. */
  readonly addUpLinks?: Counting['addUpLinks'] | null;
  /** Counts days that are over where the click store does it, in place of `counting`. */
  readonly sumDays?: Counting['countDayGroups'] | null;
}

/** How often to look for clicks that wait: statistics are behind by this and by what counting takes. */
const INTERVAL_MS = 250;
/** Past this time those who read statistics notice. */
const OVERDUE_MS = 60_000;

/**
 * After a round it rests for some times as long as that took: a link that is clicked on all the time costs its rows once a round,
 * not once a quarter of a second. Not where so many clicks waited that more are likely to.
 */
const REST_PER_COST = 3;
const REST_MS_MAX = 2_000;
const MANY_CLICKS = COUNTED_CLICKS / 2;

/** How often to look for lists and groups whose days are over. */
const PREFIX_INTERVAL_MS = 600_000;

/** How often to look for links whose clicks have changed: lists that are sorted by them are behind by this. */
const LINKS_INTERVAL_MS = 5_000;

/** Counts clicks as soon as they are stored, and adds up long lists and groups for the days that are over. */
export function createClickFigures({
  counting,
  addUpLinks,
  sumDays,
  log,
  clock,
  intervalMs = INTERVAL_MS,
}: ClickFiguresOptions): PeriodicJob {
  let prefixesMs = Number.NEGATIVE_INFINITY;
  let linksMs = Number.NEGATIVE_INFINITY;
  let restsUntilMs = Number.NEGATIVE_INFINITY;

  const countAll = async ({ isStopping, progressed }: Round): Promise<void> => {
    const beganMs = clock();
    // A clock that was set back must not put this off until it has caught up.
    if (beganMs < restsUntilMs && restsUntilMs - beganMs <= REST_MS_MAX) return;
    while (!isStopping() && (await counting.count(clock())) >= MANY_CLICKS) progressed();
    restsUntilMs = clock() + Math.min(REST_MS_MAX, REST_PER_COST * Math.abs(clock() - beganMs));
  };

  /** Clicks are counted between the steps. */
  const addUp = async (current: Round, step: (nowMs: number) => Promise<boolean>): Promise<void> => {
    while (!current.isStopping() && (await step(clock()))) {
      current.progressed();
      await countAll(current);
    }
  };

  const round = async (current: Round): Promise<void> => {
    await countAll(current);
    if (Math.abs(clock() - linksMs) >= LINKS_INTERVAL_MS) {
      await addUp(current, addUpLinks ?? ((nowMs) => counting.addUpLinks(nowMs)));
      linksMs = clock();
    }
    if (Math.abs(clock() - prefixesMs) < PREFIX_INTERVAL_MS) return;
    // What fails is not tried again in each round: clicks would be counted no more.
    prefixesMs = clock();
    await addUp(current, (nowMs) => counting.makePrefix(nowMs));
    await addUp(current, sumDays ?? ((nowMs) => counting.countDayGroups(nowMs)));
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
