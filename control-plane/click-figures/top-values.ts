import type { Queryable } from '../db/database.js';
import { createParameters } from './parameters.js';
import type { FigureScope } from './reading.js';
import type { ClickCounts } from './sums.js';
import { type LongList, type Reading, type Threshold, type TopValuesWanted, type TopWindow, topValuesStatement } from './top-values-sql.js';

export interface TopEntry extends ClickCounts {
  readonly dimension: LongList;
  /** The link, or the type of an item, as `uuid`. */
  readonly subject_id: string;
  readonly campaign: string;
  readonly value: string;
}

/**
 * What people clicked on most, over the window of the scope: exact, whatever the number of links or items. Most clicks
 * first, then by key.
 *
 * Prefixes of the sorted lists are kept over most days (top-prefixes.ts), each with a bound: the most clicks that any entry
 * outside the prefix has. What is known of an entry is the sum over the prefixes that have it and over the days
 * without a prefix. The entry cannot have more than that and the bounds of the other prefixes together.
 * So only entries whose upper bound is at least the last of the top values are looked up day by day, and no entry that is in
 * no prefix at all is missed as long as the sum of the bounds is below the last of the top values. If it is not, more is
 * read. This is the idea of the algorithms NRA and CA (Fagin, Lotem, Naor 2001), over lists that are cut off.
 */
export async function readTopValues(snapshot: Queryable, wanted: TopValuesWanted): Promise<readonly TopEntry[]> {
  const found: TopEntry[] = [];
  const windows = await readWindows(snapshot, wanted.scope.window);
  let lists = wanted.lists;
  let thresholds: readonly Threshold[] = [];
  for (const step of READINGS) {
    // Where the range itself may hide an entry of the first places, single days do not settle it.
    if (step.thresholds && thresholds.some(({ above }) => above < 0)) continue;
    const reading = { depth: step.depth, windows: step.prefixes ? windows : [], thresholds: step.thresholds ? thresholds : [] };
    const read = await readOnce(snapshot, { ...wanted, lists }, reading);
    thresholds = read.flatMap(({ threshold }) => threshold ?? []);
    const unsettled = new Set(thresholds.map(({ dimension }) => dimension));
    found.push(...read.flatMap(({ entry }) => (entry === null || unsettled.has(entry.dimension) ? [] : [entry])));
    lists = lists.filter((dimension) => unsettled.has(dimension));
    if (lists.length === 0) break;
  }
  return found;
}

/**
 * Each reading takes in more than the one before it, for the lists that the one before left open; the last one takes in
 * everything. Two hundred entries are enough for the top ten of a list in which some are clicked on far more than most,
 * which is the rule. If all are clicked on alike, even everything that is kept may not be enough.
 */
const READINGS = [
  { depth: 200, prefixes: true, thresholds: false },
  { depth: null, prefixes: true, thresholds: false },
  { depth: null, prefixes: true, thresholds: true },
  { depth: null, prefixes: false, thresholds: false },
] as const;

/** The windows of prefixes that lie within this one: one of the whole range, and single days that the range does not have. */
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
  /** Null for a list that has none. */
  readonly entry: TopEntry | null;
  /** Null where the entry's list is settled. */
  readonly threshold: Threshold | null;
}

async function readOnce(snapshot: Queryable, wanted: TopValuesWanted, reading: Reading): Promise<readonly Read[]> {
  const parameters = createParameters();
  const { rows } = await snapshot.query<TopEntry & { list_id: string; above: number | null }>({
    text: topValuesStatement(wanted, reading, parameters),
    values: parameters.values,
  });
  return rows.map(({ list_id, above, ...entry }) => ({
    entry: entry.subject_id === null ? null : entry,
    threshold: above === null ? null : { dimension: entry.dimension, list_id, above },
  }));
}
