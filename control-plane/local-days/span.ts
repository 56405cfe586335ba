import { DAY_MS } from '../../shared/base/instant.js';
import type { Queryable } from '../db/database.js';
import type { StatsWindow } from './window.js';

/** A time span: at or after `from`, and before `to`. */
export interface Span {
  readonly from: Date;
  readonly to: Date;
}

/** The part of a span on one day of the log. */
export interface DayPart extends Span {
  /** `2026-11-20`, UTC. */
  readonly day: string;
}

/** Divides the span into days in UTC, as the click log is partitioned. */
export function dayParts({ from, to }: Span): readonly DayPart[] {
  const parts: DayPart[] = [];
  for (let start = Math.floor(from.getTime() / DAY_MS) * DAY_MS; start < to.getTime(); start += DAY_MS)
    parts.push({
      day: new Date(start).toISOString().slice(0, 10),
      from: new Date(Math.max(start, from.getTime())),
      to: new Date(Math.min(start + DAY_MS, to.getTime())),
    });
  return parts;
}

/** Returns the span from the beginning of the window's first day to the end of its last. */
export async function readSpan(database: Queryable, window: Omit<StatsWindow, 'environment_number'>): Promise<Span> {
  const { rows } = await database.query<Span>({
    name: 'read_span_of_days',
    text: `
      SELECT min(slot_at) FILTER (WHERE day >= $4::date) AS "from", min(slot_at) FILTER (WHERE day > $5::date) AS "to"
      FROM local_slots($1, $2, $3)`,
    values: [window.from_at, window.to_at, window.time_zone, window.from, window.to],
  });
  return rows[0] as Span;
}

/** Returns the span of a day, `2026-11-20`, in the zone. No zone is a day apart from UTC. */
export function readDaySpan(database: Queryable, day: string, timeZone: string): Promise<Span> {
  const at = Date.parse(day);
  const [from_at, to_at] = [new Date(at - DAY_MS), new Date(at + 2 * DAY_MS)];
  return readSpan(database, { time_zone: timeZone, from: day, to: day, from_at, to_at });
}
