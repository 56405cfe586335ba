import { CLICK_FILTERS } from '../../../shared/contract/schemas/clicks-query.js';
import type { Queryable, Snapshot } from '../../db/database.js';
import type { StatsWindow } from '../../local-days/window.js';
import { type ClickCondition, type GroupsWanted, readLogRange } from '../click-groups.js';
import type { ColumnField } from '../columns/column.js';
import type { ColumnCount, Columns } from '../columns/column-count.js';
import { hasFigures } from '../kept-days.js';
import { PART_CLICKS, readLogPart } from '../log/log-parts.js';

interface LogColumnsWanted extends Pick<GroupsWanted, 'window' | 'conditions' | 'nowMs'> {
  /** The columns that are needed to count. */
  readonly fields: readonly ColumnField[];
  readonly partsMax: number;
}

/**
 * Adds the clicks of days without columns, above all those of today. Their columns are made for this call, in half the time that PostgreSQL
 * takes to count all clicks of a day by a field and to tell their visitors apart. Returns false, without having added any, if conditions
 * select some of the clicks, which PostgreSQL can find by its indexes, or if there are too many.
 */
export async function addLogColumns(
  snapshot: Snapshot,
  count: ColumnCount,
  { window, conditions, nowMs, fields, partsMax }: LogColumnsWanted,
): Promise<boolean> {
  if (!conditions.includes('counted') || !conditions.every(hasNoValue) || !hasFigures(window.from, nowMs)) return false;
  const parts = Math.max(1, Math.ceil((await readClicks(snapshot, window)) / PART_CLICKS));
  if (parts > partsMax) return false;
  const wanted = { range: await readLogRange(snapshot, window), fields: CLICK_FILTERS.filter((field) => fields.includes(field)), parts };
  const read: Columns[] = [];
  for (let part = 0; part < parts; part++) {
    const columns = (await readLogPart(snapshot, { ...wanted, part })).columns();
    if (!fields.every((field) => columns.has(field))) return false;
    read.push(columns);
  }
  for (const columns of read) count.add(columns);
  return true;
}

function hasNoValue(condition: ClickCondition): boolean {
  return condition === 'counted' || (typeof condition === 'object' && 'value' in condition && condition.value === null);
}

/** Returns the clicks of the days that are in figures. */
async function readClicks(snapshot: Queryable, { environment_number, from, to }: StatsWindow): Promise<number> {
  const { rows } = await snapshot.query<{ clicks: number }>({
    text: `SELECT coalesce(sum(clicks), 0)::float8 AS clicks FROM click_figures
           WHERE environment_number = $1 AND dimension = 'total' AND day BETWEEN $2::date AND $3::date`,
    values: [environment_number, from, to],
  });
  return rows[0]?.clicks ?? 0;
}
