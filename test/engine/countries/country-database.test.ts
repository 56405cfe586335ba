import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { checkCountryFile, LOOK_AGAIN_MS, openCountryDatabase } from '../../../engine/countries/country-database.js';
import { systemScheduler } from '../../../shared/base/scheduler.js';
import { manualTimers } from '../../support/manual-scheduler.js';
import { mmdbOf } from '../../support/mmdb.js';
import { silentLog } from '../fixtures.js';

t.test('the operator’s database file gives the country of an address', async (t) => {
  const path = join(t.testdir(), 'countries.mmdb');
  writeFileSync(path, mmdbOf({ '192.0.2.0/24': 'DE', '198.51.100.0/25': 'FR' }));
  const countries = openCountryDatabase(path, silentLog, systemScheduler);
  t.teardown(() => countries.stop());
  for (const [address, country] of [
    ['192.0.2.1', 'DE'],
    ['192.0.2.255', 'DE'],
    ['198.51.100.127', 'FR'],
    ['198.51.100.128', ''],
    ['203.0.113.1', ''],
    ['2001:db8:0:0:0:0:0:1', ''],
    ['not an address', ''],
  ] as const)
    t.equal(countries.countryOf(address), country, address);
});

t.test('a database of cities also gives region and city, and the same place is the same object', async (t) => {
  const path = join(t.testdir(), 'cities.mmdb');
  writeFileSync(
    path,
    mmdbOf({ '192.0.2.0/24': 'DE BE Berlin', '198.51.100.0/24': 'FR', '203.0.113.0/25': 'de be', '203.0.113.128/25': 'US bad_ X' }),
  );
  const countries = openCountryDatabase(path, silentLog, systemScheduler);
  t.teardown(() => countries.stop());
  t.same(countries.placeOf('192.0.2.1'), { country: 'DE', region: 'DE-BE', city: 'Berlin' });
  t.equal(countries.placeOf('192.0.2.1'), countries.placeOf('192.0.2.200'));
  t.same(countries.placeOf('198.51.100.1'), { country: 'FR', region: '', city: '' });
  t.same(countries.placeOf('203.0.113.1'), { country: '', region: '', city: '' }, 'an invalid code is not used');
  t.same(countries.placeOf('203.0.113.200'), { country: 'US', region: '', city: 'X' });
  t.same(countries.placeOf('8.8.8.8'), { country: '', region: '', city: '' });
  t.equal(openCountryDatabase('', silentLog, systemScheduler).placeOf('192.0.2.1'), null);
});

t.test('without a database file no country is known', async (t) => {
  t.equal(openCountryDatabase('', silentLog, systemScheduler).countryOf('192.0.2.1'), '');
  t.doesNotThrow(() => checkCountryFile(''));
});

const GERMANY = mmdbOf({ '192.0.2.0/24': 'DE' });

t.test('a path to a missing file, or to one that is no database of countries, is a fault of the setting', async (t) => {
  const dir = t.testdir({ 'text.mmdb': 'no such format', 'empty.mmdb': '' });
  writeFileSync(join(dir, 'whole.mmdb'), GERMANY);
  writeFileSync(join(dir, 'cut.mmdb'), GERMANY.subarray(0, GERMANY.length - 50));
  writeFileSync(join(dir, 'others.mmdb'), mmdbOf({ '192.0.2.0/24': '' }));
  t.doesNotThrow(() => checkCountryFile(join(dir, 'whole.mmdb')));
  for (const [name, reason] of [
    ['missing.mmdb', /ENOENT$/],
    ['.', /EISDIR$/],
    ['text.mmdb/file', /ENOTDIR$/],
    ['text.mmdb', /it is not a whole file in MaxMind's format \(\.mmdb\)$/],
    ['empty.mmdb', /it is not a whole file/],
    ['cut.mmdb', /it is not a whole file/],
    ['others.mmdb', /it contains no countries$/],
  ] as const) {
    const error = t.throws(() => checkCountryFile(join(dir, name)), { name: 'SettingError', message: reason }, name) as Error;
    t.ok(error.message.startsWith(`COUNTRY_DATABASE "${join(dir, name)}" cannot be used: `), error.message);
  }
});

function open(t: Test, path: string) {
  const timers = manualTimers();
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const countries = openCountryDatabase(path, log, timers.schedule);
  t.teardown(() => countries.stop());
  return { countries, lines, timers, look: () => timers.advance(LOOK_AGAIN_MS) };
}

/** In one step, as an update replaces it. */
function replaceFile(path: string, bytes: Buffer | string): void {
  writeFileSync(`${path}.new`, bytes);
  renameSync(`${path}.new`, path);
}

t.test('a file that is missing or damaged is logged once, no country is known until it is there, and then it is used', async (t) => {
  const path = join(t.testdir(), 'countries.mmdb');
  const { countries, lines, look } = open(t, path);
  t.equal(countries.countryOf('192.0.2.1'), '');
  t.equal(countries.placeOf('192.0.2.1'), null);
  look();
  replaceFile(path, 'half of a fi');
  look();
  t.equal(countries.countryOf('192.0.2.1'), '');
  t.equal(lines.length, 1);
  t.match(JSON.parse(lines[0] as string), { code: 'country_file_unreadable', path, reason: 'ENOENT' });
  replaceFile(path, GERMANY);
  look();
  t.equal(countries.countryOf('192.0.2.1'), 'DE');
  t.equal(lines.length, 1);
});

t.test('while a newer file cannot be used the previous one stays in use, which is logged once each time', async (t) => {
  const path = join(t.testdir(), 'countries.mmdb');
  writeFileSync(path, GERMANY);
  const { countries, lines, timers, look } = open(t, path);
  rmSync(path);
  look();
  look();
  t.equal(countries.countryOf('192.0.2.1'), 'DE');
  t.match(
    lines.map((line) => JSON.parse(line).msg),
    [/the previous one stays in use$/],
  );
  replaceFile(path, mmdbOf({ '192.0.2.0/24': 'FR' }));
  look();
  t.equal(countries.countryOf('192.0.2.1'), 'FR');
  rmSync(path);
  look();
  t.equal(lines.length, 2);
  countries.stop();
  t.equal(timers.count(), 0);
});
