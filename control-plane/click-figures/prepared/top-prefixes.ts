import { STATS_RANGES } from '../../../shared/contract/schemas/stats.js';
import type { Database, Queryable } from '../../db/database.js';
import { SUM_COLUMNS } from '../counts.js';
import { LIST_ID, LONG_LIST_NAMES, LONG_LISTS } from '../dimensions.js';
import { DAY_SETTLED_AFTER, type EnvironmentDay } from '../kept-days.js';
import { tryLockShards } from '../locks/shard-locks.js';
import { shardOf } from '../shards.js';
import { DueList } from './due-list.js';

/**
 * Prefixes of the long lists (`LONG_LISTS`), sorted by clicks. Each is stored (`click_tops`) with its bound, which is the most clicks that any
 * entry outside the prefix has (`click_top_lists`, column `floor`). Prefixes are stored over the past days of each range, a day in advance,
 * and over each of the newest days, where every transaction that counts clicks updates them. A reader merges them (reading/top-values.ts).
 */

/**
 * Places of a list that are kept. The further the last of them is below the tenth, the surer it is that the top ten are among them.
 * A list has that many in each of seven spans of days, some 100 bytes each.
 */
export const CLICK_PREFIX_PLACES = 3000;

/**
 * The same for a flat list of several days: one whose entry after `CLICK_PREFIX_PLACES` has more than half the clicks of its tenth. The
 * first thousand of a million items that all have some clicks differ by one or two, and the bound has to be lower than that.
 */
export const CLICK_PREFIX_PLACES_IF_FLAT = 20_000;

/** Entries at which a day's list is cut back to its places, so that some thousands of entries can come in before the next cut. */
export const CLICK_PREFIX_KEPT_MAX = 6000;

/** Lengths in days of the ranges of top lists that are long enough to be added up in advance. */
const RANGE_DAYS = Object.values(STATS_RANGES).filter((days) => days > 2);

/** Single days with prefixes, relative to today. Until yesterday has settled, a range ends on the day before yesterday. */
const SINGLE_DAYS = [-1, 0, 1];

/** A range of days, or a single day, of an environment over which prefixes are kept. */
export interface Window {
  readonly environment_number: number;
  readonly from_day: string;
  readonly until_day: string;
}

/** Removes the prefixes over days that are counted again. Called in the transaction that counts them. */
export async function forgetPrefixes(database: Queryable, changed: readonly EnvironmentDay[]): Promise<void> {
  await database.query({
    text: `DELETE FROM click_top_windows AS top
           USING unnest($1::integer[], $2::date[]) AS changed (environment_number, day)
           WHERE top.environment_number = changed.environment_number AND changed.day BETWEEN top.from_day AND top.until_day`,
    values: daysAsArrays(changed),
  });
}

function daysAsArrays(days: readonly EnvironmentDay[]) {
  return [days.map(({ environment_number }) => environment_number), days.map(({ day }) => day)];
}

/**
 * Common table expressions that update the prefixes of single days when figures grow. `from` has the figures that grew, with their new
 * counts. An entry with more clicks by people than the bound belongs to the prefix, whether it was there before or not.
 */
export function growDayPrefixes(from: string): string {
  return `grown AS (
      SELECT environment_number, day, dimension, ${LIST_ID} AS list_id, subject_id, campaign, value, clicks, human, visitors
      FROM ${from}
      WHERE dimension IN (${LONG_LIST_NAMES})
    ), list AS (
      INSERT INTO click_top_lists AS list (environment_number, from_day, until_day, dimension, list_id, floor)
      SELECT DISTINCT top.environment_number, top.from_day, top.until_day, grown.dimension, grown.list_id, -1
      FROM grown
      JOIN click_top_windows AS top ON (top.environment_number, top.from_day, top.until_day) = (grown.environment_number, grown.day, grown.day)
      ON CONFLICT (environment_number, from_day, until_day, dimension, list_id) DO UPDATE SET floor = list.floor
      RETURNING list_number, environment_number, from_day AS day, dimension, list_id, floor
    ), placed AS (
      INSERT INTO click_tops (list_number, subject_id, campaign, value, clicks, human, visitors)
      SELECT list_number, subject_id, campaign, value, clicks, human, visitors
      FROM grown JOIN list USING (environment_number, day, dimension, list_id)
      WHERE human > floor
      ON CONFLICT (list_number, subject_id, campaign, value) DO UPDATE
      SET clicks = excluded.clicks, human = excluded.human, visitors = excluded.visitors
    )`;
}

/**
 * Common table expressions that correct the prefixes of all windows that include a day whose figures were replaced. `from` has the
 * difference by which each figure has increased. An entry is removed if it has no more clicks by people than the bound any longer. The
 * bound stays, so more has to be read for the same result; such windows are marked loose, and rebuilt when there is time. An entry that
 * has gained clicks by people, or is new, may belong to a prefix that lacks it. If there are such entries, call `forgetPrefixes` as well.
 */
export function shrinkPrefixes(from: string, day: string): string {
  const isSame =
    '(top.list_number, top.subject_id, top.campaign, top.value) = (change.list_number, change.subject_id, change.campaign, change.value)';
  return `change AS MATERIALIZED (
      SELECT list_number, floor, subject_id, campaign, value, more_clicks, more_human, more_visitors
      FROM (SELECT *, ${LIST_ID} AS list_id FROM ${from} WHERE dimension IN (${LONG_LIST_NAMES})) AS changed
      JOIN click_top_lists AS list USING (environment_number, dimension, list_id)
      WHERE ${day} BETWEEN list.from_day AND list.until_day
    ), lowered AS (
      UPDATE click_tops AS top
      SET clicks = top.clicks + more_clicks, human = top.human + more_human, visitors = top.visitors + more_visitors
      FROM change
      WHERE ${isSame} AND top.human + more_human > floor
    ), outside AS (
      DELETE FROM click_tops AS top USING change
      WHERE ${isSame} AND top.human + more_human <= floor
    ), loosened AS (
      UPDATE click_top_windows AS top SET is_loose = true
      FROM (SELECT DISTINCT environment_number FROM ${from}) AS changed
      WHERE top.environment_number = changed.environment_number AND ${day} BETWEEN top.from_day AND top.until_day
    )`;
}

/**
 * Called in the transaction in which figures of the days grow. Removes the prefixes of ranges that include these days. The days' own prefixes
 * have grown with the figures: those that are too long now are cut back to `CLICK_PREFIX_PLACES` entries, less those with the same number of
 * clicks as an entry that is left out. `own` is an expression of its own because the planner would otherwise count the entries of all lists:
 * with 400,000 entries that took 140 ms in each round of counting, instead of 3 ms.
 */
export async function trimPrefixes(database: Queryable, grown: readonly EnvironmentDay[]): Promise<void> {
  await database.query({
    name: 'trim_click_prefixes',
    text: `
      WITH grown AS MATERIALIZED (
        SELECT * FROM unnest($1::integer[], $2::date[]) AS grown (environment_number, day)
      ), outdated AS (
        DELETE FROM click_top_windows AS top USING grown
        WHERE top.environment_number = grown.environment_number AND grown.day BETWEEN top.from_day AND top.until_day AND from_day < until_day
      ), own AS MATERIALIZED (
        SELECT list_number
        FROM grown
        JOIN click_top_lists AS list ON (list.environment_number, list.from_day, list.until_day) = (grown.environment_number, grown.day, grown.day)
      ), long AS MATERIALIZED (
        SELECT list_number FROM own
        WHERE (SELECT count(*) FROM click_tops AS top WHERE top.list_number = own.list_number) > ${CLICK_PREFIX_KEPT_MAX}
      ), raised AS (
        UPDATE click_top_lists AS list
        SET floor = (
          SELECT human FROM click_tops AS top WHERE top.list_number = list.list_number ORDER BY human DESC OFFSET ${CLICK_PREFIX_PLACES} LIMIT 1
        )
        FROM long
        WHERE list.list_number = long.list_number
        RETURNING list.list_number, list.floor
      )
      DELETE FROM click_tops AS top USING raised WHERE top.list_number = raised.list_number AND top.human <= raised.floor`,
    values: daysAsArrays(grown),
  });
}

/** Builds the windows that are missing or loose: those of today's and tomorrow's ranges, up to yesterday, and those of single days. */
export function createPrefixes(database: Database): DueList<Window> {
  return new DueList(
    async (nowMs) => {
      await forgetOldPrefixes(database, nowMs);
      return dueWindows(database, nowMs);
    },
    (window) => database.transaction((transaction) => makeWindow(transaction, window)),
  );
}

async function dueWindows(database: Queryable, nowMs: number): Promise<readonly Window[]> {
  const { rows } = await database.query<Window>({
    name: 'due_click_prefixes',
    text: `
      SELECT environment.number AS environment_number, wanted.from_day::text, wanted.until_day::text
      FROM environments AS environment
      JOIN projects AS project ON project.id = environment.project_id
      CROSS JOIN LATERAL (SELECT $1::timestamptz AT TIME ZONE project.time_zone AS local) AS now
      CROSS JOIN LATERAL (
        SELECT now.local::date + ahead - (days - 1) AS from_day, now.local::date - 1 AS until_day
        FROM unnest($2::integer[]) AS days, unnest(ARRAY[0, 1]) AS ahead
        UNION ALL
        SELECT now.local::date + ahead, now.local::date + ahead FROM unnest($3::integer[]) AS ahead
      ) AS wanted
      LEFT JOIN click_top_windows AS top ON top.environment_number = environment.number AND top.from_day = wanted.from_day
        AND (top.from_day < top.until_day) = (wanted.from_day < wanted.until_day)
      WHERE top.until_day IS NULL OR top.is_loose OR (top.until_day < wanted.until_day AND now.local::time >= interval '${DAY_SETTLED_AFTER}')
      ORDER BY top.is_loose IS TRUE, environment.number, wanted.from_day`,
    values: [new Date(nowMs).toISOString(), RANGE_DAYS, SINGLE_DAYS],
  });
  return rows;
}

/** Whether so many entries of a list have about the same clicks that more of it must be kept. */
const IS_FLAT = `2 * max(human) FILTER (WHERE place = ${CLICK_PREFIX_PLACES + 1}) > max(human) FILTER (WHERE place = 10)`;

/**
 * Returns false if the figures of the environment are locked, because they must not change between being added up and stored, or if another
 * session has built the window.
 */
async function makeWindow(database: Queryable, { environment_number, from_day, until_day }: Window): Promise<boolean> {
  if ((await tryLockShards(database, [shardOf(environment_number)])).length === 0) return false;
  const values = [environment_number, from_day, until_day];
  const { rowCount: built } = await database.query({
    name: 'built_click_prefix',
    text: 'SELECT FROM click_top_windows WHERE environment_number = $1 AND from_day = $2 AND until_day = $3 AND NOT is_loose',
    values,
  });
  if (built > 0) return false;
  await database.query({
    text: `DELETE FROM click_top_windows
           WHERE environment_number = $1 AND from_day = $2 AND (from_day < until_day) = ($2::date < $3::date)`,
    values,
  });
  await database.query({ text: 'INSERT INTO click_top_windows (environment_number, from_day, until_day) VALUES ($1, $2, $3)', values });
  await database.query({
    text: `
      WITH placed AS MATERIALIZED (
        SELECT *
        FROM (
          SELECT *, row_number() OVER (PARTITION BY dimension, list_id ORDER BY human DESC) AS place
          FROM (
            SELECT dimension, ${LIST_ID} AS list_id, subject_id, campaign, value, ${SUM_COLUMNS}
            FROM click_figures
            WHERE environment_number = $1 AND day BETWEEN $2::date AND $3::date AND dimension = ANY ($4::click_dimension[])
            GROUP BY dimension, subject_id, campaign, value
          ) AS summed
        ) AS numbered
        WHERE place <= ${CLICK_PREFIX_PLACES_IF_FLAT + 1}
      ), list AS (
        INSERT INTO click_top_lists (environment_number, from_day, until_day, dimension, list_id, floor)
        SELECT $1, $2, $3, dimension, list_id, coalesce(CASE WHEN $2::date < $3::date AND ${IS_FLAT}
            THEN max(human) FILTER (WHERE place > ${CLICK_PREFIX_PLACES_IF_FLAT})
            ELSE max(human) FILTER (WHERE place > ${CLICK_PREFIX_PLACES}) END, -1)
        FROM placed
        GROUP BY dimension, list_id
        RETURNING list_number, dimension, list_id, floor
      )
      INSERT INTO click_tops (list_number, subject_id, campaign, value, clicks, human, visitors)
      SELECT list_number, subject_id, campaign, value, clicks, human, visitors
      FROM placed JOIN list USING (dimension, list_id)
      WHERE human > floor`,
    values: [...values, LONG_LISTS],
  });
  return true;
}

/** Deletes ranges that begin too early for any current one, and single days that a range now includes, in every time zone. */
async function forgetOldPrefixes(database: Queryable, nowMs: number): Promise<void> {
  await database.query({
    name: 'forget_old_click_prefixes',
    text: `DELETE FROM click_top_windows
           WHERE from_day < ($1::timestamptz AT TIME ZONE 'UTC')::date - CASE WHEN from_day < until_day THEN $2::integer ELSE $3::integer END`,
    values: [new Date(nowMs).toISOString(), Math.max(...RANGE_DAYS) + 1, 1 - Math.min(...SINGLE_DAYS)],
  });
}
