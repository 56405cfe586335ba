import t from 'tap';
import { countryName } from '../../../../control-plane/dashboard/format/countries.js';
import { exactCount, share } from '../../../../control-plane/dashboard/format/numbers.js';
import { dateAndTime, dayNames, fromLocalInput, relativeTime, toLocalInput } from '../../../../control-plane/dashboard/format/times.js';
import fc from '../../../support/properties.js';

t.test('a typed time is read in the project’s time zone', async (t) => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['UTC', '2026-11-21T14:05', '2026-11-21T14:05:00.000Z'],
    ['Europe/Berlin', '2026-07-01T00:00', '2026-06-30T22:00:00.000Z'],
    ['Europe/Berlin', '2026-12-01T00:00', '2026-11-30T23:00:00.000Z'],
    ['Asia/Kathmandu', '2026-01-01T05:45', '2026-01-01T00:00:00.000Z'],
    ['Pacific/Kiritimati', '2026-01-01T14:00', '2026-01-01T00:00:00.000Z'],
    // The clocks show this time twice. The earlier one is meant.
    ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
    ['America/New_York', '2026-11-01T01:30', '2026-11-01T05:30:00.000Z'],
    // The clocks skip this time. It is read as one hour later.
    ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:30:00.000Z'],
  ];
  for (const [zone, local, instant] of cases) t.equal(fromLocalInput(local, zone), instant, `${local} in ${zone}`);
});

t.test('an empty field is no time, and malformed text is passed on for the API to refuse', async (t) => {
  t.equal(fromLocalInput('', 'UTC'), null);
  t.equal(toLocalInput(null, 'UTC'), '');
  t.equal(fromLocalInput('soon', 'UTC'), 'soon');
});

t.test('a time that is shown in a field and read back is the same to the minute', async () => {
  const zones = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Tokyo'];
  const minutes = fc.integer({ min: Date.UTC(1990, 0) / 60_000, max: Date.UTC(2060, 0) / 60_000 });
  fc.assert(
    fc.property(minutes, fc.constantFrom(...zones), (minute, zone) => {
      const instant = new Date(minute * 60_000).toISOString();
      const shown = toLocalInput(instant, zone);
      // If an hour comes twice, the field cannot say which one it is. It means the earlier one, and shows the same text.
      return toLocalInput(fromLocalInput(shown, zone), zone) === shown;
    }),
  );
});

t.test('times, numbers and countries are written in English', async (t) => {
  t.equal(dateAndTime('2026-11-21T14:05:00Z', 'UTC'), '21 Nov 2026, 14:05');
  t.equal(relativeTime('2026-11-21T14:05:00Z', Date.parse('2026-11-21T17:05:00Z')), '3 hours ago');
  for (const [seconds, words] of [
    [0, 'now'],
    [59.4, '59 seconds ago'],
    [59.6, '1 minute ago'],
    [3569, '59 minutes ago'],
    [3599, '1 hour ago'],
    [86_399, '1 day ago'],
    [-1.4 * 86_400, 'in 1 day'],
    [29.6 * 86_400, '1 month ago'],
    [360 * 86_400, '1 year ago'],
    [-3599, 'in 1 hour'],
  ] as const)
    t.equal(relativeTime('2026-11-21T14:05:00Z', Date.parse('2026-11-21T14:05:00Z') + seconds * 1000), words, `${seconds} s`);
  t.same(dayNames(['2026-11-20', '2026-12-20']), ['20 Nov', '20 Dec']);
  t.same(dayNames(['2026-12-20', '2027-01-20']), ['20 Dec 2026', '20 Jan 2027'], 'the days have their years if these differ');
  t.equal(exactCount(1_234_567), '1,234,567');
  t.equal(share(0.125), '12.5%');
  t.equal(countryName('DE'), 'Germany');
  t.equal(countryName(null), 'Unknown');
});
