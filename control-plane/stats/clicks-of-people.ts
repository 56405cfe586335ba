import type { ClickCondition, GroupKey } from '../click-figures/click-groups.js';
import type { ClicksOfPeople, ClicksScope, PeopleGroups } from '../click-figures/reading/people-sums.js';
import type { ClickReading } from '../click-store/click-store.js';
import { checkLogSize, countInTime } from './log-bounds.js';
import { asOfLog } from './source.js';

/** Clicks by people in the scope and in each of the groups, from sums if the store has them for the days, and otherwise from the log. */
export async function readClicksOfPeople(clicks: ClickReading, scope: ClicksScope, groups: PeopleGroups): Promise<ClicksOfPeople> {
  const summed = await clicks.peopleSums(scope, groups);
  if (summed !== null) return summed;
  const { window, nowMs } = scope;
  const wanted = GROUPS.map(([name, key, field]) => ({ name, key, field, among: valuesOf(groups, name) })).filter(
    ({ among }) => among.length > 0,
  );
  if (!clicks.takesAnySize) await checkLogSize((days) => clicks.groupSizes(days, nowMs), [{ window, groupings: 1 + wanted.length }]);
  // Clicks of past days may be counted from columns, which have the clicks that figures include.
  const inScope: readonly ClickCondition[] = clicks.figures === null ? conditionsOf(scope) : [...conditionsOf(scope), 'counted'];
  const count = async (key: GroupKey, condition: readonly ClickCondition[]) => {
    const asked = { window, nowMs, conditions: [...condition, ...inScope], groupings: [{ key, limit: Number.MAX_SAFE_INTEGER }] };
    const [rows = []] = await countInTime(window, {}, () => clicks.groups(asked));
    return new Map(rows.map(({ value, human }) => [value ?? '', human]));
  };
  const counted: Partial<Record<keyof PeopleGroups, ReadonlyMap<string, number>>> = {};
  for (const { name, key, field, among } of wanted) counted[name] = await count(key, [{ field, among }]);
  const { links = NONE, campaigns = NONE, types = NONE, items = NONE } = counted;
  return {
    as_of: clicks.figures === null ? asOfLog(clicks, nowMs) : await clicks.asOf(window),
    total: (await count('nothing', [])).get('') ?? 0,
    links,
    campaigns,
    types,
    items,
  };
}

const NONE: ReadonlyMap<string, number> = new Map();

/** For each kind of groups, how clicks are grouped, and the field by which the log is searched for them. */
const GROUPS = [
  ['links', { field: 'link' }, 'link'],
  ['campaigns', { field: 'campaign' }, 'campaign'],
  ['types', { field: 'resource_type' }, 'resource_type'],
  // Items of other types may have the same ids. They are counted as well, but nobody reads their counts.
  ['items', 'item of type', 'item'],
] as const satisfies readonly (readonly [keyof PeopleGroups, GroupKey, string])[];

function valuesOf(groups: PeopleGroups, name: keyof PeopleGroups): readonly string[] {
  return name === 'items' ? [...new Set(groups.items.map(({ item }) => item))] : groups[name];
}

function conditionsOf({ link, campaign, types, item }: ClicksScope): readonly ClickCondition[] {
  return [
    ...(link === null ? [] : [{ field: 'link' as const, value: link }]),
    ...(campaign === null ? [] : [{ field: 'campaign' as const, value: campaign }]),
    ...(types === null ? [] : [{ field: 'resource_type' as const, among: types }]),
    ...(item === null ? [] : [{ field: 'item' as const, value: item }]),
  ];
}
