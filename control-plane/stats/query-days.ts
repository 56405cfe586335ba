import { DAY_RANGES, type DayRange, type Days, dayOf, daysOfRange } from '../../shared/base/day-ranges.js';
import { DAY_MS, isCalendarDay } from '../../shared/base/instant.js';
import type { ClicksQuery } from '../../shared/contract/schemas/clicks-query.js';
import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import { dayBefore } from '../click-figures/days.js';
import type { UncheckedCall } from '../http/operation.js';
import { fieldError } from '../http/problems.js';
import { comparisonErrors, type DaysAsked, windowErrors } from './log-bounds.js';

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
