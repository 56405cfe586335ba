import type { Queryable } from '../db/database.js';

/** Abbreviations that stand for the zone of the same name: none of these has a summer time. */
const ZONES_AS_WELL: ReadonlySet<string> = new Set(['UTC', 'UCT', 'GMT', 'ZULU', 'EST', 'MST', 'HST']);

/**
 * What is wrong with the time zone of a project; null if nothing is. Days are calculated by PostgreSQL and in JavaScript, so both have to
 * know the zone, and mean the same by it. PostgreSQL looks for an abbreviation first: `CET` has no summer time there, and `IST` is the time
 * of Israel, where JavaScript takes it for that of India.
 */
export async function timeZoneFault(database: Queryable, name: string): Promise<string | null> {
  if (!isIanaName(name)) return `"${name}" is not an IANA time zone`;
  const { rows } = await database.query<{ known: boolean; short: boolean }>({
    text: `SELECT EXISTS (SELECT FROM pg_timezone_names WHERE lower(name) = lower($1)) AS known,
             EXISTS (SELECT FROM pg_timezone_abbrevs WHERE abbrev = upper($1)) AS short`,
    values: [name],
  });
  const { known = false, short = false } = rows[0] ?? {};
  if (short && !ZONES_AS_WELL.has(name.toUpperCase())) return `"${name}" is an abbreviation: name a place, such as Europe/Berlin`;
  return known ? null : `"${name}" is not a time zone that PostgreSQL knows`;
}

function isIanaName(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    // Offsets such as +01:00 are accepted as well, but have no summer time.
    return /^[A-Za-z]/.test(name);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
