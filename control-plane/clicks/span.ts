import { DAY_MS } from '../../shared/base/instant.js';

/** From the first instant on, before the second. */
export interface Span {
  readonly from: Date;
  readonly to: Date;
}

/** The part of a span on one day of the log. */
export interface DayPart extends Span {
  /** `2026-11-20`, UTC. */
  readonly day: string;
}

/** The span, day by day in UTC, as the partitions of the click log go. */
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
