import { binaryIntegers, binaryTexts, binaryUuids } from '../../db/binary-arrays.js';
import type { Queryable } from '../../db/database.js';
import { ensureDayPartitions } from '../../db/day-partitions.js';
import type { Breakdown, Figure } from '../day-count/day-count.js';
import { DIMENSION_NAMES, LONG_LIST_NAMES } from '../dimensions.js';
import { FIGURE_COLUMNS, FIGURE_KEY } from '../figure-tables.js';
import type { DayOfEnvironments } from '../kept-days.js';
import { growDayPrefixes, shrinkPrefixes } from '../prepared/top-prefixes.js';

/** Figures as rows, as SQL over `figureValues`; `$2` is the day. */
const FIGURE_ROWS = `
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

export interface ReplacedFigures {
  /** Environments whose figures were different before. */
  readonly changed: readonly number[];
  /** Those with entries that prefixes may lack, because they gained clicks by people or are new in a list. Rebuild their prefixes. */
  readonly grown: readonly number[];
}

/**
 * Replaces all figures that the environments have of the day. Rows that are right already are left alone. Prefixes are corrected where
 * figures have decreased. Call it in a transaction that has locked the environments' shards, so that nobody else writes. Skips figures of
 * environments that no longer exist.
 */
export async function replaceFigures(database: Queryable, whole: DayOfEnvironments, figures: readonly Figure[]): Promise<ReplacedFigures> {
  if (!(await hasRows(database, 'click_figures', whole))) {
    await database.query({ text: INSERT_FIGURES, values: figureValues(whole.day, figures) });
    const environments = [...new Set(figures.map(({ environment_number }) => environment_number))];
    return { changed: environments, grown: environments };
  }
  const { rows } = await database.query<{ environment_number: number; has_grown: boolean }>({
    text: `
      WITH present AS (
        SELECT ${FIGURE_KEY}, clicks, human, visitors FROM click_figures WHERE environment_number = ANY ($11::integer[]) AND day = $2::date
      ), differing AS MATERIALIZED (
        SELECT ${FIGURE_KEY}, wanted.clicks, wanted.human, wanted.visitors, present.clicks AS present_clicks,
          coalesce(wanted.clicks, 0) - coalesce(present.clicks, 0) AS more_clicks,
          coalesce(wanted.human, 0) - coalesce(present.human, 0) AS more_human,
          coalesce(wanted.visitors, 0) - coalesce(present.visitors, 0) AS more_visitors
        FROM (${FIGURE_ROWS}) AS wanted FULL JOIN present USING (${FIGURE_KEY})
        WHERE (wanted.clicks, wanted.human, wanted.visitors) IS DISTINCT FROM (present.clicks, present.human, present.visitors)
      ), inserted AS (
        INSERT INTO click_figures (${FIGURE_COLUMNS})
        SELECT environment_number, $2::date, dimension, subject_id, campaign, value, clicks, human, visitors
        FROM differing WHERE present_clicks IS NULL
        ORDER BY ${FIGURE_KEY}
      ), updated AS (
        UPDATE click_figures AS figure
        SET clicks = differing.clicks, human = differing.human, visitors = differing.visitors
        FROM differing
        WHERE figure.day = $2::date AND ${isSame('figure', 'differing')} AND differing.clicks IS NOT NULL AND present_clicks IS NOT NULL
      ), deleted AS (
        DELETE FROM click_figures AS figure USING differing
        WHERE figure.day = $2::date AND ${isSame('figure', 'differing')} AND differing.clicks IS NULL
      ), ${shrinkPrefixes('differing', '$2::date')}
      SELECT environment_number, bool_or(more_human > 0 OR (present_clicks IS NULL AND dimension IN (${LONG_LIST_NAMES}))) AS has_grown
      FROM differing WHERE dimension = ANY ($1::click_dimension[])
      GROUP BY environment_number`,
    values: [...figureValues(whole.day, figures), whole.environment_numbers],
  });
  const numbersOf = (some: typeof rows) => some.map(({ environment_number }) => environment_number);
  return { changed: numbersOf(rows), grown: numbersOf(rows.filter(({ has_grown }) => has_grown)) };
}

/** Whether two rows have the same key, as SQL. */
function isSame(one: string, other: string): string {
  return FIGURE_KEY.split(', ')
    .map((column) => `${one}.${column} = ${other}.${column}`)
    .join(' AND ');
}

function figureValues(day: string, figures: readonly Figure[]): readonly unknown[] {
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

/** Arrays of the environments, campaigns and subjects of the rows. */
export function keysOf(rows: readonly (Breakdown | Figure)[]): readonly [Buffer, Buffer, Buffer] {
  return [
    binaryIntegers(rows.map(({ environment_number }) => environment_number)),
    binaryTexts(rows.map(({ campaign }) => campaign)),
    binaryUuids(rows.map(({ subject_id }) => subject_id)),
  ];
}

/** Whether the environments have any row of the day; `rows` is SQL. */
export async function hasRows(database: Queryable, rows: string, { environment_numbers, day }: DayOfEnvironments): Promise<boolean> {
  const answer = await database.query<{ has: boolean }>({
    text: `SELECT EXISTS (SELECT FROM ${rows} WHERE environment_number = ANY ($1::integer[]) AND day = $2::date) AS has`,
    values: [environment_numbers, day],
  });
  return answer.rows[0]?.has === true;
}
