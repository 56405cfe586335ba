import { DAY_RANGE_DEFAULT, daysOfRange, daysUntilToday, fittingInterval } from '../../shared/base/day-ranges.js';
import { isId } from '../../shared/base/ids.js';
import { isCalendarDay } from '../../shared/base/instant.js';
import type { ClicksQuery } from '../../shared/contract/schemas/clicks-query.js';
import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import type { ViewCreate, ViewPatch } from '../../shared/contract/schemas/view.js';
import { fieldError } from '../http/problems.js';
import type { ViewQuery, ViewRow } from './view-row.js';

const NOTHING_SAID: ViewQuery = {
  range: DAY_RANGE_DEFAULT,
  from: null,
  to: null,
  interval: null,
  breakdown: null,
  measure: 'human',
  compare: false,
  filters: {},
};

/** Makes the row of a new view from a body that has passed its schema and `viewErrors`. */
export function newViewRow(body: ViewCreate, id: string, nowMs: number): ViewRow {
  const created = new Date(nowMs);
  return { id, name: body.name, query: changedQuery(NOTHING_SAID, body), created_at: created, updated_at: created };
}

/** Returns the row after a change. An absent field keeps its value, null clears it. The caller sets `updated_at`. */
export function patchedViewRow(row: ViewRow, patch: ViewPatch): ViewRow {
  return { ...row, name: patch.name ?? row.name, query: changedQuery(row.query, patch) };
}

function changedQuery(kept: ViewQuery, given: Omit<ViewPatch, 'name'>): ViewQuery {
  return {
    ...changedDays(kept, given),
    interval: given.interval === undefined ? kept.interval : given.interval,
    breakdown: given.breakdown === undefined ? kept.breakdown : given.breakdown,
    measure: given.measure ?? kept.measure,
    compare: given.compare ?? kept.compare,
    filters: given.filters === undefined ? kept.filters : (given.filters ?? {}),
  };
}

/** Explicit days and a range exclude each other. Whichever is sent replaces the other. */
function changedDays(kept: ViewQuery, { range, from, to }: Omit<ViewPatch, 'name'>): Pick<ViewQuery, 'range' | 'from' | 'to'> {
  if (from != null && to != null) return { range: null, from, to };
  if (range === undefined && from === undefined && to === undefined) return { range: kept.range, from: kept.from, to: kept.to };
  return { range: (range === undefined ? kept.range : range) ?? DAY_RANGE_DEFAULT, from: null, to: null };
}

export function isSameView(one: ViewRow, other: ViewRow): boolean {
  const parts = ({ query: { filters, ...query } }: ViewRow) => JSON.stringify([query, Object.entries(filters).sort()]);
  return one.name === other.name && parts(one) === parts(other);
}

/** Checks the rules of a view that its schema cannot express. Looks only at values of the right type. */
export function viewErrors({ range, from, to, filters }: Readonly<Record<string, unknown>>): readonly FieldError[] {
  const link = typeof filters === 'object' && filters !== null ? (filters as { readonly link?: unknown }).link : undefined;
  const isNoLink = typeof link === 'string' && link !== '' && !isId('link', link);
  return [
    ...dayErrors({ range, from, to }),
    ...(isNoLink
      ? [fieldError('body', '/filters/link', 'invalid_format', 'must be the id of a link, such as lnk_01jd4v6xq8e5s0m3k7n9p2r4tw')]
      : []),
  ];
}

function dayErrors({ range, from, to }: Readonly<Record<'range' | 'from' | 'to', unknown>>): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [name, day] of [
    ['from', from],
    ['to', to],
  ] as const)
    if (typeof day === 'string' && !isCalendarDay(day))
      errors.push(fieldError('body', `/${name}`, 'invalid_format', 'is not a valid date'));
  if (typeof from === 'string' && to == null) errors.push(fieldError('body', '/to', 'required', 'is required with from'));
  if (typeof to === 'string' && from == null) errors.push(fieldError('body', '/from', 'required', 'is required with to'));
  if (typeof from === 'string' && typeof to === 'string' && range != null)
    errors.push(fieldError('body', '/range', 'invalid_range', 'cannot be combined with from and to: send either range, or from and to'));
  if (isDay(from) && isDay(to) && from > to) errors.push(fieldError('body', '/from', 'invalid_range', 'must not be after to'));
  return errors;
}

function isDay(value: unknown): value is string {
  return typeof value === 'string' && isCalendarDay(value);
}

/** Rows in the breakdown of a shared view: as many as a query of clicks has, for readers who save them. The page shows only the largest. */
const BREAKDOWN_ROWS = 1000;

/** The query of clicks that the view represents at this time. If its days have not begun, `from` is after `to`. */
export function clicksQueryOf(
  view: ViewQuery,
  timeZone: string,
  nowMs: number,
): ClicksQuery & Required<Pick<ClicksQuery, 'from' | 'to' | 'interval'>> {
  const { from, to } = view.from !== null && view.to !== null ? view : daysOfRange(view.range ?? DAY_RANGE_DEFAULT, timeZone, nowMs);
  const days = daysUntilToday({ from: from as string, to: to as string }, timeZone, nowMs);
  return {
    ...view.filters,
    ...days,
    interval: view.interval ?? fittingInterval(days),
    compare: view.compare,
    ...(view.breakdown === null ? {} : { breakdown: view.breakdown, limit: BREAKDOWN_ROWS, measure: view.measure }),
  };
}
