import { CLICK_TOPS_KEPT_MAX, CLICK_TOPS_PLACES } from '../../shared/base/limits.js';
import { STATS_RANGES } from '../../shared/contract/schemas/stats.js';
import type { Database, Queryable } from '../db/database.js';
import type { EnvironmentDay } from './days.js';
import { type Dimension, NO_SUBJECT } from './dimensions.js';
import { tryLockFigures } from './transaction.js';

/**
 * Lists that may be long: as many links, items and referrers as anybody likes. Over a range their figures are added up
 * beforehand for the days that are over, and the head is kept (`click_tops`). A reader adds the days since, and what that
 * may have overtaken (tops.ts).
 */
export const LONG_LISTS = ['link', 'item', 'referrer', 'campaign'] as const satisfies readonly Dimension[];

/** The items of each type are a list of their own. SQL over the columns of a figure. */
export const LIST_ID = `CASE dimension WHEN 'item' THEN subject_id ELSE '${NO_SUBJECT}'::uuid END`;

/**
 * How many clicks in the days of a window something has at most that is not in the head of its list; NULL where the head is
 * the list. SQL over the rows of a head. The head has the first `CLICK_TOPS_PLACES` and whatever shares the last of them,
 * so that the floor lies below it; where more share it than are kept the head is cut off among them, at just so many.
 */
export const FLOOR = `CASE WHEN count(*) > ${CLICK_TOPS_PLACES} THEN min(head_human) - 1 WHEN count(*) = ${CLICK_TOPS_PLACES} THEN min(head_human) END`;

/** Days over which top lists are shown and which are many enough to be added up beforehand. */
const WINDOW_DAYS = Object.values(STATS_RANGES).filter((days) => days > 2);

/** Clicks of a day that come within this time after its end do not have its windows made twice. */
const SETTLED_AFTER = '1 hour';

interface Window {
  readonly environment_number: number;
  readonly from_day: string;
  readonly until_day: string;
}

/** Windows over a day that changed say too little. In the transaction that changes it. */
export async function forgetTops(database: Queryable, changed: readonly EnvironmentDay[]): Promise<void> {
  await database.query({
    name: 'forget_click_tops',
    text: `DELETE FROM click_top_windows AS top
           USING unnest($1::integer[], $2::date[]) AS changed (environment_number, day)
           WHERE top.environment_number = changed.environment_number AND changed.day BETWEEN top.from_day AND top.until_day`,
    values: [changed.map(({ environment_number }) => environment_number), changed.map(({ day }) => day)],
  });
}

/** What is asked and told between two windows, each of which may take seconds. */
export interface TopsRound {
  readonly isStopping: () => boolean;
  readonly progressed: () => void;
}

/**
 * Makes the windows that are missing, for the ranges of today and of tomorrow, up to yesterday. Answers how many. Ends
 * early where figures are being changed: what is added up must not change before it is stored.
 */
export async function makeTops(database: Database, nowMs: number, { isStopping, progressed }: TopsRound): Promise<number> {
  await forgetOldTops(database, nowMs);
  let made = 0;
  for (const window of await dueWindows(database, nowMs)) {
    if (isStopping() || !(await database.transaction((transaction) => makeWindow(transaction, window)))) break;
    made++;
    progressed();
  }
  return made;
}

async function dueWindows(database: Queryable, nowMs: number): Promise<readonly Window[]> {
  const { rows } = await database.query<Window>({
    name: 'due_click_tops',
    text: `
      SELECT environment.number AS environment_number, wanted.from_day::text, wanted.until_day::text
      FROM environments AS environment
      JOIN projects AS project ON project.id = environment.project_id
      CROSS JOIN LATERAL (SELECT $1::timestamptz AT TIME ZONE project.time_zone AS local) AS now
      CROSS JOIN LATERAL (
        SELECT now.local::date + ahead - (days - 1) AS from_day, now.local::date - 1 AS until_day
        FROM unnest($2::integer[]) AS days, unnest(ARRAY[0, 1]) AS ahead
      ) AS wanted
      LEFT JOIN click_top_windows AS top ON top.environment_number = environment.number AND top.from_day = wanted.from_day
      WHERE top.until_day IS NULL OR (top.until_day < wanted.until_day AND now.local::time >= interval '${SETTLED_AFTER}')
      ORDER BY environment.number, wanted.from_day`,
    values: [new Date(nowMs).toISOString(), WINDOW_DAYS],
  });
  return rows;
}

/** False where the figures are locked. */
async function makeWindow(database: Queryable, { environment_number, from_day, until_day }: Window): Promise<boolean> {
  if (!(await tryLockFigures(database))) return false;
  const values = [environment_number, from_day, until_day];
  await database.query({
    text: 'DELETE FROM click_top_windows WHERE environment_number = $1 AND from_day = $2',
    values: values.slice(0, 2),
  });
  await database.query({ text: 'INSERT INTO click_top_windows (environment_number, from_day, until_day) VALUES ($1, $2, $3)', values });
  await database.query({
    text: `
      INSERT INTO click_tops (environment_number, from_day, dimension, subject_id, campaign, value, clicks, human, visitors)
      SELECT $1, $2, dimension, subject_id, campaign, value, clicks, human, visitors
      FROM (
        SELECT *, rank() OVER (PARTITION BY dimension, ${LIST_ID} ORDER BY human DESC) AS place,
          row_number() OVER (PARTITION BY dimension, ${LIST_ID} ORDER BY human DESC) AS number,
          count(*) OVER (PARTITION BY dimension, ${LIST_ID} ORDER BY human DESC) AS with_equals
        FROM (
          SELECT dimension, subject_id, campaign, value, sum(clicks) AS clicks, sum(human) AS human, sum(visitors) AS visitors
          FROM click_figures
          WHERE environment_number = $1 AND day BETWEEN $2::date AND $3::date AND dimension = ANY ($4::click_dimension[])
          GROUP BY dimension, subject_id, campaign, value
        ) AS summed
      ) AS placed
      WHERE place <= $5 AND (number <= $5 OR with_equals <= $6)`,
    values: [...values, LONG_LISTS, CLICK_TOPS_PLACES, CLICK_TOPS_KEPT_MAX],
  });
  return true;
}

/** Windows that no range begins with any more, wherever in the world its project is. */
async function forgetOldTops(database: Queryable, nowMs: number): Promise<void> {
  await database.query({
    name: 'forget_old_click_tops',
    text: `DELETE FROM click_top_windows WHERE from_day < ($1::timestamptz AT TIME ZONE 'UTC')::date - $2::integer`,
    values: [new Date(nowMs).toISOString(), Math.max(...WINDOW_DAYS) + 1],
  });
}
