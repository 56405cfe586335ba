import { binaryIntegers, binaryTexts } from '../../db/binary-arrays.js';
import type { Queryable } from '../../db/database.js';
import type { Breakdown } from '../day-count/day-count.js';
import { ALL_BREAKDOWNS } from '../figure-tables.js';
import type { DayOfEnvironments } from '../kept-days.js';
import { hasRows, keysOf } from './store-figures.js';

/** The columns that identify a breakdown of a day. */
const BREAKDOWN_KEY = 'environment_number, campaign, subject_id';

/** Inserts whole breakdowns, or replaces those stored of the day together with their changes; adds the changes of other breakdowns. */
export async function storeBreakdowns(database: Queryable, day: string, breakdowns: readonly Breakdown[]): Promise<void> {
  const wholes = breakdowns.filter(({ change }) => change === 0);
  const changes = breakdowns.filter(({ change }) => change > 0);
  if (wholes.length > 0) {
    await deleteBreakdowns(database, 'click_breakdown_changes', [day, ...keysOf(wholes)]);
    await database.query({
      text: `
        INSERT INTO click_breakdowns (${BREAKDOWN_KEY}, day, figures)
        SELECT ${BREAKDOWN_KEY}, $1::date, figures
        FROM unnest($2::integer[], $3::text[], $4::uuid[], $5::text[]) AS whole (${BREAKDOWN_KEY}, figures)
        WHERE environment_number IN (SELECT number FROM environments)
        ORDER BY environment_number, campaign COLLATE "C", subject_id
        ON CONFLICT (${BREAKDOWN_KEY}, day) DO UPDATE SET figures = excluded.figures`,
      values: [day, ...keysOf(wholes), linesOf(wholes)],
    });
  }
  if (changes.length > 0)
    await database.query({
      text: `
        INSERT INTO click_breakdown_changes (${BREAKDOWN_KEY}, day, figures, change)
        SELECT ${BREAKDOWN_KEY}, $1::date, figures, change
        FROM unnest($2::integer[], $3::text[], $4::uuid[], $5::text[], $6::integer[]) AS changed (${BREAKDOWN_KEY}, figures, change)
        WHERE environment_number IN (SELECT number FROM environments)
        ORDER BY environment_number, campaign COLLATE "C", subject_id`,
      values: [day, ...keysOf(changes), linesOf(changes), binaryIntegers(changes.map(({ change }) => change))],
    });
}

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
      FROM unnest($1::integer[], $2::text[], $3::uuid[], $4::text[]) WITH ORDINALITY AS wanted (${BREAKDOWN_KEY}, figures, place)
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
        FROM unnest($2::integer[], $3::text[], $4::uuid[], $5::text[]) AS wanted (${BREAKDOWN_KEY}, figures)
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

/** Deletes rows of breakdowns by their keys: the day, and arrays of the environments, campaigns and subjects. */
async function deleteBreakdowns(
  database: Queryable,
  table: 'click_breakdowns' | 'click_breakdown_changes',
  keys: readonly unknown[],
): Promise<void> {
  await database.query({
    text: `
      DELETE FROM ${table} AS breakdown
      USING unnest($2::integer[], $3::text[], $4::uuid[]) AS gone (${BREAKDOWN_KEY})
      WHERE (breakdown.environment_number, breakdown.campaign, breakdown.subject_id, breakdown.day)
        = (gone.environment_number, gone.campaign, gone.subject_id, $1::date)`,
    values: keys,
  });
}

function linesOf(breakdowns: readonly Breakdown[]): Buffer {
  return binaryTexts(breakdowns.map(({ figures }) => figures));
}
