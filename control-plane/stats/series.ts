import type { StatsInterval } from '../../shared/contract/schemas/stats.js';
import { type ClickCounts, countsOf, type FigureSum, NO_CLICKS } from '../click-figures/sums.js';
import { daysOf, type StatsWindow } from '../click-figures/window.js';
import type { Queryable } from '../db/database.js';

/** Every day of the window with its clicks; a day without clicks has zeros. */
export function dailySeries(window: Pick<StatsWindow, 'from' | 'to'>, sums: readonly FigureSum[]): ({ date: string } & ClickCounts)[] {
  const days = new Map(sums.map((sum) => [sum.day, sum]));
  return daysOf(window).map((date) => ({ date, ...countsOf(days.get(date) ?? NO_CLICKS) }));
}

/** An hour or a day in the project's time zone. */
export interface Period {
  readonly start: Date;
  /** The day to which it belongs. */
  readonly date: string;
}

/** Reads the hours or days of the window that have begun, oldest first. */
export async function readPeriods(
  database: Queryable,
  window: StatsWindow,
  interval: StatsInterval,
  nowMs: number,
): Promise<readonly Period[]> {
  const { rows } = await database.query<Period>({
    name: 'read_stats_periods',
    text: `
      SELECT min(hour_at) AS start, day::text AS date
      FROM local_slots($1, $2, $3)
      WHERE day BETWEEN $4::date AND $5::date AND hour_at <= $6
      GROUP BY day, CASE WHEN $7::boolean THEN hour_at END
      ORDER BY start`,
    values: [window.from_at, window.to_at, window.time_zone, window.from, window.to, new Date(nowMs).toISOString(), interval === 'hour'],
  });
  return rows;
}

/** Every period with its clicks. `sums` are those of the days, or those of the hours, whose `value` is their start in seconds. */
export function seriesOf(periods: readonly Period[], sums: readonly FigureSum[]): ({ start: string; date: string } & ClickCounts)[] {
  const found = new Map(sums.map((sum) => [sum.dimension === 'hour' ? sum.value : sum.day, sum]));
  return periods.map(({ start, date }) => {
    const sum = found.get(String(start.getTime() / 1000)) ?? found.get(date);
    return { start: start.toISOString(), date, ...countsOf(sum ?? NO_CLICKS) };
  });
}
