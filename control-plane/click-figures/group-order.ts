import { compareBytes } from '../../shared/base/compare-bytes.js';
import type { CountedGroup, Grouping } from './click-groups.js';
import { compareCounts } from './counts.js';

/** Up to this limit, finding the first groups is faster than sorting all of them. */
const INSERTED_MAX = 1_000;

/** Returns the groups with the most clicks by the measure. */
export function mostClicked(groups: readonly CountedGroup[], { limit, measure = 'human' }: Omit<Grouping, 'key'>): readonly CountedGroup[] {
  const compare = (one: CountedGroup, other: CountedGroup) => compareCounts(measure, one, other) || compareValues(one.value, other.value);
  return firstOf(groups, limit, compare);
}

/** Returns the first `limit` entries in order. There may be hundreds of thousands, and sorting them would hold up other calls. */
export function firstOf<Entry>(entries: readonly Entry[], limit: number, compare: (one: Entry, other: Entry) => number): readonly Entry[] {
  if (limit > INSERTED_MAX) return [...entries].sort(compare).slice(0, limit);
  const first: Entry[] = [];
  for (const entry of entries) {
    if (first.length === limit && (limit === 0 || compare(first[limit - 1] as Entry, entry) <= 0)) continue;
    let [low, high] = [0, first.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(first[middle] as Entry, entry) <= 0) low = middle + 1;
      else high = middle;
    }
    first.splice(low, 0, entry);
    if (first.length > limit) first.pop();
  }
  return first;
}

/** Compares values as the log sorts them: null is at the end. */
function compareValues(one: string | null, other: string | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return compareBytes(one, other);
}
