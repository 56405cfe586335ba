/**
 * Ranges of days of a project by the names that people use. A day is written as `2026-11-20`. The dashboard counts with
 * the same code as the control plane.
 */

/** Ranges that end today, or have already ended. They move with the calendar. */
export const DAY_RANGES = ['today', 'last_7_days', 'last_30_days', 'last_90_days', 'this_month', 'last_month'] as const;
export type DayRange = (typeof DAY_RANGES)[number];

/** The range of a query that names no days. */
export const DAY_RANGE_DEFAULT: DayRange = 'last_30_days';

export interface Days {
  readonly from: string;
  readonly to: string;
}

/** What one point of a chart covers. */
export type SeriesInterval = 'hour' | 'day' | 'week' | 'month';

const DAY_MS = 86_400_000;

const LENGTHS = { today: 1, last_7_days: 7, last_30_days: 30, last_90_days: 90 } as const;

/** Cached by time zone, because creating one takes longer than everything that is calculated with it. */
const dayFormats = new Map<string, Intl.DateTimeFormat>();

function dayFormatOf(timeZone: string): Intl.DateTimeFormat {
  // Swedish dates have the form of ISO 8601.
  const format = dayFormats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone });
  dayFormats.set(timeZone, format);
  return format;
}

/** Returns the day in the time zone at an instant. */
export function dayOf(ms: number, timeZone: string): string {
  return dayFormatOf(timeZone).format(ms);
}

/** The days of the range in the time zone, today included. */
export function daysOfRange(range: DayRange, timeZone: string, nowMs: number): Days {
  const today = dayOf(nowMs, timeZone);
  const first = `${today.slice(0, 7)}-01`;
  if (range === 'this_month') return { from: first, to: today };
  if (range !== 'last_month') return { from: dayBefore(Date.parse(today), LENGTHS[range] - 1), to: today };
  const last = dayBefore(Date.parse(first), 1);
  return { from: `${last.slice(0, 7)}-01`, to: last };
}

/** The day `days` days before an instant, in UTC. */
export function dayBefore(ms: number, days: number): string {
  return new Date(ms - days * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the days without those after today in the time zone, because no query counts them. None are left if `from` is after `to`. */
export function daysUntilToday({ from, to }: Days, timeZone: string, nowMs: number): Days {
  const today = dayOf(nowMs, timeZone);
  return { from, to: to < today ? to : today };
}

/** Returns the number of the days. */
export function daysIn({ from, to }: Days): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
}

/** Returns the interval with which a chart of the days has some dozens of points. */
export function fittingInterval(of: Days): SeriesInterval {
  const days = daysIn(of);
  if (days <= 2) return 'hour';
  return days <= 62 ? 'day' : days <= 370 ? 'week' : 'month';
}
