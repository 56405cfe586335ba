import { DAY_MS } from '../../shared/base/instant.js';

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
