import { DAY_RANGES, type DayRange, type Days, dayBefore, dayOf, daysOfRange } from '../../shared/base/day-ranges.js';
import { DAY_MS, isCalendarDay } from '../../shared/base/instant.js';
import type { ClicksQuery } from '../../shared/contract/schemas/clicks-query.js';
import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import type { Queryable } from '../db/database.js';
import type { UncheckedCall } from '../http/operation.js';
import { fieldError, refuseFields } from '../http/problems.js';
import { readWindow, type StatsWindow } from '../local-days/window.js';

/** The days as the query gives them. `from` and `to` are set if `range` is. */
export interface DaysQuery {
  readonly range?: string;
  readonly from?: string;
  readonly to?: string;
}

/** The parameter that determines the first day, and the verb for it in messages. */
export function firstDay({ range }: DaysQuery) {
  return range === undefined ? { pointer: '/from', be: 'be' } : { pointer: '/range', be: 'begin' };
}

/** The same for the last day. */
export function lastDay({ range }: DaysQuery) {
  return range === undefined ? { pointer: '/to', be: 'be' } : { pointer: '/range', be: 'end' };
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

/** What an operation does with the days of its query. */
export interface DaysRules extends Omit<DaysAsked, 'query' | 'nowMs'> {
  /** How many days are meant without `from`. */
  readonly days: number;
}

/** Errors in the days of a query that the schema cannot express. Only those that depend on the number of clicks are found later. */
export function dayErrors({ query, caller, nowMs }: Pick<UncheckedCall, 'query' | 'caller' | 'nowMs'>, rules: DaysRules) {
  const errors: FieldError[] = [];
  for (const name of ['from', 'to'] as const) {
    const value = query[name];
    if (typeof value === 'string' && !isCalendarDay(value))
      errors.push(fieldError('query', `/${name}`, 'invalid_format', 'is not a valid date'));
  }
  if (query.range !== undefined && (query.from !== undefined || query.to !== undefined))
    errors.push(fieldError('query', '/range', 'invalid_range', 'cannot be combined with from and to: send either range, or from and to'));
  const { timeZone } = caller.environment;
  const given = givenDays(query, timeZone, nowMs);
  if (given === null) return errors;
  const asked = { query: given, retentionDays: rules.retentionDays, nowMs, ...(rules.kept === undefined ? {} : { kept: rules.kept }) };
  const { from, to } = daysMeant(given, dayOf(nowMs, timeZone), rules.days);
  const wrong = windowErrors({ from, to, time_zone: timeZone }, asked);
  if (wrong.length > 0 || query.compare !== true) return [...errors, ...wrong];
  const length = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return [...errors, ...comparisonErrors({ from: dayBefore(Date.parse(from), length), time_zone: timeZone }, asked)];
}

type GivenDays = Partial<Days> & { readonly range?: DayRange };

/** The days of an unchecked query, or those of its range, without those that are no days. Null if it does not say which day is the first. */
function givenDays({ range, from, to }: UncheckedCall['query'], timeZone: string, nowMs: number): GivenDays | null {
  if (from === undefined && to === undefined && range !== undefined) {
    const named = DAY_RANGES.find((name) => name === range);
    return named === undefined ? null : { range: named, ...daysOfRange(named, timeZone, nowMs) };
  }
  if (from !== undefined && !isDay(from)) return null;
  if (from === undefined && to !== undefined && !isDay(to)) return null;
  return { ...(isDay(from) ? { from } : {}), ...(isDay(to) ? { to } : {}) };
}

function isDay(value: unknown): value is string {
  return typeof value === 'string' && isCalendarDay(value);
}

/** The days as `readWindow` reads them. */
function daysMeant({ from, to = '9999-12-31' }: GivenDays, today: string, days: number): Days {
  const last = to < today ? to : today;
  return { from: from ?? dayBefore(Date.parse(last), days - 1), to: last };
}

/** Returns the query with the days that its range means at this time. The range stays, so that a refusal can name it. */
export function withNamedDays(query: ClicksQuery, timeZone: string, nowMs: number): ClicksQuery {
  return query.range === undefined ? query : { ...query, ...daysOfRange(query.range, timeZone, nowMs) };
}

/** The days of a window, in a time zone. */
type DaysWindow = Pick<StatsWindow, 'from' | 'to' | 'time_zone'>;

/** Finds an empty range of days, and days that are no longer kept. */
function windowErrors({ from, to, time_zone }: DaysWindow, asked: DaysAsked): readonly FieldError[] {
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
function comparisonErrors(before: Pick<DaysWindow, 'from' | 'time_zone'>, asked: DaysAsked): readonly FieldError[] {
  return before.from < firstDayKept(before.time_zone, asked) ? [comparisonError(asked.query)] : [];
}

/** Throws what `windowErrors` finds. */
export function checkDays(window: DaysWindow, asked: DaysAsked): void {
  throwAny(windowErrors(window, asked));
}

/**
 * Reads the window of a query, of `days` days without `from`, and checks it. If the query gives no day, the window
 * begins at the earliest with the first day of which everything is kept, because counts of a part of a day look like those of the day.
 */
export async function readWindowAsked(database: Queryable, environmentId: string, days: number, asked: DaysAsked): Promise<StatsWindow> {
  const { query, nowMs } = asked;
  const window = await readWindow(database, environmentId, { from: query.from, to: query.to, days }, nowMs);
  checkDays(window, asked);
  const from = firstDayKept(window.time_zone, asked);
  return window.from >= from ? window : readWindow(database, environmentId, { from, days }, nowMs);
}

/** Throws what `comparisonErrors` finds. */
export function checkDaysBefore(before: DaysWindow, asked: DaysAsked): void {
  throwAny(comparisonErrors(before, asked));
}

function throwAny(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw refuseFields(errors);
}

const TOO_EARLY_TO_COMPARE = 'is too early for `compare`: ask for fewer days, or leave `compare` out';

/** The error of days that are too early, or too many, to be compared with those before them. */
export function comparisonError(query: DaysQuery): FieldError {
  return fieldError('query', firstDay(query).pointer, 'invalid_range', TOO_EARLY_TO_COMPARE);
}
