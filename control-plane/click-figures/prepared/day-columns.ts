import { CLICK_FILTERS } from '../../../shared/contract/schemas/clicks-query.js';
import type { Database, Queryable } from '../../db/database.js';
import { readDaySpan } from '../../local-days/span.js';
import { COLUMN_FIELDS, type ColumnField, packCodes, widthOf } from '../columns/column.js';
import type { Columns } from '../columns/column-count.js';
import { packDictionary } from '../columns/dictionary.js';
import { FieldGroups } from '../columns/field-groups.js';
import type { PartBuilder } from '../columns/part-builder.js';
import { addCounts, type ClickCounts, COUNT_COLUMNS, isSameCounts, NO_CLICKS } from '../counts.js';
import { DAY_SETTLED_AFTER, type DayOfEnvironments, type EnvironmentDay } from '../kept-days.js';
import { PART_CLICKS, readLogPart } from '../log/log-parts.js';
import { readInSnapshot } from '../transaction.js';

/**
 * Stores the clicks of past days as columns (columns/column.ts), at a time when nobody is waiting for them, and with them the groups by
 * each field (columns/field-groups.ts). Figures answer what they were counted for, at a cost for every click. Columns answer any filters
 * and groups, in a tenth of the time that the log takes. A day is stored with the clicks, clicks by people and visitors that its figures had. If the figures have changed since, its columns are not read, and
 * are made again. Code that may change a day without changing these three numbers deletes its columns (`forgetColumns`).
 */

/** An environment with fewer clicks in all days with figures needs no columns: its log is read in about 100 ms. */
const CLICKS_MIN = 100_000;

/** If making a day's columns began but did not finish, it begins again after this time: its process ended, or its log and figures differed. */
const BEGIN_AGAIN_AFTER = '1 hour';

interface DueDay extends EnvironmentDay {
  readonly time_zone: string;
}

/** A day whose columns are being made, part by part. */
interface BegunDay extends DueDay {
  readonly countId: string;
  /** The day's figures when this began. */
  readonly total: ClickCounts;
  readonly parts: number;
  /** The parts that are stored, and what they have. */
  readonly done: number;
  readonly sum: ClickCounts;
  /** The fields of which all of them have a column. */
  readonly fields: readonly ColumnField[];
  readonly groups: FieldGroups;
}

interface DayColumnsSettings {
  /** An environment with fewer clicks in all days with figures gets no columns. */
  readonly clicksMin?: number;
  readonly partClicks?: number;
  readonly textBytesMax?: number;
}

/** Makes the columns of past days. */
export class DayColumns {
  readonly #database: Database;
  readonly #clicksMin: number;
  readonly #partClicks: number;
  readonly #textBytesMax: number | undefined;
  #begun: BegunDay | null = null;

  constructor(database: Database, { clicksMin = CLICKS_MIN, partClicks = PART_CLICKS, textBytesMax }: DayColumnsSettings = {}) {
    this.#database = database;
    this.#clicksMin = clicksMin;
    this.#partClicks = partClicks;
    this.#textBytesMax = textBytesMax;
  }

  /**
   * Makes one part of one day, the latest day first. It is one step, so that incoming clicks can be counted between the steps. Returns
   * false if there is nothing to make.
   */
  async step(nowMs: number): Promise<boolean> {
    const begun = this.#begun ?? (await beginDay(this.#database, nowMs, this.#clicksMin, this.#partClicks));
    // If anything fails, the day begins again later.
    this.#begun = null;
    if (begun === null) return false;
    const built = await readInSnapshot(this.#database, (snapshot) => buildPart(snapshot, begun, this.#textBytesMax));
    if (built === null) return true;
    const columns = built.columns();
    const after = {
      ...begun,
      done: begun.done + 1,
      sum: addCounts([begun.sum, built.counts]),
      fields: begun.fields.filter((field) => columns.has(field)),
    };
    begun.groups.add(columns);
    const isStored = await this.#database.transaction((transaction) => storePart(transaction, begun, built.counts.all, columns));
    if (isStored && after.done < after.parts) this.#begun = after;
    // Otherwise the day stays without its totals, and its columns are not read.
    else if (isStored && isSameCounts(after.sum, after.total))
      await this.#database.transaction((transaction) => complete(transaction, after));
    return true;
  }
}

/** Finds the latest day without columns of an environment with at least `clicksMin` clicks. */
async function findDueDay(database: Queryable, nowMs: number, clicksMin: number): Promise<DueDay | undefined> {
  const { rows } = await database.query<DueDay>({
    name: 'due_columns',
    text: `
      SELECT environment.number AS environment_number, project.time_zone, total.day::text
      FROM environments AS environment
      JOIN projects AS project ON project.id = environment.project_id
      CROSS JOIN LATERAL (
        SELECT day, clicks, human, visitors, sum(clicks) OVER () AS all_clicks
        FROM click_figures WHERE environment_number = environment.number AND dimension = 'total'
      ) AS total
      LEFT JOIN click_column_days AS made ON (made.environment_number, made.day) = (environment.number, total.day)
      WHERE total.all_clicks >= $2 AND total.day < (($1::timestamptz - interval '${DAY_SETTLED_AFTER}') AT TIME ZONE project.time_zone)::date
        AND (made.clicks, made.human, made.visitors) IS DISTINCT FROM (total.clicks, total.human, total.visitors)
        AND (made.clicks IS NOT NULL OR made.begun_at IS NULL OR made.begun_at NOT BETWEEN $1::timestamptz - interval '${BEGIN_AGAIN_AFTER}' AND $1)
      ORDER BY total.day DESC, environment.number
      LIMIT 1`,
    values: [new Date(nowMs).toISOString(), clicksMin],
  });
  return rows[0];
}

/** Marks one of the days as begun. The mark is committed before the log is read: any change of the day meanwhile deletes it. */
async function beginDay(database: Database, nowMs: number, clicksMin: number, partClicks: number): Promise<BegunDay | null> {
  await forgetOldDays(database);
  const due = await findDueDay(database, nowMs, clicksMin);
  if (due === undefined) return null;
  const { environment_number, day } = due;
  const countId = await database.transaction(async (transaction) => {
    await forgetColumns(transaction, { environment_numbers: [environment_number], day });
    const { rows } = await transaction.query<{ count_id: string }>({
      text: 'INSERT INTO click_column_days (environment_number, day, begun_at) VALUES ($1, $2, $3) RETURNING count_id',
      values: [environment_number, day, new Date(nowMs).toISOString()],
    });
    return (rows[0] as { count_id: string }).count_id;
  });
  const total = await readTotal(database, due);
  if (total === null) return null;
  const parts = Math.max(1, Math.ceil(total.all / partClicks));
  return { ...due, countId, total, parts, done: 0, sum: NO_CLICKS, fields: COLUMN_FIELDS, groups: new FieldGroups() };
}

async function readTotal(database: Queryable, { environment_number, day }: DueDay): Promise<ClickCounts | null> {
  const { rows } = await database.query<ClickCounts>({
    text: `SELECT ${COUNT_COLUMNS} FROM click_figures
           WHERE environment_number = $1 AND dimension = 'total' AND day = $2`,
    values: [environment_number, day],
  });
  return rows[0] ?? null;
}

/** Reads the clicks of the next part. Returns null if the figures of the day have changed since it began, because clicks have arrived. */
async function buildPart(snapshot: Database, begun: BegunDay, textBytesMax: number | undefined): Promise<PartBuilder | null> {
  const { environment_number, time_zone, day, total, parts, done } = begun;
  const now = await readTotal(snapshot, begun);
  if (now === null || !isSameCounts(now, total)) return null;
  const range = { environment_number, ...(await readDaySpan(snapshot, day, time_zone)) };
  return readLogPart(snapshot, { range, part: done, parts, fields: CLICK_FILTERS, textBytesMax });
}

/** Returns false if the day was changed since it began, so that nothing is stored. */
async function storePart(
  transaction: Queryable,
  { environment_number, day, countId, done }: BegunDay,
  clicks: number,
  columns: Columns,
): Promise<boolean> {
  const { rowCount } = await transaction.query({
    text: 'SELECT FROM click_column_days WHERE environment_number = $1 AND day = $2 AND count_id = $3 FOR KEY SHARE',
    values: [environment_number, day, countId],
  });
  if (rowCount === 0) return false;
  for (const [field, { dictionary, codes }] of columns) {
    const bits = widthOf(dictionary.size);
    await transaction.query({
      name: 'store_column',
      text: `INSERT INTO click_columns (environment_number, day, field, part, clicks, dictionary, has_null, bits, codes)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      values: [environment_number, day, field, done, clicks, packDictionary(dictionary), dictionary.hasNull, bits, packCodes(codes, bits)],
    });
  }
  return true;
}

/** Gives the day its totals and its groups, from which on its columns are read. */
async function complete(transaction: Queryable, day: BegunDay): Promise<void> {
  const { environment_number, countId, total, parts, fields, groups } = day;
  const { rowCount } = await transaction.query({
    text: `UPDATE click_column_days SET clicks = $4, human = $5, visitors = $6, parts = $7, fields = $8
           WHERE environment_number = $1 AND day = $2 AND count_id = $3`,
    values: [environment_number, day.day, countId, total.all, total.human, total.unique, parts, fields],
  });
  if (rowCount === 0) return;
  for (const { field, isWhole, groups: ofField } of groups.ofFields())
    await transaction.query({
      name: 'store_day_groups',
      text: 'INSERT INTO click_day_groups (environment_number, day, field, is_whole, groups) VALUES ($1, $2, $3, $4, $5)',
      values: [environment_number, day.day, field, isWhole, JSON.stringify(ofField)],
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

/** Deletes days without figures, and days of environments that no longer exist. */
async function forgetOldDays(database: Queryable): Promise<void> {
  await database.query({
    name: 'forget_old_columns',
    text: `DELETE FROM click_column_days AS made
           WHERE NOT EXISTS (
             SELECT FROM click_figures AS total
             WHERE total.environment_number = made.environment_number AND total.dimension = 'total' AND total.day = made.day
           )`,
    values: [],
  });
}
