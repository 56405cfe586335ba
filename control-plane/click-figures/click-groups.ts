import { CLICK_FILTERS, type ClickFilter, type ClickMeasure } from '../../shared/contract/schemas/clicks-query.js';
import type { Queryable } from '../db/database.js';
import { readSpan, type Span } from '../local-days/span.js';
import type { StatsWindow } from '../local-days/window.js';
import type { ClickCounts } from './counts.js';

/** What can be counted of clicks, in whichever store they are: by which conditions, and by what they are grouped. */

/** Clicks of an environment within a span of time. */
export interface LogRange extends Span {
  readonly environment_number: number;
}

/** Returns the clicks of the window's days. */
export async function readLogRange(database: Queryable, window: StatsWindow): Promise<LogRange> {
  return { environment_number: window.environment_number, ...(await readSpan(database, window)) };
}

/** Clicks of one group, which is identified by a value. */
export interface CountedGroup extends ClickCounts {
  readonly value: string | null;
}

/** A condition that a click must meet to be counted. Links and types are given as `uuid`. */
export type ClickCondition =
  /** The field has the value; null means that it has none. */
  | { readonly field: ClickFilter; readonly value: string | null }
  /** The field has one of the values. */
  | { readonly field: ClickFilter; readonly among: readonly string[] }
  /** Clicks on links of the environment that have the tag now. For null, clicks on links without tags and on anything but links. */
  | { readonly tagOf: string; readonly tag: string | null }
  /** Clicks that the sums of the click store include as well, if it keeps any. */
  | 'counted'
  | 'never';

/**
 * How clicks are grouped: not at all; by item, with the `uuid` of its type before it (`itemKey`); by the value of a field; by time, where
 * the group is the position, starting at 1, of the last of the `starts` that is not after the click; or by the current tags of the
 * environment's links, where a click is in the group of each tag of its link.
 */
export type GroupKey =
  | 'nothing'
  | 'item of type'
  | { readonly field: ClickFilter }
  | { readonly starts: readonly string[] }
  | { readonly tagsOf: string };

/** An item of a type; the type is given as `uuid`. */
export interface TypedItem {
  readonly type: string;
  readonly item: string;
}

/** The item as the value of a group. */
export function itemKey({ type, item }: TypedItem): string {
  return `${type}/${item}`;
}

/** The inverse of `itemKey`. */
export function typedItem(key: string): TypedItem {
  const slash = key.indexOf('/');
  return { type: key.slice(0, slash), item: key.slice(slash + 1) };
}

/** One way to group the clicks. */
export interface Grouping {
  readonly key: GroupKey;
  /** Maximum number of groups: those with the most clicks by people, or the most by the measure. */
  readonly limit: number;
  readonly measure?: ClickMeasure | undefined;
}

interface Counting {
  readonly conditions: readonly ClickCondition[];
  readonly groupings: readonly Grouping[];
}

/** Groups of the clicks of a window. */
export interface GroupsWanted extends Counting {
  readonly window: StatsWindow;
  /** The time of the call. */
  readonly nowMs: number;
}

/** Groups of the clicks of a range, whether or not it consists of whole days. */
export interface RangeGroupsWanted extends Counting {
  readonly range: LogRange;
}

/** The SQL expression of each field in a table of clicks: the column of the same name, unless `others` has a different one. */
export function fieldColumns(others: Partial<Record<ClickFilter, string>>): Readonly<Record<ClickFilter, string>> {
  const columns = Object.fromEntries(CLICK_FILTERS.map((field) => [field, field])) as Record<ClickFilter, string>;
  return { ...columns, ...others };
}
