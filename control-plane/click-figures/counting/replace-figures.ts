import type { Queryable } from '../../db/database.js';
import type { Breakdown, Figure } from '../day-count/day-count.js';
import { LONG_LIST_NAMES } from '../dimensions.js';
import { ALL_BREAKDOWNS, FIGURE_COLUMNS, FIGURE_KEY } from '../figure-tables.js';
import type { DayOfEnvironments } from '../kept-days.js';
import { shrinkPrefixes } from '../prepared/top-prefixes.js';
import { deleteBreakdowns, FIGURE_ROWS, figureValues, insertFigures, keysOf, linesOf, storeBreakdowns } from './figure-rows.js';

export interface ReplacedFigures {
  /** Environments whose figures were different before. */
  readonly changed: readonly number[];
  /** Those with entries that prefixes may lack, because they gained clicks by people or are new in a list. Rebuild their prefixes. */
  readonly grown: readonly number[];
}

/**
 * Replaces all figures that the environments have of the day. Rows that are right already are left alone. Prefixes are corrected where
 * figures have decreased. Call it in a transaction that has locked the environments' shards, so that nobody else writes.
 */
export async function replaceFigures(database: Queryable, whole: DayOfEnvironments, figures: readonly Figure[]): Promise<ReplacedFigures> {
  if (!(await hasRows(database, 'click_figures', whole))) {
    await insertFigures(database, whole.day, figures);
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

/** Whether the environments have any row of the day; `rows` is SQL. */
async function hasRows(database: Queryable, rows: string, { environment_numbers, day }: DayOfEnvironments): Promise<boolean> {
  const answer = await database.query<{ has: boolean }>({
    text: `SELECT EXISTS (SELECT FROM ${rows} WHERE environment_number = ANY ($1::integer[]) AND day = $2::date) AS has`,
    values: [environment_numbers, day],
  });
  return answer.rows[0]?.has === true;
}

/** Whether two rows have the same key, as SQL. */
function isSame(one: string, other: string): string {
  return FIGURE_KEY.split(', ')
    .map((column) => `${one}.${column} = ${other}.${column}`)
    .join(' AND ');
}

const BREAKDOWN_KEY = 'environment_number, campaign, subject_id';

/**
 * Replaces all breakdowns that the environments have of the day by these, which must be whole. Call it in a transaction that has locked the
 * environments' shards. Returns those of the environments in `unchanged` whose breakdowns were different before.
 */
export async function replaceBreakdowns(
  database: Queryable,
  { environment_numbers, day }: DayOfEnvironments,
  breakdowns: readonly Breakdown[],
  unchanged: ReadonlySet<number>,
): Promise<readonly number[]> {
  if (!(await hasRows(database, `(${ALL_BREAKDOWNS}) AS breakdown`, { environment_numbers, day }))) {
    await storeBreakdowns(database, day, breakdowns);
    const environments = new Set(breakdowns.map(({ environment_number }) => environment_number));
    return [...environments].filter((environment) => unchanged.has(environment));
  }
  // Breakdowns that are split differently, or have their lines in another order, may still hold the same figures.
  const { rows } = await database.query<{ place: number | null; environment_number: number; campaign: string; subject_id: string }>({
    text: `
      WITH present AS (
        SELECT ${BREAKDOWN_KEY}, CASE WHEN count(*) = 1 AND min(change) = 0 THEN min(figures COLLATE "C") END AS figures
        FROM (${ALL_BREAKDOWNS}) AS breakdown
        WHERE environment_number = ANY ($5::integer[]) AND day = $6::date
        GROUP BY ${BREAKDOWN_KEY}
      )
      SELECT place::integer, ${BREAKDOWN_KEY}
      FROM unnest($1::integer[], $2::text[], $3::uuid[], $4::text[]) WITH ORDINALITY AS wanted (environment_number, campaign, subject_id, figures, place)
      FULL JOIN present USING (${BREAKDOWN_KEY})
      WHERE wanted.figures IS DISTINCT FROM present.figures`,
    values: [...keysOf(breakdowns), linesOf(breakdowns), environment_numbers, day],
  });
  if (rows.length === 0) return [];
  const differing = rows.flatMap(({ place }) => (place === null ? [] : (breakdowns[place - 1] as Breakdown)));
  const gone = rows.filter(({ place }) => place === null);
  const changed = new Set([
    ...gone.map(({ environment_number }) => environment_number),
    ...(await readChanged(
      database,
      day,
      differing.filter(({ environment_number }) => unchanged.has(environment_number)),
    )),
  ]);
  const keys = [
    day,
    gone.map(({ environment_number }) => environment_number),
    gone.map(({ campaign }) => campaign),
    gone.map(({ subject_id }) => subject_id),
  ];
  for (const table of gone.length === 0 ? [] : (['click_breakdowns', 'click_breakdown_changes'] as const))
    await deleteBreakdowns(database, table, keys);
  await storeBreakdowns(database, day, differing);
  return [...changed].filter((environment) => unchanged.has(environment));
}

/** Environments with a breakdown that differs from what is stored of the day. */
async function readChanged(database: Queryable, day: string, breakdowns: readonly Breakdown[]): Promise<readonly number[]> {
  if (breakdowns.length === 0) return [];
  const { rows } = await database.query<{ environment_number: number }>({
    text: `
      WITH wanted AS (
        SELECT ${BREAKDOWN_KEY}, line
        FROM unnest($2::integer[], $3::text[], $4::uuid[], $5::text[]) AS wanted (environment_number, campaign, subject_id, figures)
        CROSS JOIN LATERAL string_to_table(figures, E'\\n') AS line
      ), stored AS (
        SELECT DISTINCT ON (${BREAKDOWN_KEY}, name) ${BREAKDOWN_KEY}, line
        FROM (${ALL_BREAKDOWNS}) AS breakdown
        JOIN (SELECT DISTINCT ${BREAKDOWN_KEY} FROM wanted) AS key USING (${BREAKDOWN_KEY})
        CROSS JOIN LATERAL string_to_table(figures, E'\\n') AS line
        CROSS JOIN LATERAL regexp_replace(line, '^(\\S+)( \\d+){3} ', '\\1 ') AS name
        WHERE day = $1::date
        ORDER BY ${BREAKDOWN_KEY}, name, change DESC
      )
      SELECT DISTINCT environment_number FROM (
        (TABLE wanted EXCEPT ALL TABLE stored) UNION ALL (TABLE stored EXCEPT ALL TABLE wanted)
      ) AS other`,
    values: [day, ...keysOf(breakdowns), linesOf(breakdowns)],
  });
  return rows.map(({ environment_number }) => environment_number);
}
