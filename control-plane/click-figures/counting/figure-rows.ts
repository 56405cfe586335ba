import { binaryIntegers, binaryTexts, binaryUuids } from '../../db/binary-arrays.js';
import type { Queryable } from '../../db/database.js';
import { ensureDayPartitions } from '../../db/day-partitions.js';
import type { Breakdown, Figure } from '../day-count/day-count.js';
import { DIMENSION_NAMES } from '../dimensions.js';
import { FIGURE_COLUMNS, FIGURE_KEY } from '../figure-tables.js';
import { growDayPrefixes } from '../prepared/top-prefixes.js';

/** Figures as rows. The values are those of `figureValues`; `$2` is the day. */
export const FIGURE_ROWS = `
  SELECT environment_number, $2::date AS day, ($1::click_dimension[])[dimension + 1] AS dimension, subject_id, campaign COLLATE "C" AS campaign,
    value COLLATE "C" AS value, clicks, human, visitors
  FROM unnest($3::integer[], $4::text[], $5::uuid[], $6::integer[], $7::text[], $8::integer[], $9::integer[], $10::integer[])
    AS changed (environment_number, campaign, subject_id, dimension, value, clicks, human, visitors)
  WHERE environment_number IN (SELECT number FROM environments)`;

/**
 * Creates the partitions for the figures of the days. Call it before the transaction that counts, because creating a partition
 * locks all of them until its transaction ends. For the same reason each table has a statement of its own: one for all of them, and
 * a transaction that counts, could wait for each other.
 */
export async function ensureFigurePartitions(database: Queryable, days: readonly string[]): Promise<void> {
  for (const table of ['click_figures', 'click_breakdowns', 'click_breakdown_changes']) await ensureDayPartitions(database, table, days);
}

/** Inserts rows in the order of their key, which takes half the time of any other order. */
const INSERT_FIGURES = `
  INSERT INTO click_figures (${FIGURE_COLUMNS})
  SELECT ${FIGURE_COLUMNS} FROM (${FIGURE_ROWS}) AS figure
  ORDER BY ${FIGURE_KEY}`;

/** Inserts or replaces figures of the day, also in the prefixes of its long lists. Skips figures of environments that no longer exist. */
export async function storeFigures(database: Queryable, day: string, figures: readonly Figure[]): Promise<void> {
  if (figures.length === 0) return;
  await database.query({
    text: `
      WITH stored AS (
        ${INSERT_FIGURES}
        ON CONFLICT (${FIGURE_KEY}, day) DO UPDATE
        SET clicks = excluded.clicks, human = excluded.human, visitors = excluded.visitors
        RETURNING ${FIGURE_COLUMNS}
      ), ${growDayPrefixes('stored')}
      SELECT`,
    values: figureValues(day, figures),
  });
}

/** Stores the figures of a day that has none yet. Skips figures of environments that no longer exist. */
export async function insertFigures(database: Queryable, day: string, figures: readonly Figure[]): Promise<void> {
  await database.query({ text: INSERT_FIGURES, values: figureValues(day, figures) });
}

export function figureValues(day: string, figures: readonly Figure[]): readonly unknown[] {
  return [
    DIMENSION_NAMES,
    day,
    ...keysOf(figures),
    binaryIntegers(figures.map(({ dimension }) => dimension)),
    binaryTexts(figures.map(({ value }) => value)),
    binaryIntegers(figures.map(({ clicks }) => clicks)),
    binaryIntegers(figures.map(({ human }) => human)),
    binaryIntegers(figures.map(({ visitors }) => visitors)),
  ];
}

/** Inserts whole breakdowns, or replaces those stored of the day together with their changes; adds the changes of other breakdowns. */
export async function storeBreakdowns(database: Queryable, day: string, breakdowns: readonly Breakdown[]): Promise<void> {
  const wholes = breakdowns.filter(({ change }) => change === 0);
  const changes = breakdowns.filter(({ change }) => change > 0);
  if (wholes.length > 0) {
    await deleteBreakdowns(database, 'click_breakdown_changes', [day, ...keysOf(wholes)]);
    await database.query({
      text: `
        INSERT INTO click_breakdowns (environment_number, day, campaign, subject_id, figures)
        SELECT environment_number, $1::date, campaign, subject_id, figures
        FROM unnest($2::integer[], $3::text[], $4::uuid[], $5::text[]) AS whole (environment_number, campaign, subject_id, figures)
        WHERE environment_number IN (SELECT number FROM environments)
        ORDER BY environment_number, campaign COLLATE "C", subject_id
        ON CONFLICT (environment_number, campaign, subject_id, day) DO UPDATE SET figures = excluded.figures`,
      values: [day, ...keysOf(wholes), linesOf(wholes)],
    });
  }
  if (changes.length > 0)
    await database.query({
      text: `
        INSERT INTO click_breakdown_changes (environment_number, day, campaign, subject_id, figures, change)
        SELECT environment_number, $1::date, campaign, subject_id, figures, change
        FROM unnest($2::integer[], $3::text[], $4::uuid[], $5::text[], $6::integer[]) AS changed (environment_number, campaign, subject_id, figures, change)
        WHERE environment_number IN (SELECT number FROM environments)
        ORDER BY environment_number, campaign COLLATE "C", subject_id`,
      values: [day, ...keysOf(changes), linesOf(changes), binaryIntegers(changes.map(({ change }) => change))],
    });
}

/** Deletes rows of breakdowns by their keys: the day, and arrays of the environments, campaigns and subjects. */
export async function deleteBreakdowns(
  database: Queryable,
  table: 'click_breakdowns' | 'click_breakdown_changes',
  keys: readonly unknown[],
): Promise<void> {
  await database.query({
    text: `
      DELETE FROM ${table} AS breakdown
      USING unnest($2::integer[], $3::text[], $4::uuid[]) AS gone (environment_number, campaign, subject_id)
      WHERE (breakdown.environment_number, breakdown.campaign, breakdown.subject_id, breakdown.day)
        = (gone.environment_number, gone.campaign, gone.subject_id, $1::date)`,
    values: keys,
  });
}

/** Arrays of the environments, campaigns and subjects of the rows. */
export function keysOf(rows: readonly (Breakdown | Figure)[]): readonly [Buffer, Buffer, Buffer] {
  return [
    binaryIntegers(rows.map(({ environment_number }) => environment_number)),
    binaryTexts(rows.map(({ campaign }) => campaign)),
    binaryUuids(rows.map(({ subject_id }) => subject_id)),
  ];
}

export function linesOf(breakdowns: readonly Breakdown[]): Buffer {
  return binaryTexts(breakdowns.map(({ figures }) => figures));
}
