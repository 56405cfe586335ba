import { uuidToId } from '../../shared/base/ids.js';
import type { Platform } from '../../shared/resolve/recognise-visitor.js';
import type { Dimension } from '../click-figures/dimensions.js';
import { type ClickCounts, countsOf, type FigureSum } from '../click-figures/sums.js';
import type { Queryable } from '../db/database.js';
import { readLinkPaths } from './names.js';

/** A group of clicks with a name, as sums and top lists have it. */
export type Group = Pick<FigureSum, 'dimension' | 'subject_id' | 'value'> & ClickCounts;

/** A group of clicks by what the visitors were. */
type VisitorGroup = Pick<Group, 'dimension' | 'value'> & ClickCounts;

/** Groups of the three dimensions, as every answer shows them. */
export function breakdowns(groups: readonly VisitorGroup[]) {
  const of = (dimension: Dimension) => groups.filter((group) => group.dimension === dimension);
  return {
    platforms: of('platform').map((group) => ({ platform: group.value as Platform, ...countsOf(group) })),
    countries: of('country').map((group) => ({ country: knownValue(group), ...countsOf(group) })),
    referrers: of('referrer').map((group) => ({ referrer_host: knownValue(group), ...countsOf(group) })),
  };
}

/** Links with their paths, which are read. */
export async function topLinks(snapshot: Queryable, environmentId: string, links: readonly Group[]) {
  const paths = await readLinkPaths(
    snapshot,
    environmentId,
    links.map(({ subject_id }) => subject_id),
  );
  return links.map((group) => ({
    link: uuidToId('link', group.subject_id),
    path: paths.get(group.subject_id) ?? null,
    ...countsOf(group),
  }));
}

/** The value of a group, null for the group of clicks of which it is not known. */
function knownValue({ value }: VisitorGroup): string | null {
  return value === '' ? null : value;
}
