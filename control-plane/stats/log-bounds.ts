import { dayOf } from '../../shared/base/day-ranges.js';
import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import { dayBefore } from '../click-figures/days.js';
import { readLogRange } from '../click-figures/log-query.js';
import { daysOf, type StatsWindow } from '../click-figures/window.js';
import type { ClickReading } from '../click-store/click-store.js';
import { isStatementTimeout, type Queryable } from '../db/database.js';
import { fieldError, type Refusal, refuseFields } from '../http/problems.js';

/**
 * How many bytes of the log a call may count. A day counts once for each grouping of its clicks, although it is read once for all of them.
 * Up to this size, most calls take less than the five seconds that a statement may take, and `countInTime` refuses the others.
 * `npm run bench -- stats` measures such calls.
 */
export const LOG_BYTES_MAX = 4_000_000_000;

/** The days as the query gives them. `from` and `to` are set if `range` is. */
interface DaysQuery {
  readonly range?: string;
  readonly from?: string;
  readonly to?: string;
}

/** The parameter that determines the first day, and the verb for it in messages. */
function firstDay({ range }: DaysQuery) {
  return range === undefined ? { pointer: '/from', be: 'be' } : { pointer: '/range', be: 'begin' };
}

export interface DaysAsked {
  readonly query: DaysQuery;
  /** For how many days the data is kept, such as CLICK_RETENTION_DAYS. */
  readonly retentionDays: number;
  readonly nowMs: number;
  /** What is kept for so long; "clicks" by default. */
  readonly kept?: string;
}

/**
 * The first day in the time zone of which everything is kept. Older data is dropped by days in UTC; east of UTC, a day begins within
 * the previous day in UTC.
 */
function firstDayKept(timeZone: string, { retentionDays, nowMs }: DaysAsked): string {
  const lastDropped = Date.parse(dayBefore(nowMs, retentionDays)) - 1;
  return dayBefore(Date.parse(dayOf(lastDropped, timeZone)), -1);
}

/** The same for the last day. */
function lastDay({ range }: DaysQuery) {
  return range === undefined ? { pointer: '/to', be: 'be' } : { pointer: '/range', be: 'end' };
}

/** The days of a window, in a time zone. */
export type DaysWindow = Pick<StatsWindow, 'from' | 'to' | 'time_zone'>;

/** Finds an empty range of days, and days that are no longer kept. */
export function windowErrors({ from, to, time_zone }: DaysWindow, asked: DaysAsked): readonly FieldError[] {
  const { query, retentionDays, kept = 'clicks' } = asked;
  const { pointer, be } = firstDay(query);
  if (from > to) {
    const isAhead = query.to === undefined || from <= query.to;
    return [fieldError('query', '/from', 'invalid_range', isAhead ? 'must not be in the future' : 'must not be after `to`')];
  }
  const first = firstDayKept(time_zone, asked);
  // A caller who gives no day gets the last days, however few of them are kept.
  if (from >= first || (query.from === undefined && query.to === undefined)) return [];
  if (query.from !== undefined)
    return [fieldError('query', pointer, 'invalid_range', `must not ${be} before ${first}: ${kept} are kept for ${retentionDays} days`)];
  const detail = `is too early without \`from\`: ${kept} are kept for ${retentionDays} days, since ${first}`;
  return [fieldError('query', '/to', 'invalid_range', detail)];
}

/** Finds a comparison with earlier days that are no longer in the log, because they would look like days without clicks. */
export function comparisonErrors(before: Pick<DaysWindow, 'from' | 'time_zone'>, asked: DaysAsked): readonly FieldError[] {
  return before.from < firstDayKept(before.time_zone, asked) ? [comparisonError(asked.query)] : [];
}

/** Throws what `windowErrors` finds. */
export function checkDays(window: DaysWindow, asked: DaysAsked): void {
  throwAny(windowErrors(window, asked));
}

/** Throws what `comparisonErrors` finds. */
export function checkDaysBefore(before: DaysWindow, asked: DaysAsked): void {
  throwAny(comparisonErrors(before, asked));
}

function throwAny(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw refuseFields(errors);
}

const TOO_EARLY_TO_COMPARE = 'is too early for `compare`: ask for fewer days, or leave `compare` out';

/** How many groupings of the clicks of a window are counted from the log; 0 if sums are read instead. */
export interface LogReading {
  readonly window: StatsWindow;
  readonly groupings: number;
}

/** Refuses days with more of the log than a call may count. The refusal says which days would be accepted. */
export async function checkLogSize(
  snapshot: Queryable,
  clicks: Pick<ClickReading, 'sizes'>,
  readings: readonly LogReading[],
  query: DaysQuery = {},
): Promise<void> {
  let bytes = 0;
  for (const [place, reading] of readings.entries()) {
    if (reading.groupings === 0) continue;
    for (const part of await clicks.sizes(await readLogRange(snapshot, reading.window))) {
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

function comparisonError(query: DaysQuery): FieldError {
  return fieldError('query', firstDay(query).pointer, 'invalid_range', TOO_EARLY_TO_COMPARE);
}

function refuseComparison(query: DaysQuery): Refusal {
  return refuseFields([comparisonError(query)]);
}

/**
 * Counts the clicks of the window, or refuses the days if that takes too long. It may take longer than their size suggests, on a
 * slow machine or if few of the clicks are alike. The refusal suggests half of the days, which are more likely to be counted in time.
 */
export function countInTime<Result>(
  window: StatsWindow,
  { query = {}, compared = false }: { readonly query?: DaysQuery; readonly compared?: boolean },
  count: () => Promise<Result>,
): Promise<Result> {
  return refusedIfTooLong(count, () => {
    if (compared) return refuseComparison(query);
    const days = daysOf(window);
    const last = days[Math.floor(days.length / 2) - 1];
    return last === undefined
      ? refuseFields([fieldError('query', firstDay(query).pointer, 'invalid_range', DAY_TOO_LARGE)])
      : refuseDaysUpTo(last, query);
  });
}

/** Counts the last days of the query, from `first` on, as `countInTime` does. The days before them need no counting. */
export function countLastInTime<Result>(first: string, query: DaysQuery, count: () => Promise<Result>): Promise<Result> {
  return refusedIfTooLong(count, () => {
    const { pointer, be } = lastDay(query);
    const detail = `must ${be} before ${first}: the clicks from then on cannot be counted within 5 seconds yet`;
    return refuseFields([fieldError('query', pointer, 'invalid_range', detail)]);
  });
}

/** Throws the refusal if counting takes longer than a statement may. */
async function refusedIfTooLong<Result>(count: () => Promise<Result>, refusal: () => Refusal): Promise<Result> {
  try {
    return await count();
  } catch (error) {
    throw isStatementTimeout(error) ? refusal() : error;
  }
}

const DAY_TOO_LARGE = 'the clicks of this day cannot be counted within 5 seconds: add a filter';
