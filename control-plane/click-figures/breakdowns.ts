import type { Queryable } from '../db/database.js';
import type { BreakdownDimension } from './dimensions.js';
import { NO_SUBJECT } from './dimensions.js';
import type { FigureScope } from './reading.js';
import type { ClickCounts } from './sums.js';

/** What a link or a campaign was clicked on with one value of a dimension, over the window. */
export interface BreakdownEntry extends ClickCounts {
  readonly dimension: BreakdownDimension;
  /** '' for what is not known. */
  readonly value: string;
}

/** Breakdowns of the link or campaign of the scope: of each dimension the values with most clicks of people, those first. */
export async function readBreakdowns(
  snapshot: Queryable,
  { window, link, campaign }: FigureScope,
  top: number,
): Promise<readonly BreakdownEntry[]> {
  const { rows } = await snapshot.query<{ figures: string }>({
    // Not prepared: planned with the days at hand, PostgreSQL opens their partitions alone.
    text: `SELECT figures FROM click_breakdowns
           WHERE environment_number = $1 AND campaign = $2 AND subject_id = $3::uuid AND day BETWEEN $4::date AND $5::date`,
    values: [window.environment_number, campaign ?? '', link ?? NO_SUBJECT, window.from, window.to],
  });
  const sums = new Map<string, { dimension: BreakdownDimension; value: string; all: number; human: number; unique: number }>();
  for (const { figures } of rows)
    for (const line of parseBreakdown(figures)) {
      const key = `${line.dimension} ${line.value}`;
      const sum = sums.get(key);
      if (sum === undefined) {
        sums.set(key, { ...line });
        continue;
      }
      sum.all += line.all;
      sum.human += line.human;
      sum.unique += line.unique;
    }
  const places = new Map<BreakdownDimension, number>();
  return [...sums.values()].toSorted(byClicks).filter(({ dimension }) => {
    const place = places.get(dimension) ?? 0;
    places.set(dimension, place + 1);
    return place < top;
  });
}

/** The lines of a row. The value is the rest of the line, and may have spaces. */
export function parseBreakdown(figures: string): readonly BreakdownEntry[] {
  return figures.split('\n').map((line) => {
    const [dimension, all, human, unique] = line.split(' ', 4);
    const value = line.slice(`${dimension} ${all} ${human} ${unique} `.length);
    return { dimension: dimension as BreakdownDimension, all: Number(all), human: Number(human), unique: Number(unique), value };
  });
}

function byClicks(a: BreakdownEntry, b: BreakdownEntry): number {
  return b.human - a.human || b.all - a.all || (a.value < b.value ? -1 : 1);
}
