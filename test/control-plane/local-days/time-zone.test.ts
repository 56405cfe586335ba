import t from 'tap';
import { timeZoneFault } from '../../../control-plane/local-days/time-zone.js';
import { openPooledDatabase } from '../../support/open-database.js';

const { database } = await openPooledDatabase(t);

/** Zones that ICU knows by names of its own, and never were in the time zone database. */
const NAMES_OF_ICU = 'ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST';

/** Before the last changes of the time zone database, of which the two may have different versions. */
const INSTANTS = ['2024-01-15T12:00:00Z', '2024-07-15T12:00:00Z'];

t.test('PostgreSQL and JavaScript mean the same by every zone that a project may have', async (t) => {
  const { rows } = await database.query<{ name: string }>({
    text: 'SELECT name FROM pg_timezone_names UNION SELECT abbrev FROM pg_timezone_abbrevs',
    values: [],
  });
  const names = new Set([...rows.map(({ name }) => name), ...Intl.supportedValuesOf('timeZone'), ...NAMES_OF_ICU.split(' ')]);
  const { rows: zones } = await database.query<{ name: string }>({ text: 'SELECT name FROM pg_timezone_names', values: [] });
  const known = new Set(zones.map(({ name }) => name));
  // A name with a slash is no abbreviation. To ask for each of six hundred would take a minute.
  const asked = [...names].filter((name) => !name.includes('/') || !known.has(name));
  const accepted = [...names].filter((name) => !asked.includes(name) && isOfJavaScript(name));
  for (const name of asked) if ((await timeZoneFault(database, name)) === null) accepted.push(name);
  for (const name of ['UTC', 'GMT', 'EST', 'EST5EDT', 'Europe/Berlin', 'Asia/Kathmandu']) t.ok(accepted.includes(name), name);
  const { rows: told } = await database.query<{ name: string; times: string[] }>({
    text: `SELECT name, array_agg(to_char(at AT TIME ZONE name, 'YYYY-MM-DD HH24:MI:SS') ORDER BY at) AS times
           FROM unnest($1::text[]) AS name, unnest($2::timestamptz[]) AS at GROUP BY name`,
    values: [accepted, INSTANTS],
  });
  t.equal(told.length, accepted.length);
  for (const { name, times } of told)
    t.same(
      times,
      INSTANTS.map((at) => localTime(name, at)),
      name,
    );
});

t.test('a zone that one of the two reads otherwise, or does not know, is refused with its reason', async (t) => {
  const faults = {
    'Mars/Base': '"Mars/Base" is not an IANA time zone',
    '+01:00': '"+01:00" is not an IANA time zone',
    '': '"" is not an IANA time zone',
    CET: '"CET" is an abbreviation: name a place, such as Europe/Berlin',
    cet: '"cet" is an abbreviation: name a place, such as Europe/Berlin',
    IST: '"IST" is an abbreviation: name a place, such as Europe/Berlin',
    CAT: '"CAT" is not a time zone that PostgreSQL knows',
  };
  for (const [name, fault] of Object.entries(faults)) t.equal(await timeZoneFault(database, name), fault, name);
  for (const name of ['Europe/Berlin', 'europe/berlin', 'UTC', 'utc', 'Japan']) t.equal(await timeZoneFault(database, name), null, name);
});

function isOfJavaScript(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }) !== null;
  } catch {
    return false;
  }
}

function localTime(timeZone: string, at: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(Date.parse(at));
}
