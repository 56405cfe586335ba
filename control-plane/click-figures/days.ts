import { CLICK_FIGURES_DAYS } from '../../shared/base/limits.js';

const DAY_MS = 86_400_000;

/**
 * How long the visitors that were counted are remembered. A day ends at noon of the next one of UTC in the westernmost
 * zone: clicks may come a day late before the log itself has to be searched for what their visitors did on their day.
 */
const REMEMBERED_DAYS = 2;
/** One more, so that a server whose clock is behind finds them still. */
export const VISIT_DAYS_KEPT = REMEMBERED_DAYS + 1;

/** A day of an environment, as its project's clock has it. */
export interface EnvironmentDay {
  readonly environment_number: number;
  /** `2026-11-20`. */
  readonly day: string;
}

/** Which days figures are kept of, and of which of them visitors are remembered. */
export interface FigureDays {
  /** First day that has figures, `2026-11-20`. */
  readonly keptFrom: string;
  /** First day whose visitors are remembered. */
  readonly openFrom: string;
}

/** No more days than the click log goes back: what is dropped there is no part of any figure. */
export function figureDaysKept(clickRetentionDays: number): number {
  return Math.min(CLICK_FIGURES_DAYS, clickRetentionDays);
}

export function figureDays(nowMs: number, clickRetentionDays: number): FigureDays {
  return {
    keptFrom: dayBefore(nowMs, figureDaysKept(clickRetentionDays)),
    openFrom: openFrom(nowMs),
  };
}

/** First day whose visitors are remembered. */
export function openFrom(nowMs: number): string {
  return dayBefore(nowMs, REMEMBERED_DAYS);
}

/** Instants of which clicks may belong to a day that is not open any more. */
export interface ClosedSpan {
  readonly from_at: Date;
  readonly end_at: Date;
}

/** No day is longer. */
const DAY_LONGEST_MS = 25 * 3_600_000;
/** How long after midnight in UTC a day begins in the westernmost zone. */
const WESTERNMOST_MS = 12 * 3_600_000;

/** Where the days lie that are closed and that clicks from one instant to another belong to; null if there are none. */
export function closedSpan(fromAt: Date, endAt: Date, openFrom: string): ClosedSpan | null {
  const openAt = Date.parse(openFrom) + WESTERNMOST_MS;
  if (fromAt.getTime() >= openAt) return null;
  return {
    from_at: new Date(fromAt.getTime() - DAY_LONGEST_MS),
    end_at: new Date(Math.min(endAt.getTime() + DAY_LONGEST_MS, openAt)),
  };
}

/** The day so many days before an instant, in UTC. */
export function dayBefore(nowMs: number, days: number): string {
  return new Date(nowMs - days * DAY_MS).toISOString().slice(0, 10);
}
