import { type ClickCounts, countsOf, NO_CLICKS } from '../click-figures/counts.js';
import type { FigureSum } from '../click-figures/reading/sums.js';
import type { Period } from '../local-days/periods.js';
import { daysOf, type StatsWindow } from '../local-days/window.js';

/** Every day of the window with its clicks; a day without clicks has zeros. */
export function dailySeries(window: Pick<StatsWindow, 'from' | 'to'>, sums: readonly FigureSum[]): ({ date: string } & ClickCounts)[] {
  const days = new Map(sums.map((sum) => [sum.day, sum]));
  return daysOf(window).map((date) => ({ date, ...countsOf(days.get(date) ?? NO_CLICKS) }));
}

/** Every period with its clicks. `sums` are those of the days, or those of the hours, whose `value` is their start in seconds. */
export function seriesOf(periods: readonly Period[], sums: readonly FigureSum[]): ({ start: string; date: string } & ClickCounts)[] {
  const found = new Map(sums.map((sum) => [sum.dimension === 'hour' ? sum.value : sum.day, sum]));
  return periods.map(({ start, date }) => {
    const sum = found.get(String(start.getTime() / 1000)) ?? found.get(date);
    return { start: start.toISOString(), date, ...countsOf(sum ?? NO_CLICKS) };
  });
}
