import { uuidToId } from '../../../shared/base/ids.js';
import { LINK_CLICKS_STEP_LINKS } from '../../../shared/base/limits.js';
import { LINK_CLICKS_DAYS } from '../../../shared/contract/schemas/link-list.js';
import type { Database, Queryable } from '../../db/database.js';
import { tryLockShards } from '../locks/shard-locks.js';
import { SHARD, shardOf } from '../shards.js';
import { DueList } from './due-list.js';

/**
 * Clicks by people on each link over the last days (`link_clicks`), by which lists of links are sorted. A round adds up the figures of
 * an environment in steps, in the order of its links; each step is a transaction that locks their shard. A round begins if the figures
 * have changed since the previous round, and at the earliest `REST_PER_COST` times the duration of that round after its end. So an
 * environment with a million links that are clicked on all the time costs part of a core and is minutes behind, a usual one seconds. The
 * next round sees every change of figures: clicks that are counted, days that pass, a recount or an erasure. Any process may continue a
 * round that another one began.
 */
const REST_PER_COST = 10;

/** Sorts before every link. */
export const FIRST = '00000000-0000-0000-0000-000000000000';

export interface Round {
  readonly environment_number: number;
  /** First and last day of the figures. */
  readonly from_day: string;
  readonly to_day: string;
  /** The last link that the round has added up; null if no round is in progress. */
  readonly reached: string | null;
}

/** Maximum number of environments checked in one statement. Those checked longest ago come first. */
const DUE_MAX = 1000;

/** Adds up the clicks of links. Each item is a step of a round, of so many links at most. */
export function createLinkSums(database: Database, links = LINK_CLICKS_STEP_LINKS): DueList<Round> {
  return new DueList(
    (nowMs) => dueRounds(database, nowMs),
    (round) => database.transaction((transaction) => step(transaction, round, links)),
  );
}

/**
 * A digest of the sums of the days, as SQL over `due`. The version of a shard also changes with other environments; this digest does not.
 * New clicks change it. A recount may move clicks from one link to another without changing it, and therefore calls `forgetLinkSums`.
 */
const SUMS = `(
  SELECT coalesce(md5(string_agg(day || ' ' || clicks || ' ' || human, ',' ORDER BY day)), '') FROM click_figures AS figure
  WHERE figure.environment_number = due.environment_number AND dimension = 'total' AND day BETWEEN from_day AND to_day)`;

/** Returns rounds that are in progress or have to begin. Records the check of environments whose figures have not changed since. */
async function dueRounds(database: Queryable, nowMs: number): Promise<readonly Round[]> {
  const { rows } = await database.query<Round>({
    name: 'due_link_click_rounds',
    text: `
      WITH environment AS (
        SELECT number AS environment_number, ($1::timestamptz AT TIME ZONE time_zone)::date AS to_day
        FROM environments JOIN projects ON projects.id = environments.project_id
      ), due AS MATERIALIZED (
        SELECT environment_number, to_day - ($2::integer - 1) AS from_day, to_day, click_shards.version, reached, round.sums
        FROM environment
        JOIN click_shards ON click_shards.shard = ${SHARD}
        LEFT JOIN link_click_rounds AS round USING (environment_number)
        WHERE round.version IS NULL OR reached IS NOT NULL
          OR ((round.version <> click_shards.version OR round.last_day < to_day)
            AND clock_timestamp() >= round.ended_at + ${REST_PER_COST} * (round.ended_at - round.began_at))
        ORDER BY round.ended_at NULLS FIRST, environment_number
        LIMIT ${DUE_MAX}
      ), seen AS MATERIALIZED (
        SELECT *, reached IS NULL AND ${SUMS} = coalesce(sums, '') AS is_same FROM due
      ), noted AS (
        INSERT INTO link_click_rounds (environment_number, version, last_day, sums, began_at, ended_at)
        SELECT environment_number, version, to_day, coalesce(sums, ''), now(), now() FROM seen WHERE is_same ORDER BY environment_number
        ON CONFLICT (environment_number) DO UPDATE SET version = excluded.version, last_day = excluded.last_day,
          began_at = excluded.began_at, ended_at = excluded.ended_at
        WHERE link_click_rounds.reached IS NULL AND link_click_rounds.sums = excluded.sums
      )
      SELECT environment_number, from_day::text, to_day::text, reached FROM seen WHERE NOT is_same`,
    values: [new Date(nowMs).toISOString(), LINK_CLICKS_DAYS],
  });
  return rows;
}

/** Returns false if another session is changing the figures or has added them up, or if the environment no longer exists. */
async function step(transaction: Queryable, round: Round, links: number): Promise<boolean> {
  const { environment_number } = round;
  const [shard] = await tryLockShards(transaction, [shardOf(environment_number)]);
  if (shard === undefined) return false;
  // Links have to be looked up one by one in a large table.
  await transaction.query({ name: 'plan_link_clicks', text: `SELECT set_config('enable_nestloop', 'on', true)`, values: [] });
  const after = await beginRound(transaction, round, shard.version);
  if (after === null) return false;
  const counted = await readCounted(transaction, round, { after, links });
  const last = counted.length < links ? null : (counted.at(-1)?.subject_id as string);
  await storeCounted(transaction, { environment_number, after, last }, counted);
  await transaction.query({
    name: 'end_link_click_step',
    text: 'UPDATE link_click_rounds SET reached = $2, ended_at = clock_timestamp() WHERE environment_number = $1',
    values: [environment_number, last],
  });
  return true;
}

/**
 * Returns the link after which the round continues; null if the environment no longer exists, or another session has added up these figures. A
 * new round stores the figures' digest.
 */
async function beginRound(
  transaction: Queryable,
  { environment_number, from_day, to_day }: Round,
  version: string,
): Promise<string | null> {
  const { rows } = await transaction.query<{ reached: string | null }>({
    name: 'begin_link_click_round',
    text: `
      WITH due AS (
        SELECT number AS environment_number, $2::date AS from_day, $3::date AS to_day FROM environments WHERE number = $1
      )
      INSERT INTO link_click_rounds AS round (environment_number, version, last_day, sums, began_at, ended_at)
      SELECT environment_number, $4, to_day, ${SUMS}, clock_timestamp(), clock_timestamp() FROM due
      ON CONFLICT (environment_number) DO UPDATE SET
        version = CASE WHEN round.reached IS NULL THEN excluded.version ELSE round.version END,
        last_day = CASE WHEN round.reached IS NULL THEN excluded.last_day ELSE round.last_day END,
        sums = CASE WHEN round.reached IS NULL THEN excluded.sums ELSE round.sums END,
        began_at = CASE WHEN round.reached IS NULL THEN excluded.began_at ELSE round.began_at END
      WHERE round.reached IS NOT NULL OR round.version <> excluded.version OR round.last_day < excluded.last_day
      RETURNING reached`,
    values: [environment_number, from_day, to_day, version],
  });
  const [begun] = rows;
  return begun === undefined ? null : (begun.reached ?? FIRST);
}

/** Clicks by people on a link, which is given as `uuid`. */
export interface Counted {
  readonly subject_id: string;
  readonly human: string;
}

/** Returns the next links of the round that were clicked on. Reads by the primary key of the days' figures, so that it reads no others. */
async function readCounted(
  transaction: Queryable,
  round: Round,
  { after, links }: { readonly after: string; readonly links: number },
): Promise<readonly Counted[]> {
  const { rows } = await transaction.query<Counted>({
    text: `
      SELECT subject_id, sum(human) AS human FROM click_figures
      WHERE environment_number = $1 AND dimension = 'link' AND campaign = '' AND day BETWEEN $2::date AND $3::date AND subject_id > $4::uuid
      GROUP BY subject_id HAVING sum(human) > 0
      ORDER BY subject_id LIMIT $5`,
    values: [round.environment_number, round.from_day, round.to_day, after, links],
  });
  return rows;
}

/** Links of an environment in the order of their ids. */
interface LinkRange {
  readonly environment_number: number;
  /** The links after `after` up to `last`, or all after it if `last` is null. */
  readonly after: string;
  readonly last: string | null;
}

/** Writes the counts that differ. Links of the range that are not in `counted` were not clicked on. */
export async function storeCounted(
  transaction: Queryable,
  { environment_number, after, last }: LinkRange,
  counted: readonly Counted[],
): Promise<void> {
  const ids = counted.map(({ subject_id }) => uuidToId('link', subject_id));
  await transaction.query({
    text: `
      WITH counted AS MATERIALIZED (
        SELECT * FROM unnest($2::text[] COLLATE "C", $3::bigint[]) AS counted (link_id, human)
      ), changed AS (
        UPDATE link_clicks AS link SET human = counted.human FROM counted
        WHERE link.link_id = counted.link_id AND link.environment_number = $1 AND link.human <> counted.human
      )
      UPDATE link_clicks AS link SET human = 0
      WHERE environment_number = $1 AND human > 0 AND link_id > $4 AND ($5::text IS NULL OR link_id <= $5)
        AND NOT EXISTS (SELECT FROM counted WHERE counted.link_id = link.link_id)`,
    values: [
      environment_number,
      ids,
      counted.map(({ human }) => human),
      uuidToId('link', after),
      last === null ? null : uuidToId('link', last),
    ],
  });
}

/** Stored in place of a digest; equals none. */
const RECOUNTED = 'recounted';

/**
 * Makes the clicks of the environments' links be added up again, even if the sums of their days have not changed. Call it in the
 * transaction that has locked their shards and changes their versions. Locks rows in the same order as `dueRounds`.
 */
export async function forgetLinkSums(transaction: Queryable, environmentNumbers: readonly number[]): Promise<void> {
  if (environmentNumbers.length === 0) return;
  await transaction.query({
    name: 'forget_link_sums',
    text: `
      WITH locked AS MATERIALIZED (
        SELECT environment_number FROM link_click_rounds WHERE environment_number = ANY ($1::integer[]) ORDER BY environment_number FOR UPDATE
      )
      UPDATE link_click_rounds AS round SET sums = '${RECOUNTED}' FROM locked WHERE round.environment_number = locked.environment_number`,
    values: [environmentNumbers],
  });
}

/** Sets the clicks of all links of the environment to 0. */
export async function forgetLinkClicks(transaction: Queryable, environmentNumber: number): Promise<number> {
  const { rowCount } = await transaction.query({
    text: 'UPDATE link_clicks SET human = 0 WHERE environment_number = $1 AND human > 0',
    values: [environmentNumber],
  });
  return rowCount;
}
