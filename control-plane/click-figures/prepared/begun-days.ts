import { invariant } from '../../../shared/base/invariant.js';
import type { Database, Queryable } from '../../db/database.js';
import { COLUMN_FIELDS, type ColumnField } from '../columns/column.js';
import type { Columns } from '../columns/column-count.js';
import { FieldGroups } from '../columns/field-groups.js';
import { type ClickCounts, COUNT_COLUMNS, NO_CLICKS } from '../counts.js';
import { DAY_SETTLED_AFTER, type DayOfEnvironments, type EnvironmentDay } from '../kept-days.js';
import { shardOf } from '../shards.js';
import { storeColumns } from './stored-columns.js';

/** Rows of `click_column_days`: days whose columns are made or being made (day-columns.ts). */

/**
 * A day that is not settled gets columns when at least one in this many of its clicks is in none yet. So a click is written some ten times in
 * a day, 21 bytes each time, which is a fifth of what else PostgreSQL writes for it.
 */
const LATER_SHARE = 10;
/** How long such columns are kept at least, however many clicks there are. */
const MADE_AGAIN_AFTER = '15 seconds';

/** A batch that is as old as this is the last one of such columns: batches before it, which were stored by others, have been committed. */
const BATCHES_COMMITTED_AFTER = '10 seconds';

/** If making a day's columns began but did not finish, it begins again after this time: its process ended, or its log and figures differed. */
const BEGIN_AGAIN_AFTER = '1 hour';
/** The same for a day that is not settled, since its last part was stored: calls read its later clicks from the log until then. */
const BEGIN_TODAY_AGAIN_AFTER = '2 minutes';

interface DueDay extends EnvironmentDay {
  readonly time_zone: string;
  readonly is_settled: boolean;
}

/** Columns that a day already has. */
export interface MadeColumns {
  readonly parts: number;
  readonly fields: readonly ColumnField[];
  readonly lastBatch: string;
  readonly all: number;
  readonly human: number;
}

/** A day whose columns are being made, part by part. */
export interface BegunDay extends DueDay {
  readonly countId: string;
  /** The day's figures when this began. */
  readonly total: ClickCounts;
  /** The last batch whose clicks are read; null if all are, because the day is settled. */
  readonly lastBatch: string | null;
  /** The columns to which clicks can be added; null if there are none, or all clicks are read. */
  readonly made: MadeColumns | null;
  /** The number of the first part. */
  readonly firstPart: number;
  readonly parts: number;
  /** The parts that are stored, and what they have. */
  readonly done: number;
  readonly sum: ClickCounts;
  /** The fields of which all of them have a column. */
  readonly fields: readonly ColumnField[];
  readonly groups: FieldGroups;
}

export interface DueWanted {
  readonly nowMs: number;
  /** An environment with fewer clicks in all days with figures gets no columns, except for a settled day that has those of a part of its clicks. */
  readonly clicksMin: number;
  /** A day that is not settled needs so many clicks that are not in columns. */
  readonly laterClicks: number;
  /** The clicks of a part, about. */
  readonly partClicks: number;
}

/** Returns the latest day whose columns are to be made, marked as begun. */
export async function beginDueDay(database: Database, wanted: DueWanted): Promise<BegunDay | null> {
  await forgetOldDays(database);
  const due = await findDueDay(database, wanted);
  return due === undefined ? null : beginDay(database, due, wanted);
}

/** Finds the latest day whose columns are to be made. */
async function findDueDay(database: Queryable, { nowMs, clicksMin, laterClicks }: DueWanted): Promise<DueDay | undefined> {
  const { rows } = await database.query<DueDay>({
    name: 'due_columns',
    text: `
      SELECT environment.number AS environment_number, project.time_zone, total.day::text, is_settled
      FROM environments AS environment
      JOIN projects AS project ON project.id = environment.project_id
      CROSS JOIN LATERAL (
        SELECT day, clicks, human, visitors, sum(clicks) OVER () AS all_clicks
        FROM click_figures WHERE environment_number = environment.number AND dimension = 'total'
      ) AS total
      CROSS JOIN LATERAL (
        SELECT total.day < (($1::timestamptz - interval '${DAY_SETTLED_AFTER}') AT TIME ZONE project.time_zone)::date AS is_settled
      ) AS settling
      LEFT JOIN click_column_days AS made ON (made.environment_number, made.day) = (environment.number, total.day)
      WHERE (total.all_clicks >= $2 OR (is_settled AND made.last_batch IS NOT NULL))
        AND (made.begun_at IS NULL OR made.made_at >= made.begun_at
          OR made.begun_at NOT BETWEEN
            $1::timestamptz - CASE WHEN is_settled THEN interval '${BEGIN_AGAIN_AFTER}' ELSE interval '${BEGIN_TODAY_AGAIN_AFTER}' END AND $1)
        AND CASE WHEN is_settled
          THEN made.last_batch IS NOT NULL OR (made.clicks, made.human, made.visitors) IS DISTINCT FROM (total.clicks, total.human, total.visitors)
          ELSE total.clicks - coalesce(made.clicks, 0) >= greatest($3, total.clicks / ${LATER_SHARE})
            AND (made.made_at IS NULL OR made.made_at NOT BETWEEN $1::timestamptz - interval '${MADE_AGAIN_AFTER}' AND $1)
        END
      ORDER BY total.day DESC, environment.number
      LIMIT 1`,
    values: [new Date(nowMs).toISOString(), clicksMin, laterClicks],
  });
  return rows[0];
}

interface Mark {
  readonly count_id: string;
  readonly first_part: number;
  readonly parts: number | null;
  readonly fields: readonly ColumnField[] | null;
  readonly last_batch: string | null;
  readonly clicks: number | null;
  readonly human: number | null;
}

/**
 * Marks the day as begun. The mark is committed before the log is read: any change of the day meanwhile deletes it. Columns that the day has
 * are kept until the new ones are complete.
 */
async function beginDay(database: Database, due: DueDay, { nowMs, partClicks }: DueWanted): Promise<BegunDay | null> {
  const mark = await database.transaction((transaction) => markBegun(transaction, due, nowMs));
  if (mark === null) return null;
  const lastBatch = due.is_settled ? null : await readLastBatch(database, due.environment_number);
  const total = await readTotal(database, due);
  if (total === null) return null;
  const { parts, fields, last_batch, clicks, human } = mark;
  const hasColumns = parts !== null && fields !== null && last_batch !== null && clicks !== null && human !== null;
  // Once the parts have grown too large, the day is divided again. Many clicks would take too much memory here.
  const isKept = hasColumns && !due.is_settled && total.all <= parts * partClicks * 1.5 && total.all - clicks <= partClicks;
  const made = isKept ? { parts, fields, lastBatch: last_batch, all: clicks, human } : null;
  return {
    ...due,
    countId: mark.count_id,
    total,
    lastBatch,
    made,
    firstPart: mark.first_part + (parts ?? 0),
    parts: Math.max(1, Math.ceil(total.all / partClicks)),
    done: 0,
    sum: NO_CLICKS,
    fields: COLUMN_FIELDS,
    groups: new FieldGroups(),
  };
}

/** Returns null if the day is being changed. */
async function markBegun(transaction: Queryable, { environment_number, day }: EnvironmentDay, nowMs: number): Promise<Mark | null> {
  const known = await transaction.query({
    text: 'SELECT FROM click_column_days WHERE environment_number = $1 AND day = $2',
    values: [environment_number, day],
  });
  const locked = await transaction.query({
    text: 'SELECT FROM click_column_days WHERE environment_number = $1 AND day = $2 FOR UPDATE SKIP LOCKED',
    values: [environment_number, day],
  });
  if (locked.rowCount < known.rowCount) return null;
  const { rows } = await transaction.query<Mark>({
    text: `INSERT INTO click_column_days AS made (environment_number, day, begun_at) VALUES ($1, $2, $3)
           ON CONFLICT (environment_number, day) DO UPDATE SET begun_at = excluded.begun_at, count_id = DEFAULT
           RETURNING count_id, first_part, parts, fields, last_batch, clicks::float8 AS clicks, human::float8 AS human`,
    values: [environment_number, day, new Date(nowMs).toISOString()],
  });
  const [mark] = rows;
  invariant(mark !== undefined, 'the row was inserted or updated');
  // Parts of a process that ended before they were complete.
  await transaction.query({
    text: 'DELETE FROM click_columns WHERE environment_number = $1 AND day = $2 AND part NOT BETWEEN $3 AND $4',
    values: [environment_number, day, mark.first_part, mark.first_part + (mark.parts ?? 0) - 1],
  });
  return mark;
}

/** Returns the last batch before which no batch is being stored or waits to be counted. */
async function readLastBatch(database: Queryable, environmentNumber: number): Promise<string> {
  const { rows } = await database.query<{ batch_id: string }>({
    text: `SELECT least(
             (SELECT min(batch_id) - 1 FROM click_batches WHERE shard = $1),
             coalesce(
               (SELECT max(batch_id) FROM click_log_batches WHERE stored_at < now() - interval '${BATCHES_COMMITTED_AFTER}'),
               (SELECT last_value - (NOT is_called)::integer FROM click_batches_batch_id_seq)
             )
           ) AS batch_id`,
    values: [shardOf(environmentNumber)],
  });
  return (rows[0] as { batch_id: string }).batch_id;
}

/** Returns the figures of the day. */
export async function readTotal(database: Queryable, { environment_number, day }: EnvironmentDay): Promise<ClickCounts | null> {
  const { rows } = await database.query<ClickCounts>({
    text: `SELECT ${COUNT_COLUMNS} FROM click_figures
           WHERE environment_number = $1 AND dimension = 'total' AND day = $2`,
    values: [environment_number, day],
  });
  return rows[0] ?? null;
}

/**
 * Returns false if the day was changed since it began, or another process began it again. It does not wait for a transaction that changes the
 * day, because that may take minutes, in which no clicks would be counted.
 */
async function lockBegun(transaction: Queryable, { environment_number, day, countId }: BegunDay): Promise<boolean> {
  const { rowCount } = await transaction.query({
    text: 'SELECT FROM click_column_days WHERE environment_number = $1 AND day = $2 AND count_id = $3 FOR UPDATE SKIP LOCKED',
    values: [environment_number, day, countId],
  });
  return rowCount > 0;
}

/** Returns false if the day is no longer this one's to make. Then nothing is stored. Otherwise no other process begins the day for some time. */
export async function storePart(transaction: Queryable, begun: BegunDay, columns: Columns, nowMs: number): Promise<boolean> {
  const { environment_number, day, firstPart, done } = begun;
  if (!(await lockBegun(transaction, begun))) return false;
  await transaction.query({
    text: 'UPDATE click_column_days SET begun_at = $3 WHERE environment_number = $1 AND day = $2',
    values: [environment_number, day, new Date(nowMs).toISOString()],
  });
  await storeColumns(transaction, begun, firstPart + done, columns);
  return true;
}

/** Gives the day its totals and its groups, from which on its columns are read. */
export async function completeDay(transaction: Queryable, day: BegunDay, nowMs: number): Promise<void> {
  const { environment_number, countId, sum, lastBatch, firstPart, parts, fields, groups } = day;
  if (!(await lockBegun(transaction, day))) return;
  await transaction.query({
    text: `UPDATE click_column_days
           SET made_at = $4, clicks = $5, human = $6, visitors = $7, last_batch = $8, first_part = $9, parts = $10, fields = $11
           WHERE environment_number = $1 AND day = $2 AND count_id = $3`,
    values: [
      environment_number,
      day.day,
      countId,
      new Date(nowMs).toISOString(),
      sum.all,
      sum.human,
      sum.unique,
      lastBatch,
      firstPart,
      parts,
      fields,
    ],
  });
  const ofDay = [environment_number, day.day];
  await transaction.query({
    text: 'DELETE FROM click_columns WHERE environment_number = $1 AND day = $2 AND part < $3',
    values: [...ofDay, firstPart],
  });
  await transaction.query({ text: 'DELETE FROM click_day_groups WHERE environment_number = $1 AND day = $2', values: ofDay });
  for (const { field, isWhole, groups: ofField } of groups.ofFields())
    await transaction.query({
      name: 'store_day_groups',
      text: 'INSERT INTO click_day_groups (environment_number, day, field, is_whole, groups) VALUES ($1, $2, $3, $4, $5)',
      values: [...ofDay, field, isWhole, JSON.stringify(ofField)],
    });
}

/** Deletes the columns and groups of a day whose figures are counted again. Call it in the transaction that changes them. */
export async function forgetColumns(transaction: Queryable, { environment_numbers, day }: DayOfEnvironments): Promise<void> {
  await transaction.query({
    name: 'forget_columns',
    text: 'DELETE FROM click_column_days WHERE environment_number = ANY ($1::integer[]) AND day = $2',
    values: [environment_numbers, day],
  });
}

/** Deletes days without figures, and days of environments that no longer exist, but not those that are being erased at the moment. */
async function forgetOldDays(database: Queryable): Promise<void> {
  await database.query({
    name: 'forget_old_columns',
    text: `DELETE FROM click_column_days WHERE (environment_number, day) IN (
             SELECT environment_number, day FROM click_column_days AS made
             WHERE NOT EXISTS (
               SELECT FROM click_figures AS total
               WHERE total.environment_number = made.environment_number AND total.dimension = 'total' AND total.day = made.day
             )
             FOR UPDATE SKIP LOCKED
           )`,
    values: [],
  });
}
