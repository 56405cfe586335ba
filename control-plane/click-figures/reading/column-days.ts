import type { ClickFilter } from '../../../shared/contract/schemas/clicks-query.js';
import type { Queryable } from '../../db/database.js';
import { daysOf, type StatsWindow } from '../../local-days/window.js';
import type { ColumnField } from '../columns/column.js';
import type { StoredGroup } from '../columns/field-groups.js';
import { hasFigures } from '../kept-days.js';

/** A day whose clicks can be counted from columns (prepared/day-columns.ts). A day without clicks has no parts. */
export interface ColumnDay {
  readonly parts: number;
  /** All clicks of the day. */
  readonly clicks: number;
  /** The groups that are asked for, if they are stored. */
  readonly groups: readonly StoredGroup[] | null;
  /** Clicks that are not in the columns; null if there are none. */
  readonly later: LaterClicks | null;
}

/** Clicks of a day in batches that were stored after its columns were made. */
export interface LaterClicks {
  /** The last batch in the columns. */
  readonly lastBatch: string;
  /** How many these clicks are by the figures. */
  readonly all: number;
  readonly human: number;
}

/** Groups of all clicks by a field, or only the one without a value. */
export interface DayGroupsWanted {
  readonly field: ClickFilter;
  readonly nullOnly: boolean;
}

/** Returns the days of the window that have columns of the fields, or no figures. The columns of a day without figures are about to be erased. */
export async function readColumnDays(
  snapshot: Queryable,
  window: StatsWindow,
  fields: readonly ColumnField[],
  nowMs: number,
  groups: DayGroupsWanted | null = null,
): Promise<ReadonlyMap<string, ColumnDay>> {
  const days = daysOf(window).filter((day) => hasFigures(day, nowMs));
  if (days.length === 0) return new Map();
  const { rows } = await snapshot.query<ColumnDay & { readonly day: string }>({
    text: `
      SELECT asked.day::text, coalesce(made.parts, 0) AS parts, coalesce(total.clicks, 0)::float8 AS clicks, stored.groups,
        CASE WHEN NOT found.has_all THEN json_build_object(
          'lastBatch', last_batch::text, 'all', total.clicks - made.clicks, 'human', total.human - made.human
        ) END AS later
      FROM unnest($2::date[]) AS asked (day)
      LEFT JOIN (
        SELECT day, clicks, human, visitors FROM click_figures WHERE environment_number = $1 AND dimension = 'total' AND day = ANY ($2::date[])
      ) AS total USING (day)
      LEFT JOIN click_column_days AS made ON made.environment_number = $1 AND made.day = total.day AND made.fields @> $3::text[]
      CROSS JOIN LATERAL (
        SELECT (made.clicks, made.human, made.visitors) = (total.clicks, total.human, total.visitors) AS has_all
      ) AS found
      LEFT JOIN click_day_groups AS stored ON (stored.environment_number, stored.day) = (made.environment_number, made.day)
        AND found.has_all AND stored.field = $4 AND (stored.is_whole OR $5)
      WHERE total.day IS NULL OR found.has_all OR made.last_batch IS NOT NULL`,
    values: [window.environment_number, days, fields, groups?.field ?? null, groups?.nullOnly ?? false],
  });
  return new Map(rows.map(({ day, ...kept }) => [day, kept]));
}

/** Whether all clicks of the window can be counted from columns by the field. */
export async function hasColumns(snapshot: Queryable, window: StatsWindow, field: ClickFilter, nowMs: number): Promise<boolean> {
  const days = await readColumnDays(snapshot, window, ['visitor', 'bot', field], nowMs);
  return daysOf(window).every((day) => days.has(day));
}
