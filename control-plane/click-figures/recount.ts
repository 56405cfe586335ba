import type { Queryable } from '../db/database.js';
import { addFigures } from './counting.js';
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
 * Counts a day again from the click log: its figures, and from `openFrom` on the visitors that are remembered of it.
 * Clicks of batches that are not counted yet stay out: they are counted with their batch. In a transaction that holds the
 * lock of figures; the day's partitions have to be there.
 */
export async function recountDay(database: Queryable, zoneDay: ZoneDay, openFrom: string): Promise<Recount> {
  const { environment_numbers, time_zone, day } = zoneDay;
  const { from_at, end_at } = await dayBounds(database, day, time_zone);
  const before = await readDigests(database, zoneDay);
  await forgetPrefixes(
    database,
    environment_numbers.map((environment_number) => ({ environment_number, day })),
  );
  await forgetDay(database, 'click_figures', zoneDay);
  await forgetDay(database, 'click_visits', zoneDay);
  const { rows } = await database.query<{ clicks: number }>({
    // Not prepared, so that the other days' partitions are left out of the plan.
    text: addFigures(
      {
        condition: `environment_number = ANY ($1::integer[]) AND occurred_at >= $2 AND occurred_at < $3
          AND NOT EXISTS (SELECT FROM click_batches AS batch WHERE batch.batch_id = clicks.batch_id)`,
        days: 'day = $4::date',
      },
      { openFrom: '$5::date', growsDayPrefixes: false },
    ),
    values: [environment_numbers, from_at, end_at, day, openFrom],
  });
  const after = await readDigests(database, zoneDay);
  return {
    clicks: rows.reduce((sum, { clicks }) => sum + clicks, 0),
    changed: environment_numbers.filter((number) => before.get(number) !== after.get(number)).length,
  };
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
      SELECT environment_number, sum(hashtextextended(concat_ws(' ', dimension, campaign, subject_id, value, clicks, human, visitors), 0))::text AS digest
      FROM click_figures
      WHERE environment_number = ANY ($1::integer[]) AND day = $2::date
      GROUP BY environment_number`,
    values: [environment_numbers, day],
  });
  return new Map(rows.map(({ environment_number, digest }) => [environment_number, digest]));
}

async function forgetDay(
  database: Queryable,
  table: 'click_figures' | 'click_visits',
  { environment_numbers, day }: ZoneDay,
): Promise<void> {
  await database.query({
    text: `DELETE FROM ${table} WHERE environment_number = ANY ($1::integer[]) AND day = $2::date`,
    values: [environment_numbers, day],
  });
}
