import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openCountryDatabase } from '../../../engine/countries/country-database.js';
import { mmdbOf } from '../../support/mmdb.js';
import { silentLog } from '../fixtures.js';

t.test('the operator’s database file gives the country of an address', async (t) => {
  const path = join(t.testdir(), 'countries.mmdb');
  writeFileSync(path, mmdbOf({ '192.0.2.0/24': 'DE', '198.51.100.0/25': 'FR' }));
  const countries = openCountryDatabase(path, silentLog);
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
  const countries = openCountryDatabase(path, silentLog);
  t.teardown(() => countries.stop());
  t.same(countries.placeOf('192.0.2.1'), { country: 'DE', region: 'DE-BE', city: 'Berlin' });
  t.equal(countries.placeOf('192.0.2.1'), countries.placeOf('192.0.2.200'));
  t.same(countries.placeOf('198.51.100.1'), { country: 'FR', region: '', city: '' });
  t.same(countries.placeOf('203.0.113.1'), { country: '', region: '', city: '' }, 'an invalid code is not used');
  t.same(countries.placeOf('203.0.113.200'), { country: 'US', region: '', city: 'X' });
  t.same(countries.placeOf('8.8.8.8'), { country: '', region: '', city: '' });
  t.equal(openCountryDatabase('', silentLog).placeOf('192.0.2.1'), null);
});

t.test('without a database file no country is known, and a path to a missing or broken file is an error', async (t) => {
  t.equal(openCountryDatabase('', silentLog).countryOf('192.0.2.1'), '');
  t.throws(() => openCountryDatabase(join(t.testdir(), 'missing.mmdb'), silentLog), { code: 'ENOENT' });
  const broken = join(t.testdir(), 'broken.mmdb');
  writeFileSync(broken, 'no such format');
  t.throws(() => openCountryDatabase(broken, silentLog));
});
