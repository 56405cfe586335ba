import { SUMMED_FIGURES_MAX } from '../../shared/base/limits.js';
import type { ClickDimension, ClickFilter, ClickMeasure, ClicksQuery } from '../../shared/contract/schemas/clicks-query.js';
import { type ClickCondition, type CountedGroup, type GroupKey, itemKey } from '../click-figures/click-groups.js';
import { countsOf } from '../click-figures/counts.js';
import { BREAKDOWN_DIMENSIONS, type Dimension, FIELD_DIMENSIONS, FIELDS_WITHOUT_NULL, LONG_LISTS } from '../click-figures/dimensions.js';
import { mostClicked } from '../click-figures/group-order.js';
import type { FigureScope } from '../click-figures/reading/selected-figures.js';
import type { FigureSum } from '../click-figures/reading/sums.js';
import type { ClickFigures } from '../click-store/click-store.js';
import { checkLogSize, countInTime } from './log-bounds.js';
import type { StatsReading } from './source.js';

/** A reading of a store that has figures. */
interface FiguresReading extends StatsReading {
  readonly figures: ClickFigures;
}

interface GroupsAsked {
  /** The environment, or one of its links or campaigns. */
  readonly scope: FigureScope;
  readonly field: ClickDimension;
  /** How clicks are grouped by the field. */
  readonly key: GroupKey;
  readonly limit: number;
  readonly measure: ClickMeasure;
  readonly query: ClicksQuery;
  readonly nowMs: number;
}

/**
 * Returns the groups of all clicks of the scope, from figures as far as these have them: the totals of the same clicks are in figures too. Null
 * if the store has no figures, or none of these groups for a link or campaign.
 */
export async function summedGroups(source: StatsReading, asked: GroupsAsked): Promise<readonly CountedGroup[] | null> {
  const { figures } = source.clicks;
  if (figures === null) return null;
  const { field, scope } = asked;
  const dimension = field === 'tag' ? undefined : FIELD_DIMENSIONS[field];
  if (scope.link !== undefined || scope.campaign !== undefined)
    return dimension === undefined ? null : groupsOfOne(source, { ...asked, dimension });
  const known =
    dimension === undefined || field === 'tag' ? null : await groupsOfFigures({ ...source, figures }, dimension, { ...asked, field });
  if (known === null || field === 'tag') return countedGroups(source, asked, []);
  const without = FIELDS_WITHOUT_NULL.includes(field) ? await countedGroups(source, asked, [{ field, value: null }]) : [];
  return mostClicked([...known, ...without], asked);
}

/** Counts the groups of the clicks that meet the conditions. */
async function countedGroups(
  { clicks }: StatsReading,
  { scope: { window }, key, limit, measure, query, nowMs }: GroupsAsked,
  conditions: readonly ClickCondition[],
): Promise<readonly CountedGroup[]> {
  await checkLogSize((days) => clicks.groupSizes(days, nowMs), [{ window, groupings: 1 }], query);
  const groupings = [{ key, limit, measure }];
  const [groups = []] = await countInTime(window, { query }, () =>
    clicks.groups({ window, nowMs, conditions: ['counted', ...conditions], groupings }),
  );
  return groups;
}

/** Returns the groups of a link or campaign. Null if its figures do not have them. */
async function groupsOfOne(
  { clicks }: StatsReading,
  { scope, dimension, ...asked }: Omit<GroupsAsked, 'field'> & { readonly dimension: Dimension },
): Promise<readonly CountedGroup[] | null> {
  const own = BREAKDOWN_DIMENSIONS.find((each) => each === dimension);
  if (own === undefined) return null;
  const lines = await clicks.breakdowns(scope, Number.MAX_SAFE_INTEGER, [own]);
  const groups = lines.map(({ value, ...counts }): CountedGroup => ({ value: value === '' ? null : value, ...countsOf(counts) }));
  return mostClicked(groups, asked);
}

/** Adding up more figures takes several times as long as counting the clicks of columns (`npm run bench -- stats`). */
const SUMS_BESIDE_COLUMNS_MAX = 100_000;

/** Returns the groups that are in figures. Null if they are too many, or if counting the clicks takes less time. */
async function groupsOfFigures(
  { clicks, figures }: FiguresReading,
  dimension: Dimension,
  { scope, field, limit, measure, query, nowMs }: GroupsAsked & { readonly field: ClickFilter },
): Promise<readonly CountedGroup[] | null> {
  const list = LONG_LISTS.find((each) => each === dimension);
  const sums = await countInTime(scope.window, { query }, async () => {
    // Prefixes of long lists are stored; they have what people clicked on most.
    const tops =
      list === undefined || measure !== 'human' ? [] : await clicks.topValues({ scope, lists: [list], top: limit, byAllNext: true });
    // For items, there are up to `limit` of each type.
    if (tops.length >= limit) return tops;
    const addUp = () => clicks.sums({ scope, daily: [], total: [dimension], top: limit, measure });
    if (list !== undefined) {
      if (!(await figures.hasMoreSums(scope, dimension, SUMS_BESIDE_COLUMNS_MAX))) return addUp();
      if (await figures.hasColumns(scope.window, field, nowMs)) return null;
    }
    return (await figures.hasMoreSums(scope, dimension, SUMMED_FIGURES_MAX)) ? null : addUp();
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
