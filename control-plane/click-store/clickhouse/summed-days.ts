import type { LogRange } from '../../click-figures/click-groups.js';
import { DAY_SETTLED_AFTER } from '../../click-figures/kept-days.js';
import type { Queryable } from '../../db/database.js';
import type { Span } from '../../local-days/span.js';
import type { SummedDaysOf } from '../click-store.js';

/**
 * Records which days have sums in ClickHouse (`click_sums`). The rows there are never changed: each count writes rows with a new version,
 * which are read once that version is recorded here. Every writer of clicks removes the version. Shippers do so by the trigger of
 * `click_log_batches`, in the transaction that ends a batch. A count in progress then finds its version gone.
 */

/** A day of one time zone, and the environments for which it is not known yet whether they need sums of it. */
export interface DueDay {
  readonly day: string;
  readonly time_zone: string;
  readonly environments: readonly number[];
}

/** A count that has not ended after this time begins again, because its process must have ended. */
const BEGIN_AGAIN_AFTER = '1 hour';

/** How long to wait for a change of clicks to end. Its process may have ended, but mutations continue without it. */
const CHANGED_WITHIN = '6 hours';

/** The same as in the trigger of `click_log_batches`. After late clicks, more of them are likely to follow. */
const COUNT_AGAIN_AFTER = '10 minutes';

/** How long to wait until replicas of ClickHouse have the rows. */
const READ_AFTER = '1 minute';

/** Finds the latest day, at or after `firstDay`, that is over and not counted. */
export async function findDueDay(database: Queryable, firstDay: string, nowMs: number): Promise<DueDay | undefined> {
  const { rows } = await database.query<DueDay>({
    name: 'due_summed_day',
    text: `
      SELECT wanted.time_zone, wanted.day::text, array_agg(wanted.number ORDER BY wanted.number) AS environments
      FROM (
        SELECT number, time_zone, generate_series(
          $1::timestamp, (($2::timestamptz - interval '${DAY_SETTLED_AFTER}') AT TIME ZONE time_zone)::date - 1, interval '1 day')::date AS day
        FROM environments AS environment JOIN projects AS project ON project.id = environment.project_id
      ) AS wanted
      LEFT JOIN click_summed_days AS summed ON (summed.environment_number, summed.day) = (wanted.number, wanted.day)
      WHERE summed.day IS NULL OR (summed.summed_at IS NULL OR summed.time_zone <> wanted.time_zone) AND summed.due_at <= now()
      GROUP BY wanted.day, wanted.time_zone
      ORDER BY wanted.day DESC, wanted.time_zone
      LIMIT 1`,
    values: [firstDay, new Date(nowMs).toISOString()],
  });
  return rows[0];
}

/** What is recorded of a day of some environments. */
interface NotedDay extends Span {
  readonly day: string;
  readonly time_zone: string;
  readonly environments: readonly number[];
}

const NOTE_DAY = `
  INSERT INTO click_summed_days AS summed (environment_number, day, time_zone, from_at, end_at, version, summed_at, due_at)
  SELECT number, $2, $3, $4, $5, $6, CASE WHEN $6::bigint IS NULL THEN now() END,
    now() + CASE WHEN $6::bigint IS NULL THEN interval '0' ELSE interval '${BEGIN_AGAIN_AFTER}' END
  FROM unnest($1::integer[]) AS number
  ON CONFLICT (environment_number, day) DO UPDATE
  SET time_zone = excluded.time_zone, from_at = excluded.from_at, end_at = excluded.end_at,
    version = excluded.version, summed_at = excluded.summed_at, due_at = excluded.due_at
  WHERE (summed.summed_at IS NULL OR summed.time_zone <> excluded.time_zone) AND summed.due_at <= now()
  RETURNING environment_number`;

async function noteDay(database: Queryable, noted: NotedDay, version: string | null): Promise<readonly number[]> {
  const { rows } = await database.query<{ environment_number: number }>({
    name: 'note_summed_day',
    text: NOTE_DAY,
    values: [noted.environments, noted.day, noted.time_zone, noted.from, noted.to, version],
  });
  return rows.map(({ environment_number }) => environment_number);
}

/** Records that the day has so few clicks that they are read instead of sums. */
export async function noteFewClicks(database: Queryable, noted: NotedDay): Promise<void> {
  await noteDay(database, noted, null);
}

/** Records that the environment's day is being counted. Commit this before reading its clicks. Returns false if somebody else counts it. */
export async function beginDay(database: Queryable, noted: NotedDay, version: string): Promise<boolean> {
  return (await noteDay(database, noted, version)).length > 0;
}

/** Records that the sums are complete, unless clicks of the day have changed since the count began. */
export async function endDay(database: Queryable, environmentNumber: number, version: string): Promise<void> {
  await database.query({
    name: 'end_summed_day',
    text: `UPDATE click_summed_days SET summed_at = now(), due_at = now()
           WHERE environment_number = $1 AND version = $2 AND summed_at IS NULL`,
    values: [environmentNumber, version],
  });
}

/** Days whose clicks are changed: all days that overlap the span, of one environment or of all. */
export interface ChangedDays {
  readonly span: Span;
  /** Null for all environments. */
  readonly environmentNumber: number | null;
}

/** Records that clicks are being changed. Until the change ends, sums of their days are neither read nor counted. */
export async function beginChange(database: Queryable, days: ChangedDays): Promise<void> {
  await forgetSums(database, days, CHANGED_WITHIN);
}

/** Records that clicks have been changed. Sums of their days are then counted again. */
export async function endChange(database: Queryable, days: ChangedDays): Promise<void> {
  await forgetSums(database, days, COUNT_AGAIN_AFTER);
}

async function forgetSums(database: Queryable, { span, environmentNumber }: ChangedDays, until: string): Promise<void> {
  await database.query({
    name: 'forget_summed_days',
    text: `UPDATE click_summed_days SET version = NULL, summed_at = NULL, due_at = now() + $4::interval
           WHERE from_at < $2 AND end_at > $1 AND ($3::integer IS NULL OR environment_number = $3)`,
    values: [span.from, span.to, environmentNumber, until],
  });
}

/** Makes the days be counted again. Returns how many counted days there were, each once per environment. */
export async function recountDays(database: Queryable, { from, to, environmentId }: SummedDaysOf): Promise<number> {
  const { rowCount } = await database.query({
    text: `UPDATE click_summed_days SET version = NULL, summed_at = NULL, due_at = now() + interval '${COUNT_AGAIN_AFTER}'
           WHERE day BETWEEN $1 AND $2 AND ($3::text IS NULL OR environment_number = (SELECT number FROM environments WHERE id = $3))`,
    values: [from, to, environmentId],
  });
  return rowCount;
}

/** Deletes the records of the days that begin before the instant, whose clicks are about to be dropped. */
export async function deleteOldDays(database: Queryable, before: Date): Promise<void> {
  await database.query({ text: 'DELETE FROM click_summed_days WHERE from_at < $1', values: [before] });
}

/** Deletes the records of the environment's days. */
export async function deleteDaysOf(database: Queryable, environmentNumber: number): Promise<void> {
  await database.query({ text: 'DELETE FROM click_summed_days WHERE environment_number = $1', values: [environmentNumber] });
}

/** A day whose sums can be read in place of its clicks. */
export interface SummedDay extends Span {
  readonly day: string;
  readonly version: string;
}

/** The days with sums that one call reads. What several of its statements need is read once. */
export class SummedDays {
  readonly #snapshot: Queryable;
  readonly #ofRanges = new Map<string, Promise<readonly SummedDay[]>>();

  constructor(snapshot: Queryable) {
    this.#snapshot = snapshot;
  }

  /** Returns those that lie within the range, oldest first. */
  within(range: LogRange): Promise<readonly SummedDay[]> {
    const key = JSON.stringify(range);
    const days = this.#ofRanges.get(key) ?? readSummedDays(this.#snapshot, range);
    this.#ofRanges.set(key, days);
    return days;
  }
}

async function readSummedDays(snapshot: Queryable, { environment_number, from, to }: LogRange): Promise<readonly SummedDay[]> {
  const { rows } = await snapshot.query<SummedDay>({
    name: 'read_summed_days',
    text: `
      SELECT summed.day::text, summed.version::text, summed.from_at AS "from", summed.end_at AS "to"
      FROM click_summed_days AS summed
      JOIN environments AS environment ON environment.number = summed.environment_number
      JOIN projects AS project ON project.id = environment.project_id AND project.time_zone = summed.time_zone
      WHERE summed.environment_number = $1 AND summed.from_at >= $2 AND summed.end_at <= $3
        AND summed.version IS NOT NULL AND summed.summed_at < now() - interval '${READ_AFTER}'
      ORDER BY summed.from_at`,
    values: [environment_number, from, to],
  });
  return rows;
}
