import { invariant } from '../../shared/base/invariant.js';
import type { Database, Queryable } from '../db/database.js';
import { ALL_BREAKDOWNS } from './breakdowns.js';
import { DayCount } from './day-count.js';
import { DIMENSION_NAMES } from './dimensions.js';
import { storeBreakdowns, storeFigures } from './figure-rows.js';
import { readLoggedClicks, sqlInstant, sqlIntegers } from './logged-clicks.js';
import { LocalQuarters } from './quarters.js';
import { changeShards, IS_WAITING, shardOf } from './shards.js';
import { forgetPrefixes } from './top-prefixes.js';

/** A day of environments whose projects have one time zone. */
export interface ZoneDay {
  readonly environment_numbers: readonly number[];
  readonly time_zone: string;
  /** `2026-11-20`. */
  readonly day: string;
}

export interface Recount {
  /** Clicks that the figures of the day hold now. */
  readonly clicks: number;
  /** Environments whose figures were others before. */
  readonly changed: number;
}

/**
 * Counts a day again from the click log. Clicks of batches that are not counted yet stay out: they are counted with their
 * batch. In a transaction that has locked the shards of the environments; the day's partition has to be there.
 */
export async function recountDay(database: Database, zoneDay: ZoneDay): Promise<Recount> {
  const { environment_numbers, time_zone, day } = zoneDay;
  const { from_at, end_at } = await dayBounds(database, day, time_zone);
  const before = await readDigests(database, zoneDay);
  await forgetPrefixes(
    database,
    environment_numbers.map((environment_number) => ({ environment_number, day })),
  );
  for (const table of ['click_figures', 'click_breakdowns', 'click_breakdown_changes'])
    await database.query({
      text: `DELETE FROM ${table} WHERE environment_number = ANY ($1::integer[]) AND day = $2::date`,
      values: [environment_numbers, day],
    });
  const quarters = new LocalQuarters();
  await quarters.fetch(database, new Set([time_zone]), from_at, end_at);
  const local = quarters.of(time_zone);
  const count = new DayCount();
  let clicks = 0;
  const condition = `environment_number = ANY (${sqlIntegers(environment_numbers, 'integer')})
    AND occurred_at >= ${sqlInstant(from_at)} AND occurred_at < ${sqlInstant(end_at)} AND NOT ${IS_WAITING}`;
  await readLoggedClicks(database, condition, (click) => {
    const quarter = local.get(click.quarter);
    invariant(quarter !== undefined, 'the quarters of the day were fetched');
    if (quarter.day !== day) return;
    clicks++;
    count.add(click, quarter.hour);
  });
  await storeFigures(database, { day, figures: count.takeFigures(), growsDayPrefixes: false });
  await storeBreakdowns(database, day, count.takeBreakdowns());
  await changeShards(database, [...new Set(environment_numbers.map(shardOf))]);
  const after = await readDigests(database, zoneDay);
  return { clicks, changed: environment_numbers.filter((number) => before.get(number) !== after.get(number)).length };
}

export interface DayBounds {
  readonly from_at: Date;
  readonly end_at: Date;
}

/** When the day begins and ends in the zone. */
export async function dayBounds(database: Queryable, day: string, timeZone: string): Promise<DayBounds> {
  const { rows } = await database.query<DayBounds>({
    name: 'figure_day_bounds',
    text: `
      SELECT min(slot_at) AS from_at, max(slot_at) + interval '15 minutes' AS end_at
      FROM local_slots(($1::date - 1)::timestamp AT TIME ZONE 'UTC', ($1::date + 2)::timestamp AT TIME ZONE 'UTC', $2) AS slot
      WHERE slot.day = $1::date`,
    values: [day, timeZone],
  });
  return rows[0] as DayBounds;
}

/** What tells figures of a day from others of the same day, by environment. */
async function readDigests(database: Queryable, { environment_numbers, day }: ZoneDay): Promise<ReadonlyMap<number, string>> {
  const { rows } = await database.query<{ environment_number: number; digest: string }>({
    text: `
      SELECT environment_number, sum(hashtextextended(line, 0))::text AS digest
      FROM (
        SELECT environment_number, concat_ws(' ', dimension, campaign, subject_id, value, clicks, human, visitors) AS line
        FROM click_figures
        WHERE environment_number = ANY ($1::integer[]) AND day = $2::date AND dimension = ANY ($3::click_dimension[])
        UNION ALL
        SELECT environment_number, concat_ws(' ', campaign, subject_id, line)
        FROM (
          SELECT DISTINCT ON (environment_number, campaign, subject_id, name) environment_number, campaign, subject_id, line
          FROM (${ALL_BREAKDOWNS}) AS breakdown
          CROSS JOIN LATERAL string_to_table(figures, E'\\n') AS line
          CROSS JOIN LATERAL regexp_replace(line, '^(\\S+)( \\d+){3} ', '\\1 ') AS name
          WHERE environment_number = ANY ($1::integer[]) AND day = $2::date
          ORDER BY environment_number, campaign, subject_id, name, change DESC
        ) AS latest
      ) AS figure
      GROUP BY environment_number`,
    values: [environment_numbers, day, DIMENSION_NAMES],
  });
  return new Map(rows.map(({ environment_number, digest }) => [environment_number, digest]));
}
