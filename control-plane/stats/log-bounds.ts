import { CountTimeoutError } from '../click-figures/reading/groups.js';
import type { DaySize } from '../click-store/click-store.js';
import { isStatementTimeout } from '../db/database.js';
import { fieldError, type Refusal, refuseFields } from '../http/problems.js';
import { daysOf, type StatsWindow } from '../local-days/window.js';
import { comparisonError, type DaysQuery, firstDay, lastDay } from './query-days.js';

/**
 * How many bytes of the log a call may count. A day counts once for each grouping of its clicks, although it is read once for all of them.
 * Up to this size, most calls take less than the five seconds that a statement may take, and `countInTime` refuses the others.
 * `npm run bench -- stats` measures such calls.
 */
export const LOG_BYTES_MAX = 4_000_000_000;

/** How many groupings of the clicks of a window are counted from the log; 0 if sums are read instead. */
export interface LogReading {
  readonly window: StatsWindow;
  readonly groupings: number;
}

/** Refuses days with more of the log than a call may count. The refusal says which days would be accepted. */
export async function checkLogSize(
  sizesOf: (window: StatsWindow) => Promise<readonly DaySize[]>,
  readings: readonly LogReading[],
  query: DaysQuery = {},
): Promise<void> {
  let bytes = 0;
  for (const [place, reading] of readings.entries()) {
    if (reading.groupings === 0) continue;
    for (const part of await sizesOf(reading.window)) {
      bytes += part.bytes * reading.groupings;
      if (bytes <= LOG_BYTES_MAX) continue;
      throw place === 0 ? refuseDaysUpTo(part.day, query) : refuseComparison(query);
    }
  }
}

function refuseDaysUpTo(day: string, query: DaysQuery): Refusal {
  const { pointer, be } = firstDay(query);
  const detail = `must ${be} after ${day}: the clicks of more days cannot be counted within 5 seconds`;
  return refuseFields([fieldError('query', pointer, 'invalid_range', detail)]);
}

function refuseComparison(query: DaysQuery): Refusal {
  return refuseFields([comparisonError(query)]);
}

/**
 * Counts the clicks of the window, or refuses the days if that takes too long. It may take longer than their size suggests, on a
 * slow machine or if few of the clicks are alike. The refusal suggests half of the days, which are more likely to be counted in time, or
 * those before the last days, if only these take too long.
 */
export async function countInTime<Result>(
  window: StatsWindow,
  { query = {}, compared = false }: { readonly query?: DaysQuery; readonly compared?: boolean },
  count: () => Promise<Result>,
): Promise<Result> {
  try {
    return await count();
  } catch (error) {
    const last = error instanceof CountTimeoutError ? error.from : null;
    if (!(error instanceof CountTimeoutError) && !isStatementTimeout(error)) throw error;
    if (compared) throw refuseComparison(query);
    throw last === null || last === window.from ? refuseHalf(window, query) : refuseLastDays(last, query);
  }
}

function refuseHalf(window: StatsWindow, query: DaysQuery): Refusal {
  const days = daysOf(window);
  const last = days[Math.floor(days.length / 2) - 1];
  return last === undefined
    ? refuseFields([fieldError('query', firstDay(query).pointer, 'invalid_range', DAY_TOO_LARGE)])
    : refuseDaysUpTo(last, query);
}

/** The days before `first` need no counting of rows, or little. */
function refuseLastDays(first: string, query: DaysQuery): Refusal {
  const { pointer, be } = lastDay(query);
  const detail = `must ${be} before ${first}: the clicks from then on cannot be counted within 5 seconds yet`;
  return refuseFields([fieldError('query', pointer, 'invalid_range', detail)]);
}

const DAY_TOO_LARGE = 'the clicks of this day cannot be counted within 5 seconds: add a filter';
