import type { Queryable } from '../db/database.js';

export interface DayBounds {
  readonly from_at: Date;
  readonly end_at: Date;
}

/** Returns when the day begins and ends in the zone. */
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
