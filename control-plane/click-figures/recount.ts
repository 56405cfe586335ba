import type { Queryable } from '../db/database.js';
import { addFigures } from './counting.js';
import type { FigureDays } from './days.js';

/** A day of an environment's project. */
export interface ChangedDay {
  readonly environment_number: number;
  /** `2026-11-20`. */
  readonly day: string;
}

/**
 * Counts a day anew from the click log: its figures, and the visitors that are remembered of it. Clicks of batches that
 * are not counted yet stay out: they are counted with their batch. In a transaction that holds the lock of figures; the
 * day's partitions have to be there. Answers the clicks counted.
 */
export async function recountDay(database: Queryable, changed: ChangedDay, { openFrom }: Pick<FigureDays, 'openFrom'>): Promise<number> {
  const { environment_number, day } = changed;
  const bounds = await dayBounds(database, changed);
  if (bounds === null) return 0;
  await forgetDay(database, 'click_figures', changed);
  await forgetDay(database, 'click_visits', changed);
  const { rows } = await database.query<{ clicks: number }>({
    // Not prepared, so that the other days' partitions are left out of the plan.
    text: addFigures(
      {
        condition: `environment_number = $1 AND occurred_at >= $2 AND occurred_at < $3
          AND NOT EXISTS (SELECT FROM click_batches AS batch WHERE batch.batch_id = clicks.batch_id)`,
        days: 'day = $4::date',
      },
      '$5::date',
    ),
    values: [environment_number, bounds.from_at, bounds.to_at, day, openFrom],
  });
  return rows[0]?.clicks ?? 0;
}

/** When the day begins and ends; null where there is no such environment. */
async function dayBounds(
  database: Queryable,
  { environment_number, day }: ChangedDay,
): Promise<{ readonly from_at: Date; readonly to_at: Date } | null> {
  const { rows } = await database.query<{ from_at: Date | null; to_at: Date }>({
    name: 'figure_day_bounds',
    text: `
      SELECT min(slot_at) AS from_at, max(slot_at) + interval '15 minutes' AS to_at
      FROM environments AS environment
      JOIN projects AS project ON project.id = environment.project_id
      CROSS JOIN LATERAL local_slots(
        ($2::date - 1)::timestamp AT TIME ZONE 'UTC', ($2::date + 2)::timestamp AT TIME ZONE 'UTC', project.time_zone
      ) AS slot
      WHERE environment.number = $1 AND slot.day = $2::date`,
    values: [environment_number, day],
  });
  const [row] = rows;
  return row === undefined || row.from_at === null ? null : { from_at: row.from_at, to_at: row.to_at };
}

async function forgetDay(
  database: Queryable,
  table: 'click_figures' | 'click_visits',
  { environment_number, day }: ChangedDay,
): Promise<void> {
  await database.query({
    text: `DELETE FROM ${table} WHERE environment_number = $1 AND day = $2::date`,
    values: [environment_number, day],
  });
}
