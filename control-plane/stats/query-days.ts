import { daysOfRange } from '../../shared/base/day-ranges.js';
import { isCalendarDay } from '../../shared/base/instant.js';
import type { ClicksQuery } from '../../shared/contract/schemas/clicks-query.js';
import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import type { UncheckedCall } from '../http/operation.js';
import { fieldError } from '../http/problems.js';

/** Errors in the days of a query that the schema cannot express. */
export function dayErrors(query: UncheckedCall['query']): readonly FieldError[] {
  const noDays = (['from', 'to'] as const).flatMap((name) => {
    const value = query[name];
    return typeof value === 'string' && !isCalendarDay(value)
      ? [fieldError('query', `/${name}`, 'invalid_format', 'is not a valid date')]
      : [];
  });
  return query.range !== undefined && (query.from !== undefined || query.to !== undefined)
    ? [...noDays, fieldError('query', '/range', 'invalid_range', 'cannot be combined with from and to: send either range, or from and to')]
    : noDays;
}

/** Returns the query with the days that its range means at this time. The range stays, so that a refusal can name it. */
export function withNamedDays(query: ClicksQuery, timeZone: string, nowMs: number): ClicksQuery {
  return query.range === undefined ? query : { ...query, ...daysOfRange(query.range, timeZone, nowMs) };
}
