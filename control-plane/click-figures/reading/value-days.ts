import type { ClickFilter } from '../../../shared/contract/schemas/clicks-query.js';
import type { Queryable } from '../../db/database.js';
import { daysOf, type StatsWindow } from '../../local-days/window.js';
import { type ClickCounts, COUNT_COLUMNS, NO_CLICKS } from '../counts.js';
import { type Dimension, FIELD_DIMENSIONS, NO_SUBJECT } from '../dimensions.js';
import { FIELDS_WITHOUT_NULL } from '../stored-groups.js';
import { readDayGroups } from './day-groups.js';

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

/** Returns the clicks with the value on each day of the window. Days for which they are not counted are left out. */
export async function readValueDays(
  snapshot: Queryable,
  window: StatsWindow,
  wanted: FieldValue,
): Promise<ReadonlyMap<string, ClickCounts>> {
  const figure = figureOf(wanted);
  if (figure !== null) return readFigureDays(snapshot, window, figure);
  const { field, value } = wanted;
  // Of these fields, the stored groups have only the clicks without a value.
  if (value !== null && FIELDS_WITHOUT_NULL.includes(field)) return new Map();
  const days = await readDayGroups(snapshot, window, field);
  return new Map([...days].map(([day, groups]) => [day, groups.find((group) => group.value === value) ?? NO_CLICKS]));
}

async function readFigureDays(
  snapshot: Queryable,
  window: StatsWindow,
  { dimension, subject_id, value }: Figure,
): Promise<ReadonlyMap<string, ClickCounts>> {
  const days = daysOf(window);
  const { rows } = await snapshot.query<ClickCounts & { readonly day: string }>({
    // Not prepared, so that PostgreSQL plans it with the actual days and opens only their partitions.
    text: `SELECT day::text, ${COUNT_COLUMNS} FROM click_figures
           WHERE environment_number = $1 AND dimension = $2 AND campaign = '' AND subject_id = $3 AND value = $4 AND day = ANY ($5::date[])`,
    values: [window.environment_number, dimension, subject_id, value, days],
  });
  const counted = new Map(rows.map(({ day, ...counts }) => [day, counts]));
  return new Map(days.map((day) => [day, counted.get(day) ?? NO_CLICKS]));
}
