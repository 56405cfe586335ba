import { compareBytes } from '../../shared/base/compare-bytes.js';
import type { CountedGroup, Grouping } from './click-groups.js';
import { addCounts, compareCounts } from './counts.js';

/** Adds up the groups with the same value, and returns those with the most clicks by the measure. */
export function mostClicked(groups: readonly CountedGroup[], { limit, measure = 'human' }: Omit<Grouping, 'key'>): readonly CountedGroup[] {
  const sums = new Map<string | null, CountedGroup>();
  for (const group of groups) {
    const known = sums.get(group.value);
    sums.set(group.value, known === undefined ? group : { value: group.value, ...addCounts([known, group]) });
  }
  return [...sums.values()]
    .sort((one, other) => compareCounts(measure, one, other) || compareValues(one.value, other.value))
    .slice(0, limit);
}

/** Compares values as the log sorts them: null is at the end. */
function compareValues(one: string | null, other: string | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return compareBytes(one, other);
}
