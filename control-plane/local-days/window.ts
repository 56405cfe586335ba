import { DAY_MS } from '../../shared/base/instant.js';
import type { Queryable } from '../db/database.js';

/** The days that a figure covers, in the time zone of the project. */
export interface StatsWindow {
  readonly environment_number: number;
  readonly time_zone: string;
  /** First and last day, `2026-11-20`. */
  readonly from: string;
  readonly to: string;
  /**
   * Instants that enclose the days. If clocks change at midnight, a day's first hour may occur twice, and we cannot tell which of
   * the two `AT TIME ZONE` means. The instants are therefore three hours wider on each side, and the day of each click decides.
   */
  readonly from_at: Date;
  readonly to_at: Date;
}

interface WindowWanted {
  /** Days such as `2026-11-20`. Without `to`, the window ends today; without `from`, it has `days` days. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly days: number;
}

/** Returns the window of the days wanted. It ends today at the latest, and is empty if it would begin after its end. */
export async function readWindow(
  database: Queryable,
  environmentId: string,
  { from, to, days }: WindowWanted,
  nowMs: number,
): Promise<StatsWindow> {
  const { rows } = await database.query<StatsWindow>({
    name: 'read_stats_window',
    text: `
      SELECT environment_number, time_zone, from_day::text AS "from", to_day::text AS "to",
        (from_day::timestamp AT TIME ZONE time_zone) - interval '3 hours' AS from_at,
        ((to_day + 1)::timestamp AT TIME ZONE time_zone) + interval '3 hours' AS to_at
      FROM (
        SELECT environment.number AS environment_number, project.time_zone, to_day, coalesce($4::date, to_day - ($2::integer - 1)) AS from_day
        FROM environments AS environment
        JOIN projects AS project ON project.id = environment.project_id
        CROSS JOIN LATERAL (SELECT least($5::date, ($3::timestamptz AT TIME ZONE project.time_zone)::date) AS to_day) AS last
        WHERE environment.id = $1
      ) AS days`,
    values: [environmentId, days, new Date(nowMs).toISOString(), from ?? null, to ?? null],
  });
  return rows[0] as StatsWindow;
}

/** Every day of the window, oldest first. Dates have no time zone, so the next one is always 24 hours later in UTC. */
export function daysOf(window: Pick<StatsWindow, 'from' | 'to'>): readonly string[] {
  const days: string[] = [];
  for (let day = Date.parse(window.from); day <= Date.parse(window.to); day += DAY_MS) days.push(new Date(day).toISOString().slice(0, 10));
  return days;
}

/** The days of the window, in the form in which every response shows them. */
export function shownDays({ from, to, time_zone }: StatsWindow) {
  return { from, to, timezone: time_zone };
}
