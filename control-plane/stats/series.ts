import { type ClickCounts, countsOf, type FigureSum, NO_CLICKS } from '../click-figures/sums.js';
import { daysOf, type StatsWindow } from './window.js';

/** Every day of the window with its clicks, zeros where there were none. */
export function dailySeries(window: Pick<StatsWindow, 'from' | 'to'>, sums: readonly FigureSum[]): ({ date: string } & ClickCounts)[] {
  const days = new Map(sums.map((sum) => [sum.day, sum]));
  return daysOf(window).map((date) => ({ date, ...countsOf(days.get(date) ?? NO_CLICKS) }));
}

/** The value of a group, null for the group of clicks of which it is not known. */
export function knownValue({ value }: Pick<FigureSum, 'value'>): string | null {
  return value === '' ? null : value;
}
