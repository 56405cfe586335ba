import type { FieldValue, FieldValues } from '../session/field-values.js';

/** What a form holds after the object that it edits was changed elsewhere. */
export interface Merge<Values extends FieldValues> {
  /** The fields as they are now saved, with the reader's own changes in them. */
  readonly values: Values;
  /** The saved values of the fields that both sides changed, each to something else. */
  readonly theirs: FieldValues;
}

/**
 * A three-way merge, field by field: `base` is what the form began with, `mine` what it holds, and `saved` what the object
 * holds now. A field that only one side changed takes that side's value. A field that both changed keeps mine. Rows of lists
 * come and go, so that a field may be absent.
 */
export function mergeFields<Values extends FieldValues>(base: Values, mine: Values, saved: Values): Merge<Values> {
  const values: Record<string, FieldValue> = {};
  const theirs: Record<string, FieldValue> = {};
  for (const field of new Set([...Object.keys(saved), ...Object.keys(mine)])) {
    const [before, own, now] = [base[field], mine[field], saved[field]];
    const taken = isSame(own, before) ? now : own;
    if (taken !== undefined) values[field] = taken;
    if (now !== undefined && !isSame(own, before) && !isSame(now, before) && !isSame(own, now)) theirs[field] = now;
  }
  return { values: values as Values, theirs };
}

/** The members of `after` that differ from those of `before`. */
export function changedMembers<Body extends object>(before: Body, after: Body): Partial<Body> {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => !isSame(value, before[name as keyof Body]))) as Partial<Body>;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
