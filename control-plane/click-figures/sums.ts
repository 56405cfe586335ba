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
  /** Null where the sum goes over all days. */
  readonly day: string | null;
  /** Link or resource type, as `uuid`. */
  readonly subject_id: string;
  readonly campaign: string;
  /** '' for what is not known. */
  readonly value: string;
}

export interface SumsWanted {
  readonly scope: FigureScope;
  /** Summed for each day. */
  readonly daily: readonly Dimension[];
  /** Summed over the days. */
  readonly total: readonly Dimension[];
  /** Of each of `total`, the groups with most clicks by people, or most by the measure. */
  readonly top: number;
  readonly measure?: ClickMeasure;
}

/** Groups of as many by the measure are told apart by the others. */
const MEASURED_BY: Readonly<Record<ClickMeasure, readonly (keyof ClickCounts)[]>> = {
  human: ['human', 'all'],
  unique: ['unique', 'human', 'all'],
  all: ['all', 'human'],
};

/** The first part of an `ORDER BY`, over what the counts are in the statement. */
export function mostFirst(measure: ClickMeasure, columns: Readonly<Record<keyof ClickCounts, string>>): string {
  return MEASURED_BY[measure].map((count) => `${columns[count]} DESC`).join(', ');
}

/** The same of two groups: below 0 if the first has more. */
export function compareCounts(measure: ClickMeasure, one: ClickCounts, other: ClickCounts): number {
  const differing = MEASURED_BY[measure].find((count) => one[count] !== other[count]);
  return differing === undefined ? 0 : other[differing] - one[differing];
}

/**
 * Figures of the scope in one statement. Groups come with most clicks by people first, or most by the measure. Not prepared: planned with the
 * days at hand, PostgreSQL opens their partitions alone.
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

/** Whether the figures of the dimensions are more than so many rows. No more are looked at: a fifth of the time that adding them up takes. */
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
