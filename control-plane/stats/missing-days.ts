import type { ClicksQuery } from '../../shared/contract/schemas/clicks-query.js';
import { type CountedGroup, type GroupsWanted, type LogRange, readLogRange } from '../click-figures/click-groups.js';
import { daysOf, type StatsWindow } from '../local-days/window.js';
import { checkLogSize, countLastInTime } from './log-bounds.js';
import type { StatsReading } from './source.js';

/** The days from the first to the last that is not kept. Null if all days of the window are. */
export function missingDays(window: StatsWindow, kept: ReadonlyMap<string, unknown>): StatsWindow | null {
  const missing = daysOf(window).filter((day) => !kept.has(day));
  const [from, to] = [missing[0], missing.at(-1)];
  return from === undefined || to === undefined ? null : { ...window, from, to };
}

/** Counts one grouping of the clicks of these days from the log, or refuses them if that takes too long. */
export async function countMissingDays(
  { snapshot, clicks }: StatsReading,
  days: StatsWindow,
  query: ClicksQuery,
  wantedOf: (range: LogRange) => GroupsWanted,
): Promise<readonly CountedGroup[]> {
  await checkLogSize(snapshot, clicks, [{ window: days, groupings: 1 }], query);
  const range = await readLogRange(snapshot, days);
  const [groups = []] = await countLastInTime(days.from, query, () => clicks.groups(wantedOf(range)));
  return groups;
}
