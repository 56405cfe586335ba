import { compareBytes } from '../../../shared/base/compare-bytes.js';
import type { Queryable } from '../../db/database.js';
import type { ClickCounts } from '../counts.js';
import { BREAKDOWN_DIMENSIONS, type BreakdownDimension, NO_SUBJECT } from '../dimensions.js';
import { ALL_BREAKDOWNS } from '../figure-tables.js';
import type { FigureScope } from './selected-figures.js';

/** Clicks on a link or a campaign with one value of a dimension, over the window. */
export interface BreakdownEntry extends ClickCounts {
  readonly dimension: BreakdownDimension;
  /** '' if unknown. */
  readonly value: string;
}

type Sum = { -readonly [Key in keyof BreakdownEntry]: BreakdownEntry[Key] };

/** Reads the breakdowns of the scope's link or campaign: the `top` values of each dimension by clicks by people, in that order. */
export async function readBreakdowns(
  snapshot: Queryable,
  { window, link, campaign }: FigureScope,
  top: number,
  dimensions: readonly BreakdownDimension[] = BREAKDOWN_DIMENSIONS,
): Promise<readonly BreakdownEntry[]> {
  const { rows } = await snapshot.query<{ day: string; figures: string }>({
    // Not prepared, so that PostgreSQL plans it with the actual days and opens only their partitions.
    text: `SELECT day::text, figures FROM (${ALL_BREAKDOWNS}) AS breakdown
           WHERE environment_number = $1 AND campaign = $2 AND subject_id = $3::uuid AND day BETWEEN $4::date AND $5::date
           ORDER BY breakdown.day, change`,
    values: [window.environment_number, campaign ?? '', link ?? NO_SUBJECT, window.from, window.to],
  });
  const sums = new Map<string, Sum>();
  for (const { dimension, value, all, human, unique } of latestLines(rows, dimensions)) {
    const key = `${dimension} ${value}`;
    const sum = sums.get(key) ?? { dimension, value, all: 0, human: 0, unique: 0 };
    sum.all += all;
    sum.human += human;
    sum.unique += unique;
    sums.set(key, sum);
  }
  const places = new Map<BreakdownDimension, number>();
  return [...sums.values()].toSorted(byClicks).filter(({ dimension }) => {
    const place = places.get(dimension) ?? 0;
    places.set(dimension, place + 1);
    return place < top;
  });
}

/** Returns the lines that no later line of the same day replaces. `rows` must be in the order of their changes. */
export function latestLines(
  rows: readonly { readonly day: string; readonly figures: string }[],
  dimensions: readonly BreakdownDimension[] = BREAKDOWN_DIMENSIONS,
): Iterable<BreakdownEntry> {
  const lines = new Map<string, BreakdownEntry>();
  for (const { day, figures } of rows)
    for (const line of parseBreakdown(figures, dimensions)) lines.set(`${day} ${line.dimension} ${line.value}`, line);
  return lines.values();
}

/** Returns the lines of a row that belong to the dimensions. The value is the rest of the line, and may contain spaces. */
export function parseBreakdown(
  figures: string,
  dimensions: readonly BreakdownDimension[] = BREAKDOWN_DIMENSIONS,
): readonly BreakdownEntry[] {
  const isOfThem = (line: string) => dimensions.some((dimension) => line.startsWith(`${dimension} `));
  return figures
    .split('\n')
    .filter(isOfThem)
    .map((line) => {
      const [dimension, all, human, unique] = line.split(' ', 4);
      const value = line.slice(`${dimension} ${all} ${human} ${unique} `.length);
      return { dimension: dimension as BreakdownDimension, all: Number(all), human: Number(human), unique: Number(unique), value };
    });
}

function byClicks(a: BreakdownEntry, b: BreakdownEntry): number {
  return b.human - a.human || b.all - a.all || compareBytes(a.value, b.value);
}
