import { DAY_MS, parseInstant } from '../../shared/base/instant.js';
import type { Span } from '../local-days/span.js';
import { CommandError, EXIT_USAGE } from './command-error.js';

/** Parses a day, such as `2026-11-20`. Throws a `CommandError` with exit code 2 if the text is not one. */
export function parseDay(option: string, text: string): string {
  if (dayStart(text) === null) throw new CommandError(`${option} must be a day such as 2026-11-20, not "${text}"`, EXIT_USAGE);
  return text;
}

/** The clock of an engine may be ahead of this one, but not by more. */
const AHEAD_MS_MAX = DAY_MS;

/**
 * Parses two instants in ISO 8601, or two days in UTC. The last day is part of the span. Without the times in which there can be no clicks,
 * before 1970 and in the future: commands work day by day.
 */
export function parseSpan(options: { readonly from: string; readonly to: string }, nowMs: number): Span {
  const from = parsePoint('--from', options.from, 0);
  const to = parsePoint('--to', options.to, DAY_MS);
  if (from >= to) throw new CommandError('--to must be later than --from', EXIT_USAGE);
  const latest = Math.max(0, Math.min(to, nowMs + AHEAD_MS_MAX));
  return { from: new Date(Math.min(Math.max(0, from), latest)), to: new Date(latest) };
}

function parsePoint(option: string, text: string, endOfDayMs: number): number {
  const day = dayStart(text);
  const instant = day === null ? parseInstant(text) : day + endOfDayMs;
  if (instant !== null) return instant;
  throw new CommandError(`${option} must be a day such as 2026-11-20 or a time such as 2026-11-20T09:30:00Z, not "${text}"`, EXIT_USAGE);
}

function dayStart(text: string): number | null {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? parseInstant(`${text}T00:00:00Z`) : null;
}
