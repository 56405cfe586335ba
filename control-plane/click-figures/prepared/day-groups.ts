import { CLICK_FILTERS, type ClickFilter } from '../../../shared/contract/schemas/clicks-query.js';
import type { Database, Queryable } from '../../db/database.js';
import { readDaySpan } from '../../local-days/span.js';
import type { CountedGroup } from '../click-groups.js';
import { addCounts, type ClickCounts, COUNT_COLUMNS, isSameCounts } from '../counts.js';
import { DAY_SETTLED_AFTER, type DayOfEnvironments, type EnvironmentDay } from '../kept-days.js';
import { countGroups } from '../log/count-groups.js';
import { FIELDS_WITHOUT_NULL, othersWanted, storedGroups } from '../stored-groups.js';
import { readInSnapshot } from '../transaction.js';

/**
 * Clicks of past days by each field of a click, counted from the log once for all later calls. Figures cover some of the fields, at a
 * cost for every click. The other fields cost a reading of the log, at a time when nobody is waiting for it. A day is stored with the
 * clicks, clicks by people and visitors that its figures had. If the figures have changed since, its groups are not read, and are counted
 * again. Code that may change a day without changing these three numbers deletes its groups (`forgetDayGroups`).
 */

/** Fields of which figures have every group. */
const FIELDS_OF_FIGURES: readonly ClickFilter[] = ['platform', 'country', 'referrer_host'];

const FIELDS = CLICK_FILTERS.filter((field) => !FIELDS_OF_FIGURES.includes(field));

/** If a field has more groups on a day, none of them is kept, because a call for a month would read too many. */
export const GROUPS_MAX = 2_000;

/** An environment with fewer clicks in all days with figures needs no groups: its log is read in about 100 ms. */
const GROUPED_CLICKS_MIN = 100_000;

/** If counting a day began but did not finish, it begins again after this time: its process ended, or its log and figures differed. */
const BEGIN_AGAIN_AFTER = '1 hour';

interface DueDay extends EnvironmentDay {
  readonly time_zone: string;
}

/** A day that is being counted, field by field. */
interface BegunDay extends DueDay {
  readonly countId: string;
  /** The day's figures when counting began. */
  readonly total: ClickCounts;
  readonly left: ClickFilter[];
  readonly groups: Map<ClickFilter, readonly CountedGroup[]>;
}

/** Counts the groups of past days. */
export class DayGroups {
  readonly #database: Database;
  readonly #clicksMin: number;
  #begun: BegunDay | null = null;

  /** An environment with fewer than `clicksMin` clicks in all days with figures gets no groups. */
  constructor(database: Database, clicksMin = GROUPED_CLICKS_MIN) {
    this.#database = database;
    this.#clicksMin = clicksMin;
  }

  /**
   * Counts one field of one day, the latest day first. It is one step, so that incoming clicks can be counted between the steps. Returns
   * false if there is nothing to count.
   */
  async step(nowMs: number): Promise<boolean> {
    const begun = this.#begun ?? (await beginDay(this.#database, nowMs, this.#clicksMin));
    // If anything fails, counting the day begins again later.
    this.#begun = null;
    const field = begun?.left.pop();
    if (begun === null || field === undefined) return false;
    const groups = await readInSnapshot(this.#database, (snapshot) => countGroupsOf(snapshot, begun, field));
    if (groups === null) return true;
    if (groups.length <= GROUPS_MAX) begun.groups.set(field, groups);
    if (begun.left.length === 0) await this.#database.transaction((transaction) => store(transaction, begun));
    else this.#begun = begun;
    return true;
  }
}

/** Finds the latest day without groups of an environment with at least `clicksMin` clicks. */
async function findDueDay(database: Queryable, nowMs: number, clicksMin: number): Promise<DueDay | undefined> {
  const { rows } = await database.query<DueDay>({
    name: 'due_day_groups',
    text: `
      SELECT environment.number AS environment_number, project.time_zone, total.day::text
      FROM environments AS environment
      JOIN projects AS project ON project.id = environment.project_id
      CROSS JOIN LATERAL (
        SELECT day, clicks, human, visitors, sum(clicks) OVER () AS all_clicks
        FROM click_figures WHERE environment_number = environment.number AND dimension = 'total'
      ) AS total
      LEFT JOIN click_grouped_days AS counted ON (counted.environment_number, counted.day) = (environment.number, total.day)
      WHERE total.all_clicks >= $2 AND total.day < (($1::timestamptz - interval '${DAY_SETTLED_AFTER}') AT TIME ZONE project.time_zone)::date
        AND (counted.clicks, counted.human, counted.visitors) IS DISTINCT FROM (total.clicks, total.human, total.visitors)
        AND (counted.clicks IS NOT NULL OR counted.begun_at IS NULL OR counted.begun_at NOT BETWEEN $1::timestamptz - interval '${BEGIN_AGAIN_AFTER}' AND $1)
      ORDER BY total.day DESC, environment.number
      LIMIT 1`,
    values: [new Date(nowMs).toISOString(), clicksMin],
  });
  return rows[0];
}

/** Marks one of the days as being counted. The mark is committed before the log is read: any change of the day meanwhile deletes it. */
async function beginDay(database: Database, nowMs: number, clicksMin: number): Promise<BegunDay | null> {
  await forgetOldDays(database);
  const due = await findDueDay(database, nowMs, clicksMin);
  if (due === undefined) return null;
  const { environment_number, day } = due;
  const countId = await database.transaction(async (transaction) => {
    await forgetDayGroups(transaction, { environment_numbers: [environment_number], day });
    const { rows } = await transaction.query<{ count_id: string }>({
      text: 'INSERT INTO click_grouped_days (environment_number, day, begun_at) VALUES ($1, $2, $3) RETURNING count_id',
      values: [environment_number, day, new Date(nowMs).toISOString()],
    });
    return (rows[0] as { count_id: string }).count_id;
  });
  const total = await readTotal(database, due);
  return total === null ? null : { ...due, countId, total, left: [...FIELDS], groups: new Map() };
}

async function readTotal(database: Queryable, { environment_number, day }: DueDay): Promise<ClickCounts | null> {
  const { rows } = await database.query<ClickCounts>({
    text: `SELECT ${COUNT_COLUMNS} FROM click_figures
           WHERE environment_number = $1 AND dimension = 'total' AND day = $2`,
    values: [environment_number, day],
  });
  return rows[0] ?? null;
}

/**
 * Counts the groups of the field, at most `GROUPS_MAX + 1`, which means that they are too many to be kept. Returns null if the day's clicks
 * in the log differ from its figures, for example because the time zone was a different one, or if the figures have changed since
 * counting began, because clicks have arrived.
 */
async function countGroupsOf(snapshot: Queryable, begun: BegunDay, field: ClickFilter): Promise<readonly CountedGroup[] | null> {
  const { environment_number, time_zone, day, total } = begun;
  const now = await readTotal(snapshot, begun);
  if (now === null || !isSameCounts(now, total)) return null;
  const range = { environment_number, ...(await readDaySpan(snapshot, day, time_zone)) };
  const [groups = []] = await countGroups(snapshot, othersWanted(range, { field, limit: GROUPS_MAX + 1 }));
  const sum = addCounts(groups);
  return FIELDS_WITHOUT_NULL.includes(field) || groups.length > GROUPS_MAX || (sum.all === total.all && sum.human === total.human)
    ? groups
    : null;
}

async function store(transaction: Queryable, { environment_number, day, countId, total, groups }: BegunDay): Promise<void> {
  const { rowCount } = await transaction.query({
    text: `UPDATE click_grouped_days SET clicks = $4, human = $5, visitors = $6
           WHERE environment_number = $1 AND day = $2 AND count_id = $3`,
    values: [environment_number, day, countId, total.all, total.human, total.unique],
  });
  // The day was changed while it was counted.
  if (rowCount === 0) return;
  const rows = [...groups].map(([field, counted]) => ({ field, groups: storedGroups(counted) }));
  await transaction.query({
    text: `INSERT INTO click_day_groups (environment_number, field, day, groups)
           SELECT $1, field, $2, groups FROM json_to_recordset($3) AS counted (field text, groups jsonb)`,
    values: [environment_number, day, JSON.stringify(rows)],
  });
}

/** Deletes the groups of a day whose figures are counted again. Call it in the transaction that changes them. */
export async function forgetDayGroups(transaction: Queryable, { environment_numbers, day }: DayOfEnvironments): Promise<void> {
  await transaction.query({
    name: 'forget_day_groups',
    text: 'DELETE FROM click_grouped_days WHERE environment_number = ANY ($1::integer[]) AND day = $2',
    values: [environment_numbers, day],
  });
}

/** Deletes days without figures, and days of environments that no longer exist. */
async function forgetOldDays(database: Queryable): Promise<void> {
  await database.query({
    name: 'forget_old_day_groups',
    text: `DELETE FROM click_grouped_days AS counted
           WHERE NOT EXISTS (
             SELECT FROM click_figures AS total
             WHERE total.environment_number = counted.environment_number AND total.dimension = 'total' AND total.day = counted.day
           )`,
    values: [],
  });
}
