import { isStatementTimeout, type Queryable, type Snapshot } from '../../db/database.js';
import type { StatsWindow } from '../../local-days/window.js';
import { type CountedGroup, type Grouping, type GroupsWanted, readLogRange } from '../click-groups.js';
import { type ColumnsCounted, columnsNeeded } from '../columns/column-count.js';
import type { ColumnThreads } from '../columns/column-threads.js';
import type { StoredGroup } from '../columns/field-groups.js';
import { countGroups } from '../log/count-groups.js';
import { readLogSizes } from '../log/log-days.js';
import { readTaggedLinks } from '../log/tagged-links.js';
import { type ColumnDay, type DayGroupsWanted, readColumnDays } from './column-days.js';
import { type ColumnBounds, countColumns } from './column-groups.js';
import { readLaterClicks } from './later-clicks.js';
import { missingDays } from './missing-days.js';

/** Counting the clicks of the last days that are not in columns yet took longer than a statement may take. */
export class CountTimeoutError extends Error {
  override readonly name = 'CountTimeoutError';
  /** The first of these days. */
  readonly from: string;

  constructor(from: string) {
    super('Counting the clicks of the last days took too long.');
    this.from = from;
  }
}

export interface CountBounds extends ColumnBounds {
  /** The same as for `groups`, for a span of days without columns. */
  readonly groupsOfLog: number;
}

const BOUNDS: CountBounds = { groups: 1_000_000, groupsOfLog: 100_000, clicksElsewhere: 1_000_000 };

/** In the time that reading a click of a column takes, this many bytes of the log are read (`npm run bench -- stats`). */
const COLUMN_CLICK_BYTES = 20;
/** The bytes of a click in the log. */
const LOG_CLICK_BYTES = 250;

export interface GroupsOptions {
  /** Without threads, columns are counted in this one. */
  readonly threads?: ColumnThreads | null;
  readonly bounds?: CountBounds;
}

type Groups = readonly (readonly CountedGroup[])[];

/**
 * Counts the clicks of the window by each grouping: those of days with columns or groups from these, and those of other days from the log.
 */
export async function readGroups(
  snapshot: Snapshot,
  wanted: GroupsWanted,
  { threads = null, bounds = BOUNDS }: GroupsOptions = {},
): Promise<Groups> {
  const { window, groupings, nowMs } = wanted;
  const counted = await readCounted(snapshot, wanted);
  if (counted === null) return countLog(snapshot, wanted, window, 0);
  const fields = columnsNeeded(counted);
  const stored = storedGroups(wanted);
  const found = await readColumnDays(snapshot, window, fields, nowMs, stored);
  const read = await readLaterClicks(snapshot, window, found, fields).catch((error: unknown) => {
    throw isStatementTimeout(error) ? new CountTimeoutError(firstWithLater(found)) : error;
  });
  const { days } = read;
  if (days.size === 0) return countLog(snapshot, wanted, window, 0);
  const { environment_number } = window;
  const count = await countColumns(snapshot, { environment_number, counted, fields, bounds, ...read }, threads);
  if (count === null) return countLog(snapshot, wanted, window, 0);
  for (const { groups } of days.values()) if (groups !== null) count.addGroups([countedGroups(groups, stored)]);
  for (const part of missingDays(window, days)) {
    const groups = await countLog(snapshot, wanted, part, bounds.groupsOfLog + 1).catch((error: unknown) => {
      throw isStatementTimeout(error) && part.to === window.to ? new CountTimeoutError(part.from) : error;
    });
    if (groups.some(({ length }, place) => length > bounds.groupsOfLog && length >= (groupings[place] as Grouping).limit))
      return countLog(snapshot, wanted, window, 0);
    count.addGroups(groups);
  }
  return count.most(groupings);
}

/** Returns what is to be counted of columns, with the tags that it needs; null if there are too many tagged links. */
async function readCounted(snapshot: Queryable, { conditions, groupings }: GroupsWanted): Promise<ColumnsCounted | null> {
  const counted: ColumnsCounted = { conditions, keys: groupings.map(({ key }) => key) };
  const tags = tagsNeeded(counted);
  if (tags === null) return counted;
  const tagged = await readTaggedLinks(snapshot, tags.environmentId, tags.only);
  return tagged === null ? null : { ...counted, tagged };
}

/** Returns whose tags are needed, and which, if it is only one. Null if none are. */
function tagsNeeded({ conditions, keys }: ColumnsCounted): { readonly environmentId: string; readonly only: string | null } | null {
  const grouped = keys.find((key) => typeof key === 'object' && 'tagsOf' in key);
  if (typeof grouped === 'object' && 'tagsOf' in grouped) return { environmentId: grouped.tagsOf, only: null };
  const tests = conditions.flatMap((condition) => (typeof condition === 'object' && 'tagOf' in condition ? condition : []));
  const [first] = tests;
  return first === undefined ? null : { environmentId: first.tagOf, only: tests.length === 1 ? first.tag : null };
}

/** The first of the days that have clicks beside their columns. At least one has. */
function firstWithLater(days: ReadonlyMap<string, ColumnDay>): string {
  return [...days].flatMap(([day, { later }]) => (later === null ? [] : [day])).sort()[0] as string;
}

/** Returns which groups are asked for, if they may be stored: those of all clicks by one field, or of all clicks without a value in the field. */
function storedGroups({ conditions, groupings }: GroupsWanted): DayGroupsWanted | null {
  const [only] = groupings;
  if (groupings.length !== 1 || only === undefined) return null;
  const field = only.key === 'item of type' ? 'item' : typeof only.key === 'object' && 'field' in only.key ? only.key.field : null;
  if (field === null) return null;
  const others = conditions.filter((condition) => condition !== 'counted');
  const areNull = others.every((other) => typeof other === 'object' && 'value' in other && other.field === field && other.value === null);
  return areNull ? { field, nullOnly: others.length > 0 } : null;
}

function countedGroups(groups: readonly StoredGroup[], wanted: DayGroupsWanted | null): readonly CountedGroup[] {
  const asked = wanted?.nullOnly ? groups.filter(([value]) => value === null) : groups;
  return asked.map(([value, all, human, unique]) => ({ value, all, human, unique }));
}

/** Counts the clicks of the days from the log. Returns at least `groupsMin` groups, if there are as many. */
async function countLog(
  snapshot: Queryable,
  { conditions, groupings }: GroupsWanted,
  days: StatsWindow,
  groupsMin: number,
): Promise<Groups> {
  return countGroups(snapshot, {
    range: await readLogRange(snapshot, days),
    conditions,
    groupings: groupings.map((grouping) => ({ ...grouping, limit: Math.max(grouping.limit, groupsMin) })),
  });
}

/** Returns how many bytes of the log have to be read for the window, or what takes as long, by day, latest first. */
export async function readGroupSizes(
  snapshot: Queryable,
  window: StatsWindow,
  nowMs: number,
): Promise<readonly { readonly day: string; readonly bytes: number }[]> {
  // A day without a column that is needed takes longer. That is seldom, and the time that counting may take is limited as well.
  const days = await readColumnDays(snapshot, window, [], nowMs);
  const sizes = [...days].map(([day, { clicks, later }]) => ({
    day,
    bytes: clicks * COLUMN_CLICK_BYTES + (later?.all ?? 0) * LOG_CLICK_BYTES,
  }));
  for (const part of missingDays(window, days)) sizes.push(...(await readLogSizes(snapshot, await readLogRange(snapshot, part))));
  return sizes.sort((one, other) => (one.day < other.day ? 1 : -1));
}
