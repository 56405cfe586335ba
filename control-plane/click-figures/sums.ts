import type { ClickMeasure } from '../../shared/contract/schemas/clicks-query.js';
import type { Queryable } from '../db/database.js';
import type { Dimension } from './dimensions.js';
import { createParameters } from './parameters.js';
import { type FigureScope, type FigureSelection, selectFigures } from './reading.js';

/** How often something was clicked on. */
export interface ClickCounts {
  readonly all: number;
  readonly human: number;
  readonly unique: number;
}

/** Clicks of one group over a range, or on one day of it. */
export interface FigureSum extends ClickCounts {
  readonly dimension: Dimension;
  /** Null if this is the sum over all days. */
  readonly day: string | null;
  /** Link or resource type, as `uuid`. */
  readonly subject_id: string;
  readonly campaign: string;
  /** '' if unknown. */
  readonly value: string;
}

export interface SumsWanted {
  readonly scope: FigureScope;
  /** Summed for each day. */
  readonly daily: readonly Dimension[];
  /** Summed over the days. */
  readonly total: readonly Dimension[];
  /** How many groups of each dimension in `total` to return: those with the most clicks by people, or the most by the measure. */
  readonly top: number;
  readonly measure?: ClickMeasure;
}

/** The order of groups by each measure. Groups with the same count by the measure are ordered by the other counts. */
const MEASURED_BY: Readonly<Record<ClickMeasure, readonly (keyof ClickCounts)[]>> = {
  human: ['human', 'all'],
  unique: ['unique', 'human', 'all'],
  all: ['all', 'human'],
};

/** The first part of an `ORDER BY`; `columns` names the counts in the statement. */
export function mostFirst(measure: ClickMeasure, columns: Readonly<Record<keyof ClickCounts, string>>): string {
  return MEASURED_BY[measure].map((count) => `${columns[count]} DESC`).join(', ');
}

/** Compares two groups in the same order. Returns a number below 0 if the first has more. */
export function compareCounts(measure: ClickMeasure, one: ClickCounts, other: ClickCounts): number {
  const differing = MEASURED_BY[measure].find((count) => one[count] !== other[count]);
  return differing === undefined ? 0 : other[differing] - one[differing];
}

export function isSameCounts(one: ClickCounts, other: ClickCounts): boolean {
  return one.all === other.all && one.human === other.human && one.unique === other.unique;
}

/**
 * Reads figures of the scope in one statement. Groups with the most clicks by people, or the most by the measure, come first. The statement
 * is not prepared, so that PostgreSQL plans it with the actual days and opens only their partitions.
 */
export async function readSums(snapshot: Queryable, wanted: SumsWanted): Promise<readonly FigureSum[]> {
  const { scope, daily, total, top, measure = 'human' } = wanted;
  const order = mostFirst(measure, { human: 'human', unique: 'visitors', all: 'clicks' });
  const parameters = createParameters();
  const figures = selectFigures({ scope, dimensions: [...daily, ...total] }, parameters);
  const dailyParameter = `${parameters.add(daily)}::click_dimension[]`;
  const { rows } = await snapshot.query<FigureSum>({
    text: `
      WITH figure AS (${figures}), summed AS (
        SELECT dimension, CASE WHEN dimension = ANY (${dailyParameter}) THEN day END AS day, subject_id, campaign, value,
          sum(clicks) AS clicks, sum(human) AS human, sum(visitors) AS visitors
        FROM figure
        GROUP BY 1, 2, 3, 4, 5
      ), placed AS (
        SELECT *, row_number() OVER (PARTITION BY dimension, day ORDER BY ${order}, subject_id, campaign, value) AS place
        FROM summed
      )
      SELECT dimension, day::text, subject_id, campaign, value, clicks::float8 AS "all", human::float8 AS human, visitors::float8 AS "unique"
      FROM placed
      WHERE day IS NOT NULL OR place <= ${parameters.add(top)}
      ORDER BY dimension, day, place`,
    values: parameters.values,
  });
  return rows;
}

/** Whether the dimensions have more than `rowsMax` rows of figures. Reads no more than that, in a fifth of the time of adding them up. */
export async function hasMoreFigures(
  snapshot: Queryable,
  selection: Pick<FigureSelection, 'scope' | 'dimensions'>,
  rowsMax: number,
): Promise<boolean> {
  const parameters = createParameters();
  const figures = selectFigures(selection, parameters);
  const { rows } = await snapshot.query<{ rows: number }>({
    text: `SELECT count(*)::integer AS rows FROM (SELECT FROM (${figures}) AS figure LIMIT ${parameters.add(rowsMax + 1)}) AS looked_at`,
    values: parameters.values,
  });
  return (rows[0]?.rows ?? 0) > rowsMax;
}

export function addCounts(counts: readonly ClickCounts[]): ClickCounts {
  return counts.reduce(
    (sum, { all, human, unique }) => ({ all: sum.all + all, human: sum.human + human, unique: sum.unique + unique }),
    NO_CLICKS,
  );
}

export const NO_CLICKS: ClickCounts = { all: 0, human: 0, unique: 0 };

export function countsOf({ all, human, unique }: ClickCounts): ClickCounts {
  return { all, human, unique };
}
