import type { ClickFilter, ClickMeasure } from '../../shared/contract/schemas/clicks-query.js';
import type { ClickCondition, CountedGroup, GroupsWanted, LogRange } from './click-groups.js';

/** Groups of past days by fields that figures do not have: prepared/day-groups.ts and prepared/day-tags.ts store them. */

/** A group as it is stored in `click_day_groups` and `click_day_tags`. */
export type StoredGroup = readonly [value: string | null, all: number, human: number, unique: number];

export function storedGroups(groups: readonly CountedGroup[]): readonly StoredGroup[] {
  return groups.map(({ value, all, human, unique }) => [value, all, human, unique]);
}

/** The inverse of `storedGroups`. */
export function countedGroups(groups: readonly StoredGroup[]): readonly CountedGroup[] {
  return groups.map(([value, all, human, unique]) => ({ value, all, human, unique }));
}

/** Fields whose values are in figures, but not the clicks without a value. Only the group of those clicks is kept. */
export const FIELDS_WITHOUT_NULL: readonly ClickFilter[] = ['link', 'campaign', 'resource_type', 'item'];

interface OthersWanted {
  readonly field: ClickFilter;
  /** Maximum number of groups; those with the most clicks by the measure are returned. */
  readonly limit: number;
  readonly measure?: ClickMeasure;
}

/** The groups of the field that figures do not have, among the clicks that figures include. */
export function othersWanted(range: LogRange, { field, limit, measure }: OthersWanted): GroupsWanted {
  const withoutValue: readonly ClickCondition[] = FIELDS_WITHOUT_NULL.includes(field) ? [{ field, value: null }] : [];
  return { range, conditions: ['counted', ...withoutValue], groupings: [{ key: { field }, limit, measure }] };
}

/** How often tags of the environment have changed, as SQL. */
export function tagChangesSql(environmentNumber: string): string {
  return `(SELECT coalesce(sum(changes), 0)::bigint FROM click_tag_changes WHERE click_tag_changes.environment_number = ${environmentNumber})`;
}
