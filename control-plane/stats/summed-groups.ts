import type { ClickDimension, ClickMeasure } from '../../shared/contract/schemas/clicks-query.js';
import type { Dimension } from '../click-figures/dimensions.js';
import type { CountedGroup } from '../click-figures/log-query.js';
import { compareCounts, countsOf } from '../click-figures/sums.js';
import type { StatsWindow } from '../click-figures/window.js';
import type { ClickReading } from '../click-store/click-store.js';

/** What sums tell of all clicks: which dimensions a field of a click is. */
const SUMMED: Readonly<Partial<Record<ClickDimension, readonly Dimension[]>>> = {
  platform: ['platform'],
  country: ['country'],
  referrer_host: ['referrer'],
  // Clicks on items are a group of their own.
  link: ['link', 'type'],
};

/**
 * Groups of all clicks of the window, as `ClickReading.groups` returns them, from its sums; null where sums do not tell them, none are kept,
 * or they are too many: what the log has of the days is bounded by its size.
 * Somebody who visits items of two types is one visitor of items, and sums know the visitors of each type alone.
 */
export async function summedGroups(
  clicks: ClickReading,
  window: StatsWindow,
  field: ClickDimension,
  { limit, measure }: { readonly limit: number; readonly measure: ClickMeasure },
): Promise<readonly CountedGroup[] | null> {
  const total = SUMMED[field];
  if (total === undefined || !clicks.keepsSums) return null;
  if (await clicks.hasTooManySums({ window }, total)) return null;
  const sums = await clicks.sums({ scope: { window }, daily: [], total, top: Math.max(limit, 2), measure });
  if (sums.filter(({ dimension }) => dimension === 'type').length > 1) return null;
  const groups = sums.map((sum): CountedGroup => {
    const value = sum.dimension === 'link' ? sum.subject_id : sum.value;
    return { value: value === '' ? null : value, ...countsOf(sum) };
  });
  return groups.toSorted((one, other) => compareCounts(measure, one, other) || compareValues(one.value, other.value)).slice(0, limit);
}

/** As PostgreSQL sorts texts by their bytes, with null at the end. */
function compareValues(one: string | null, other: string | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return one < other ? -1 : Number(one > other);
}
