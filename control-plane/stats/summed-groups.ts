import { compareBytes } from '../../shared/base/compare-bytes.js';
import type { ClickDimension, ClickMeasure, ClicksQuery } from '../../shared/contract/schemas/clicks-query.js';
import { type CountedGroup, itemKey } from '../click-figures/click-groups.js';
import { addCounts, type ClickCounts, compareCounts, countsOf, NO_CLICKS } from '../click-figures/counts.js';
import { BREAKDOWN_DIMENSIONS, type Dimension, FIELD_DIMENSIONS, LONG_LISTS } from '../click-figures/dimensions.js';
import type { FigureScope } from '../click-figures/reading/selected-figures.js';
import type { FigureSum } from '../click-figures/reading/sums.js';
import { FIELDS_WITHOUT_NULL, othersWanted } from '../click-figures/stored-groups.js';
import type { ClickFigures } from '../click-store/click-store.js';
import { countInTime } from './log-bounds.js';
import { countMissingDays, missingDays } from './missing-days.js';
import type { StatsReading } from './source.js';

/** A reading of a store that has figures. */
interface FiguresReading extends StatsReading {
  readonly figures: ClickFigures;
}

interface GroupsAsked {
  readonly environmentId: string;
  /** The environment, or one of its links or campaigns. */
  readonly scope: FigureScope;
  readonly field: ClickDimension;
  readonly limit: number;
  readonly measure: ClickMeasure;
  readonly query: ClicksQuery;
}

/**
 * Returns the groups of all clicks of the scope, as `ClickReading.groups` does, from its figures, and from the log for days that are not
 * over. Null if the store has no figures, or if they do not have the groups or have too many; a reading of the log is limited by its size
 * instead.
 */
export async function summedGroups(source: StatsReading, { field, ...asked }: GroupsAsked): Promise<readonly CountedGroup[] | null> {
  const { figures } = source.clicks;
  if (figures === null) return null;
  const { link, campaign } = asked.scope;
  const dimension = field === 'tag' ? undefined : FIELD_DIMENSIONS[field];
  if (link !== undefined || campaign !== undefined) return groupsOfOne(source, { ...asked, dimension });
  const areAll = field !== 'tag' && dimension !== undefined && !FIELDS_WITHOUT_NULL.includes(field);
  const others = areAll ? [] : await groupsOfDays({ ...source, figures }, { field, ...asked });
  if (others === null) return null;
  const known = dimension === undefined ? [] : await groupsOfFigures({ ...source, figures }, dimension, asked);
  return known === null ? null : mostFirst([...known, ...others], asked);
}

/** Returns the groups of a link or campaign. Null if its figures do not have them. */
async function groupsOfOne(
  { clicks }: StatsReading,
  { scope, dimension, ...asked }: Omit<GroupsAsked, 'field'> & { readonly dimension: Dimension | undefined },
): Promise<readonly CountedGroup[] | null> {
  const own = BREAKDOWN_DIMENSIONS.find((each) => each === dimension);
  if (own === undefined) return null;
  const lines = await clicks.breakdowns(scope, Number.MAX_SAFE_INTEGER, [own]);
  const groups = lines.map(({ value, ...counts }): CountedGroup => ({ value: value === '' ? null : value, ...countsOf(counts) }));
  return mostFirst(groups, asked);
}

/** Returns the groups that are in figures. Null if they are too many. */
async function groupsOfFigures(
  { clicks, figures }: FiguresReading,
  dimension: Dimension,
  { scope, limit, measure, query }: Omit<GroupsAsked, 'field'>,
): Promise<readonly CountedGroup[] | null> {
  const list = LONG_LISTS.find((each) => each === dimension);
  const sums = await countInTime(scope.window, { query }, async () => {
    // Prefixes of long lists are stored; they have what people clicked on most.
    const tops =
      list === undefined || measure !== 'human' ? [] : await clicks.topValues({ scope, lists: [list], top: limit, byAllNext: true });
    // For items, there are up to `limit` of each type.
    if (tops.length >= limit) return tops;
    return (await figures.hasTooManySums(scope, [dimension]))
      ? null
      : clicks.sums({ scope, daily: [], total: [dimension], top: limit, measure });
  });
  if (sums === null) return null;
  return sums.map((sum): CountedGroup => ({ value: groupValueOf(dimension, sum), ...countsOf(sum) }));
}

function groupValueOf(
  dimension: Dimension,
  { subject_id, campaign, value }: Pick<FigureSum, 'subject_id' | 'campaign' | 'value'>,
): string | null {
  if (dimension === 'item') return itemKey({ type: subject_id, item: value });
  const own = dimension === 'link' || dimension === 'type' ? subject_id : dimension === 'campaign' ? campaign : value;
  return own === '' ? null : own;
}

/** Maximum number of groups that a call reads from the log. */
const LOG_GROUPS_MAX = 10_000;

/**
 * Returns the groups that are not in figures: from the stored groups of days, and from the log for all days from the first to the last
 * day without stored groups. Null if no day has stored groups, or if there are too many groups.
 */
async function groupsOfDays(
  source: FiguresReading,
  { scope: { window }, environmentId, field, query, measure }: GroupsAsked,
): Promise<readonly CountedGroup[] | null> {
  const kept = await source.figures.dayGroups(window, field);
  const part = missingDays(window, kept);
  if (part === null) return [...kept.values()].flat();
  if (kept.size === 0) return null;
  const limit = LOG_GROUPS_MAX + 1;
  const logged = await countMissingDays(source, part, query, (range) =>
    field === 'tag'
      ? { range, conditions: ['counted'], groupings: [{ key: { tagsOf: environmentId }, limit, measure }] }
      : othersWanted(range, { field, limit, measure }),
  );
  if (logged.length > LOG_GROUPS_MAX) return null;
  const outside = [...kept].filter(([day]) => day < part.from || day > part.to);
  return [...outside.flatMap(([, groups]) => groups), ...logged];
}

/** Adds up the groups with the same value, and returns those with the most clicks by the measure. */
function mostFirst(groups: readonly CountedGroup[], { limit, measure }: Pick<GroupsAsked, 'limit' | 'measure'>): readonly CountedGroup[] {
  const sums = new Map<string | null, ClickCounts>();
  for (const group of groups) sums.set(group.value, addCounts([sums.get(group.value) ?? NO_CLICKS, group]));
  return [...sums]
    .map(([value, counts]): CountedGroup => ({ value, ...counts }))
    .sort((one, other) => compareCounts(measure, one, other) || compareValues(one.value, other.value))
    .slice(0, limit);
}

/** Compares values as the log sorts them: null is at the end. */
function compareValues(one: string | null, other: string | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return compareBytes(one, other);
}
