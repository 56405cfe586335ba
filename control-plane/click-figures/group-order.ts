import { compareBytes } from '../../shared/base/compare-bytes.js';
import type { CountedGroup, Grouping } from './click-groups.js';
import { addCounts, compareCounts } from './counts.js';

/** Up to this limit, finding the first groups is faster than sorting all of them. */
const INSERTED_MAX = 1_000;

/** Adds up the groups of several lists that have the same value, and returns those with the most clicks by the measure. */
export function mostClicked(
  lists: readonly (readonly CountedGroup[])[],
  { limit, measure = 'human' }: Omit<Grouping, 'key'>,
): readonly CountedGroup[] {
  const filled = lists.filter((list) => list.length > 0);
  const groups = filled.length === 1 ? (filled[0] as readonly CountedGroup[]) : addedUp(filled);
  const compare = (one: CountedGroup, other: CountedGroup) => compareCounts(measure, one, other) || compareValues(one.value, other.value);
  return firstOf(groups, limit, compare);
}

function addedUp(lists: readonly (readonly CountedGroup[])[]): readonly CountedGroup[] {
  const sums = new Map<string | null, CountedGroup>();
  for (const group of lists.flat()) {
    const known = sums.get(group.value);
    sums.set(group.value, known === undefined ? group : { value: group.value, ...addCounts([known, group]) });
  }
  return [...sums.values()];
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
