import { uuidToId } from '../../shared/base/ids.js';
import type { Platform } from '../../shared/resolve/recognise-visitor.js';
import { type ClickCounts, countsOf } from '../click-figures/counts.js';
import type { Dimension } from '../click-figures/dimensions.js';
import type { FigureSum } from '../click-figures/reading/sums.js';
import type { Queryable } from '../db/database.js';
import { readLinkPaths } from './names.js';

/** A named group of clicks, as in sums and top lists. */
export type Group = Pick<FigureSum, 'dimension' | 'subject_id' | 'value'> & ClickCounts;

/** A group of clicks by a property of the visitors. */
type VisitorGroup = Pick<Group, 'dimension' | 'value'> & ClickCounts;

/** Groups of the three dimensions, in the form in which every response shows them. */
export function breakdowns(groups: readonly VisitorGroup[]) {
  const of = (dimension: Dimension) => groups.filter((group) => group.dimension === dimension);
  return {
    platforms: of('platform').map((group) => ({ platform: group.value as Platform, ...countsOf(group) })),
    countries: of('country').map((group) => ({ country: knownValue(group), ...countsOf(group) })),
    referrers: of('referrer').map((group) => ({ referrer_host: knownValue(group), ...countsOf(group) })),
  };
}

/** Reads the paths of the links, and returns the links with them. */
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

/** The value of a group; null for the group of clicks whose value is unknown. */
function knownValue({ value }: VisitorGroup): string | null {
  return value === '' ? null : value;
}
