import { dayBefore } from '../../shared/base/day-ranges.js';
import { CLICK_FIGURES_DAYS } from '../../shared/base/limits.js';

/** A day of an environment, in the time zone of its project. */
export interface EnvironmentDay {
  readonly environment_number: number;
  /** `2026-11-20`. */
  readonly day: string;
}

/** The same day of several environments, each in the time zone of its project. */
export interface DayOfEnvironments {
  readonly environment_numbers: readonly number[];
  readonly day: string;
}

/** A PostgreSQL interval. Whatever is counted after a day is over waits this long for late clicks, so that it is not counted twice. */
export const DAY_SETTLED_AFTER = '1 hour';

/** The number of days with figures. It is at most the retention of the click log, because clicks dropped from the log are in no figure. */
export function figureDaysKept(clickRetentionDays: number): number {
  return Math.min(CLICK_FIGURES_DAYS, clickRetentionDays);
}

/** The first day for which figures are counted and kept, `2026-11-20`. */
export function figuresKeptFrom(nowMs: number, clickRetentionDays: number): string {
  return dayBefore(nowMs, figureDaysKept(clickRetentionDays));
}

/** The days that are kept but no longer read. */
const UNREAD_DAYS = 2;

/**
 * Whether the figures of a day are read; otherwise its clicks are. Readers begin `UNREAD_DAYS` later than writers, because the oldest day
 * is dropped while calls are under way, by a process whose clock may be ahead. What is left has 30 days of a project in every time zone.
 * The retention of clicks does not matter here: without clicks in the log, a day has none in either.
 */
export function hasFigures(day: string, nowMs: number): boolean {
  return day >= dayBefore(nowMs, CLICK_FIGURES_DAYS - UNREAD_DAYS);
}
