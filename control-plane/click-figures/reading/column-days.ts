import type { ClickFilter } from '../../../shared/contract/schemas/clicks-query.js';
import type { Queryable } from '../../db/database.js';
import { daysOf, type StatsWindow } from '../../local-days/window.js';
import { type Column, type ColumnField, unpackCodes } from '../columns/column.js';
import { unpackDictionary } from '../columns/dictionary.js';
import type { StoredGroup } from '../columns/field-groups.js';
import { hasFigures } from '../kept-days.js';

/** A day whose clicks can be counted from columns (prepared/day-columns.ts). A day without clicks has no parts. */
export interface ColumnDay {
  readonly parts: number;
  readonly clicks: number;
  /** The groups that are asked for, if they are stored. */
  readonly groups: readonly StoredGroup[] | null;
}

/** Groups of all clicks by a field, or only the one without a value. */
export interface DayGroupsWanted {
  readonly field: ClickFilter;
  readonly nullOnly: boolean;
}

/** Returns the days of the window that have columns of the fields, or no clicks. */
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
      SELECT asked.day::text, coalesce(made.parts, 0) AS parts, coalesce(made.clicks, 0)::float8 AS clicks, stored.groups
      FROM unnest($2::date[]) AS asked (day)
      LEFT JOIN (
        SELECT day, clicks, human, visitors FROM click_figures WHERE environment_number = $1 AND dimension = 'total' AND day = ANY ($2::date[])
      ) AS total USING (day)
      LEFT JOIN click_column_days AS made ON made.environment_number = $1 AND made.day = asked.day AND made.fields @> $3::text[]
        AND (made.clicks, made.human, made.visitors) = (total.clicks, total.human, total.visitors)
      LEFT JOIN click_day_groups AS stored ON (stored.environment_number, stored.day) = (made.environment_number, made.day)
        AND stored.field = $4 AND (stored.is_whole OR $5)
      WHERE total.day IS NULL OR made.day IS NOT NULL`,
    values: [window.environment_number, days, fields, groups?.field ?? null, groups?.nullOnly ?? false],
  });
  return new Map(rows.map(({ day, ...kept }) => [day, kept]));
}

export interface PartOfDay {
  readonly environment_number: number;
  readonly day: string;
  readonly part: number;
}

interface ColumnRow {
  readonly field: ColumnField;
  readonly clicks: number;
  readonly dictionary: Buffer;
  readonly has_null: boolean;
  readonly bits: number;
  readonly codes: Buffer;
}

/** Reads columns of a part. */
export async function readColumns(
  snapshot: Queryable,
  { environment_number, day, part }: PartOfDay,
  fields: readonly ColumnField[],
): Promise<ReadonlyMap<ColumnField, Column>> {
  const { rows } = await snapshot.query<ColumnRow>({
    name: 'read_columns',
    text: `SELECT field, clicks, dictionary, has_null, bits, codes FROM click_columns
           WHERE environment_number = $1 AND day = $2 AND part = $3 AND field = ANY ($4::text[])`,
    values: [environment_number, day, part, fields],
  });
  return new Map(
    rows.map(({ field, clicks, dictionary, has_null, bits, codes }) => [
      field,
      { dictionary: unpackDictionary(dictionary, has_null), codes: unpackCodes(codes, bits, clicks) },
    ]),
  );
}
