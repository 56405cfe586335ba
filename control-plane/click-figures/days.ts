import { DAY_MS } from '../../shared/base/instant.js';
import { CLICK_FIGURES_DAYS } from '../../shared/base/limits.js';

/** A day of an environment, as its project's clock has it. */
export interface EnvironmentDay {
  readonly environment_number: number;
  /** `2026-11-20`. */
  readonly day: string;
}

/** Of PostgreSQL's type interval. What is counted of a day once it is over waits as long for clicks that come late, so as not to be counted twice. */
export const DAY_SETTLED_AFTER = '1 hour';

/** No more days than the click log goes back: what is dropped there is no part of any figure. */
export function figureDaysKept(clickRetentionDays: number): number {
  return Math.min(CLICK_FIGURES_DAYS, clickRetentionDays);
}

/** First day that has figures, `2026-11-20`. */
export function figuresKeptFrom(nowMs: number, clickRetentionDays: number): string {
  return dayBefore(nowMs, figureDaysKept(clickRetentionDays));
}

/** The day so many days before an instant, in UTC. */
export function dayBefore(nowMs: number, days: number): string {
  return new Date(nowMs - days * DAY_MS).toISOString().slice(0, 10);
}
