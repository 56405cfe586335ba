/**
 * Points in time as the contract accepts and returns them. Input: an ISO 8601 date, time and offset, extended format,
 * any number of digits of a second (cut to milliseconds), `Z` or an offset as +hh:mm, +hhmm or +hh. Output: UTC with
 * milliseconds and `Z`.
 */
const INSTANT = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,12}))?)?(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?)$/;

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** 0001-01-01: PostgreSQL has no year 0. */
export const INSTANT_MIN_MS = -62_135_596_800_000;

/** The last moment whose year has four digits. */
export const INSTANT_MAX_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Returns milliseconds since the epoch, or null if `text` is not an instant: wrong form, no such day, outside the years 1 to 9999. */
export function parseInstant(text: string): number | null {
  const match = INSTANT.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second = '0', fraction = '', sign, offsetHour = '0', offsetMinute = '0'] = match;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return null;
  // Date.UTC reads years below 100 as 19xx; setUTCFullYear takes them as they are.
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return null;
  const milliseconds = Number(fraction.padEnd(3, '0').slice(0, 3));
  const local = date.getTime() + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000 + milliseconds;
  const offsetMs = (Number(offsetHour) * 60 + Number(offsetMinute)) * 60_000 * (sign === '-' ? -1 : 1);
  const instant = local - offsetMs;
  return instant > INSTANT_MAX_MS || instant < INSTANT_MIN_MS ? null : instant;
}

export function formatInstant(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

export function instantOrNull(date: Date | null): string | null {
  return date === null ? null : formatInstant(date.getTime());
}

/** Returns the present for an `updated_at` that never goes back, because the clocks of two servers may differ. */
export function laterThan(previous: Date, nowMs: number): Date {
  return new Date(Math.max(previous.getTime(), nowMs));
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/** Whether the text is a day of the calendar, as YYYY-MM-DD: no 30th of February, and no year 0. */
export function isCalendarDay(text: string): boolean {
  return DAY.test(text) && parseInstant(`${text}T00:00:00Z`) !== null;
}
