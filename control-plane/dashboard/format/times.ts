import { perLocale, locale as shownLocale } from '../language/shown.js';

/** Times are shown and entered in the project's time zone, whatever the browser's time zone is. */

const formats = new Map<string, Intl.DateTimeFormat>();

function format(timeZone: string, options: Intl.DateTimeFormatOptions, locale = shownLocale()): Intl.DateTimeFormat {
  const key = `${timeZone} ${JSON.stringify(options)} ${locale}`;
  const known = formats.get(key) ?? new Intl.DateTimeFormat(locale, { timeZone, ...options });
  formats.set(key, known);
  return known;
}

/** "21 Nov 2026, 14:05". */
export function dateAndTime(instant: string, timeZone: string): string {
  return format(timeZone, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(instant));
}

/** "14:05:09". */
export function timeWithSeconds(instant: string, timeZone: string): string {
  return format(timeZone, { timeStyle: 'medium' }).format(new Date(instant));
}

/** "14:00". Midnight, the start of a day, is shown as its date: "21 Nov". */
export function timeOfDay(instant: string, timeZone: string): string {
  const at = new Date(instant);
  const time = format(timeZone, { hour: '2-digit', minute: '2-digit' }).format(at);
  return time === '00:00' ? format(timeZone, { day: 'numeric', month: 'short' }).format(at) : time;
}

/** A day such as 2026-11-20 without its year. */
function shortDay(day: string): string {
  return format('UTC', { day: 'numeric', month: 'short' }).format(new Date(`${day}T00:00:00Z`));
}

/** The day with its year: "20 Nov 2026". A text that is not a date, which an address may contain, is returned unchanged. */
export function wholeDay(day: string): string {
  const at = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(at.getTime()) ? day : format('UTC', { dateStyle: 'medium' }).format(at);
}

/** Names of days that are shown together. They include the year if the years differ. */
export function dayNames(days: readonly string[]): readonly string[] {
  return days.map(new Set(days.map((day) => day.slice(0, 4))).size > 1 ? wholeDay : shortDay);
}

/** Each unit with its length in seconds, and with how many of it make up the next unit. */
const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number, number])[] = [
  ['second', 1, 60],
  ['minute', 60, 60],
  ['hour', 3600, 24],
  ['day', 86_400, 30],
  ['month', 30 * 86_400, 12],
  ['year', 365 * 86_400, Number.POSITIVE_INFINITY],
];

const byCalendar = perLocale((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));
const byLength = perLocale((locale) => new Intl.RelativeTimeFormat(locale));

/** "3 hours ago", "in 5 minutes", "now". It says how long, and not "last year", which may be false for a year ago. */
export function relativeTime(instant: string, nowMs: number): string {
  const seconds = (Date.parse(instant) - nowMs) / 1000;
  // The rounded value decides the unit: 59.9 minutes are an hour.
  const [unit, length] = UNITS.find(([, size, next]) => Math.abs(Math.round(seconds / size)) < next) as (typeof UNITS)[number];
  const count = Math.round(seconds / length);
  return (count === 0 ? byCalendar() : byLength()).format(count, unit);
}

/** "today", "yesterday", "3 days ago". */
export function daysAgoInWords(days: number): string {
  return byCalendar().format(-days, 'day');
}

/** What the clocks of the time zone show, as a number: the milliseconds since 1970 at which UTC clocks would show the same. */
function wallClockMs(instantMs: number, timeZone: string): number {
  const parts = format(
    timeZone,
    { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
    'en-US',
  ).formatToParts(instantMs);
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((each) => each.type === type)?.value);
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
}

/** The value of an `<input type="datetime-local">` for an instant: `2026-11-21T14:05`. */
export function toLocalInput(instant: string | null, timeZone: string): string {
  if (instant === null) return '';
  return new Date(wallClockMs(Date.parse(instant), timeZone)).toISOString().slice(0, 16);
}

/**
 * Returns the instant that the value of such an input means in the time zone, or null if it is empty. If the clocks show that time twice,
 * the earlier instant is returned. If they skip it, the instant is moved forward by as much as the clocks are. A text that is not a time is
 * returned unchanged.
 */
export function fromLocalInput(local: string, timeZone: string): string | null {
  if (local === '') return null;
  const wall = Date.parse(`${local}Z`);
  if (Number.isNaN(wall)) return local;
  const offsets = [wall - 86_400_000, wall + 86_400_000].map((near) => wallClockMs(near, timeZone) - near);
  const candidates = offsets.map((offset) => wall - offset);
  const fitting = candidates.filter((candidate) => wallClockMs(candidate, timeZone) === wall);
  return new Date(fitting.length > 0 ? Math.min(...fitting) : (candidates[0] as number)).toISOString();
}
