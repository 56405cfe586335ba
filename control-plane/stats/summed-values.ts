import type { ClicksQuery } from '../../shared/contract/schemas/clicks-query.js';
import type { ClickCondition } from '../click-figures/click-groups.js';
import { type ClickCounts, NO_CLICKS } from '../click-figures/counts.js';
import type { FieldValue } from '../click-figures/reading/value-days.js';
import { readPeriods } from '../local-days/periods.js';
import type { StatsWindow } from '../local-days/window.js';
import { countMissingDays, missingDays } from './missing-days.js';
import type { StatsReading } from './source.js';

/** The value that the conditions ask for, if they ask for nothing else. */
export function onlyValue(conditions: readonly ClickCondition[]): FieldValue | null {
  const [only] = conditions;
  return conditions.length === 1 && typeof only === 'object' && 'value' in only ? only : null;
}

/**
 * Returns the clicks with the value on each day of the window, from figures, and from the log for days that are not over. Null if the store
 * has no figures, if they do not have the value on any day, or if days that are only compared would have to be read from the log.
 */
export async function summedValue(
  source: StatsReading,
  window: StatsWindow,
  wanted: FieldValue,
  { query, compared }: { readonly query: ClicksQuery; readonly compared: boolean },
): Promise<ReadonlyMap<string, ClickCounts> | null> {
  const { figures } = source.clicks;
  if (figures === null) return null;
  const kept = await figures.valueDays(window, wanted);
  if (kept.size === 0) return null;
  const part = missingDays(window, kept);
  if (part === null) return kept;
  if (compared) return null;
  const periods = await readPeriods(source.snapshot, part, 'day');
  const starts = periods.map(({ start }) => start.toISOString());
  const groups = await countMissingDays(source, part, query, (range) => ({
    range,
    conditions: ['counted', wanted],
    groupings: [{ key: { starts }, limit: starts.length }],
  }));
  const logged = new Map(groups.map(({ value, ...counts }) => [Number(value) - 1, counts]));
  return new Map([...kept, ...periods.map(({ date }, place) => [date, logged.get(place) ?? NO_CLICKS] as const)]);
}
