import type { ClickMeasure } from '../../../shared/contract/schemas/clicks-query.js';
import type { Queryable } from '../../db/database.js';
import { createParameters } from '../../db/parameters.js';
import { type ClickCounts, COUNT_COLUMNS, mostFirst, SUM_COLUMNS } from '../counts.js';
import type { Dimension } from '../dimensions.js';
import { type FigureScope, type FigureSelection, selectFigures } from './selected-figures.js';

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
          ${SUM_COLUMNS}
        FROM figure
        GROUP BY 1, 2, 3, 4, 5
      ), placed AS (
        SELECT *, row_number() OVER (PARTITION BY dimension, day ORDER BY ${order}, subject_id, campaign, value) AS place
        FROM summed
      )
      SELECT dimension, day::text, subject_id, campaign, value, ${COUNT_COLUMNS}
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
