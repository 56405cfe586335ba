import { rowsOf } from './field-rows.js';
import type { FieldValue, FieldValues } from './field-values.js';

/** The state of a form after the object that it edits was changed elsewhere. */
export interface Merge {
  /** The fields as they are now saved, with the user's own changes applied. */
  readonly values: FieldValues;
  /** The saved values of the fields that both sides changed to different values. */
  readonly theirs: FieldValues;
}

/**
 * A three-way merge. `base` is what the form began with, `mine` what it holds, and `saved` what the object holds now. A field that only one
 * side changed takes that side's value. A field that both changed keeps mine. A row of a list is merged as a unit. If the number of rows
 * differs among the three, the whole list is a unit, because the same position may hold a different row.
 */
export function mergeFields(base: FieldValues, mine: FieldValues, saved: FieldValues): Merge {
  const values: Record<string, FieldValue> = {};
  const theirs: Record<string, FieldValue> = {};
  for (const fields of mergedTogether(base, mine, saved)) {
    const differ = (one: FieldValues, other: FieldValues) => fields.some((field) => !isSame(one[field], other[field]));
    const isMine = differ(mine, base);
    const isConflict = isMine && differ(saved, base);
    for (const field of fields) {
      const [own, now] = [mine[field], saved[field]];
      const taken = isMine ? own : now;
      if (taken !== undefined) values[field] = taken;
      // A row that was removed is a conflict as well. Its fields are empty.
      if (isConflict && own !== undefined && !isSame(own, now) && !isSame(now, base[field])) theirs[field] = now ?? '';
    }
  }
  return { values, theirs };
}

/**
 * The fields of all three, in groups that change together. `/ios_apps/2/team_id` is grouped with the other fields of its row or of its
 * list.
 */
function mergedTogether(...all: readonly FieldValues[]): Iterable<readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const field of new Set(all.flatMap(Object.keys))) {
    const [, list = '', row = ''] = /^(.*?)\/(\d+)(?:\/|$)/.exec(field) ?? [];
    const isEven = new Set(all.map((values) => rowsOf(values, list).length)).size === 1;
    const group = list === '' ? field : isEven ? `${list}/${row}` : list;
    groups.set(group, [...(groups.get(group) ?? []), field]);
  }
  return groups.values();
}

/** The members of `after` that differ from those of `before`. */
export function changedMembers<Body extends object>(before: Body, after: Body): Partial<Body> {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => !isSame(value, before[name as keyof Body]))) as Partial<Body>;
}

/** Whether all fields have the same values. */
export function areSameFields(one: FieldValues, other: FieldValues): boolean {
  return Object.keys({ ...one, ...other }).every((field) => isSame(one[field], other[field]));
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
