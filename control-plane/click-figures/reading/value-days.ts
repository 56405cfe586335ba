import type { ClickFilter } from '../../../shared/contract/schemas/clicks-query.js';
import type { Queryable } from '../../db/database.js';
import { daysOf, type StatsWindow } from '../../local-days/window.js';
import { type ClickCounts, COUNT_COLUMNS } from '../counts.js';
import { type Dimension, FIELD_DIMENSIONS, FIELDS_WITHOUT_NULL, NO_SUBJECT } from '../dimensions.js';

/** A value that clicks have in a field; null means none. Types are given as `uuid`. */
export interface FieldValue {
  readonly field: ClickFilter;
  readonly value: string | null;
}

interface Figure {
  readonly dimension: Dimension;
  readonly subject_id: string;
  readonly value: string;
}

/** The figure that counts the clicks with the value. Null if there is none. */
function figureOf({ field, value }: FieldValue): Figure | null {
  const dimension = FIELD_DIMENSIONS[field];
  if (dimension === undefined) return null;
  if (!FIELDS_WITHOUT_NULL.includes(field)) return { dimension, subject_id: NO_SUBJECT, value: value ?? '' };
  return field === 'resource_type' && value !== null ? { dimension, subject_id: value, value: '' } : null;
}

/** Returns the clicks with the value on each day of the window that has any. Null if there are no figures of the field. */
export async function readValueDays(
  snapshot: Queryable,
  window: StatsWindow,
  wanted: FieldValue,
): Promise<ReadonlyMap<string, ClickCounts> | null> {
  const figure = figureOf(wanted);
  if (figure === null) return null;
  const { dimension, subject_id, value } = figure;
  const { rows } = await snapshot.query<ClickCounts & { readonly day: string }>({
    // Not prepared, so that PostgreSQL plans it with the actual days and opens only their partitions.
    text: `SELECT day::text, ${COUNT_COLUMNS} FROM click_figures
           WHERE environment_number = $1 AND dimension = $2 AND campaign = '' AND subject_id = $3 AND value = $4 AND day = ANY ($5::date[])`,
    values: [window.environment_number, dimension, subject_id, value, daysOf(window)],
  });
  return new Map(rows.map(({ day, ...counts }) => [day, counts]));
}
