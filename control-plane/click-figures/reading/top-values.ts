import type { Queryable } from '../../db/database.js';
import { createParameters } from '../../db/parameters.js';
import type { ClickCounts } from '../counts.js';
import type { LongList } from '../dimensions.js';
import type { FigureScope } from './selected-figures.js';
import { type Threshold, type TopValuesPass, type TopValuesWanted, type TopWindow, topValuesStatement } from './top-values-sql.js';

export interface TopEntry extends ClickCounts {
  readonly dimension: LongList;
  /** The link, or the type of an item, as `uuid`. */
  readonly subject_id: string;
  readonly campaign: string;
  readonly value: string;
}

/**
 * Returns what people clicked on most over the window of the scope. The result is exact for any number of links or items. Entries
 * with the most clicks come first; those with the same number are ordered by key.
 *
 * Prefixes of the sorted lists are stored over most days (prepared/top-prefixes.ts), each with a bound: the most clicks that any entry
 * outside the prefix has. The known clicks of an entry are the sum over the prefixes that have it and over the days without a
 * prefix. The entry cannot have more than these plus the bounds of the other prefixes.
 * So only entries whose upper bound is at least the last of the top values are looked up day by day. Entries that are in no
 * prefix at all cannot be missed as long as the sum of the bounds is below the last of the top values. If it is not, more is
 * read. This is the idea of the algorithms NRA and CA (Fagin, Lotem, Naor 2001), applied to truncated lists.
 */
export async function readTopValues(
  snapshot: Queryable,
  wanted: TopValuesWanted,
  manyEntries = MANY_ENTRIES,
): Promise<readonly TopEntry[]> {
  const found: TopEntry[] = [];
  const windows = await readWindows(snapshot, wanted.scope.window);
  let lists = wanted.lists;
  let thresholds: readonly Threshold[] = [];
  for (const step of READINGS) {
    // If the range itself may hide one of the top entries, reading more of the single days cannot settle the list.
    if (step.thresholds && thresholds.some(({ above }) => above < 0)) continue;
    const pass = { depth: step.depth, windows: step.prefixes ? windows : [], thresholds: step.thresholds ? thresholds : [], manyEntries };
    const read = await readOnce(snapshot, { ...wanted, lists }, pass);
    thresholds = read.flatMap(({ threshold }) => threshold ?? []);
    const unsettled = new Set(thresholds.map(({ dimension }) => dimension));
    found.push(...read.flatMap(({ entry }) => (entry === null || unsettled.has(entry.dimension) ? [] : [entry])));
    lists = lists.filter((dimension) => unsettled.has(dimension));
    if (lists.length === 0) break;
  }
  return found;
}

/** To look up ten thousand entries, each on thirty days, takes about as long as to read all figures of these days: a second or two. */
const MANY_ENTRIES = 10_000;

/**
 * Each pass reads more than the previous one, for the lists that the previous one left open; the last one reads everything.
 * Two hundred entries are enough for the top ten of a list in which some entries have far more clicks than most, which is the
 * usual case. If all entries have about the same number of clicks, even all stored entries may not be enough.
 */
const READINGS = [
  { depth: 200, prefixes: true, thresholds: false },
  { depth: null, prefixes: true, thresholds: false },
  { depth: null, prefixes: true, thresholds: true },
  { depth: null, prefixes: false, thresholds: false },
] as const;

/** Returns the windows of prefixes within this window: one range that begins with it, if any, and single days after that range. */
async function readWindows(snapshot: Queryable, window: FigureScope['window']): Promise<readonly TopWindow[]> {
  const { rows } = await snapshot.query<TopWindow>({
    name: 'read_click_top_windows',
    text: `
      WITH kept AS (
        SELECT from_day, until_day FROM click_top_windows
        WHERE environment_number = $1 AND from_day >= $2::date AND until_day <= $3::date
      ), range AS (
        SELECT from_day, until_day FROM kept WHERE from_day = $2::date AND until_day > from_day
      )
      SELECT from_day::text AS "from", until_day::text AS until FROM range
      UNION ALL
      SELECT from_day::text, until_day::text FROM kept
      WHERE from_day = until_day AND NOT EXISTS (SELECT FROM range WHERE kept.from_day <= range.until_day)`,
    values: [window.environment_number, window.from, window.to],
  });
  return rows;
}

interface Read {
  /** Null if the list has no entries. */
  readonly entry: TopEntry | null;
  /** Null if the entry's list is settled. */
  readonly threshold: Threshold | null;
}

async function readOnce(snapshot: Queryable, wanted: TopValuesWanted, pass: TopValuesPass): Promise<readonly Read[]> {
  const parameters = createParameters();
  const { rows } = await snapshot.query<TopEntry & { list_id: string; above: number | null }>({
    text: topValuesStatement(wanted, pass, parameters),
    values: parameters.values,
  });
  return rows.map(({ list_id, above, ...entry }) => ({
    entry: entry.subject_id === null ? null : entry,
    threshold: above === null ? null : { dimension: entry.dimension, list_id, above },
  }));
}
