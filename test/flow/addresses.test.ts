import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import t from 'tap';
import { ADDRESS_BYTES, readAddressText } from '../../shared/net/address.js';
import { connect } from '../support/click-log.js';
import { createCountedLink, startOwnPostgres, startStack } from '../support/stack.js';
import { until } from '../support/until.js';
import { IPHONE } from '../support/visitor.js';

/** Addresses that a proxy forwards, and the address of the socket itself. */
const FORWARDED = ['198.18.203.97', '2a01:4f8:cafe:77aa:51b3:92d4:e6f7:8a9b'];
const SOCKET = '127.66.77.88';

const postgres = await startOwnPostgres(t);
const stack = await startStack(t, {
  databaseUrl: postgres.url,
  environment: {
    TRUSTED_PROXIES: '127.0.0.1/32',
    COUNTRY_HEADER: 'CF-IPCountry',
    REGION_HEADER: 'CF-Region-Code',
    CITY_HEADER: 'CF-IPCity',
    SPOOL_SEGMENT_SECONDS: '1',
    SPOOL_KEEP_SECONDS: '1',
  },
});
const { dataDir } = stack.engineOptions;
const superuser = await connect(postgres.superuserUrl);
t.teardown(() => superuser.end());
const { folder } = (await superuser.query(`SELECT current_setting('data_directory') AS folder`)).rows[0];

/** Every form in which a file could hold an address. */
function spellings(address: string): readonly Buffer[] {
  const bytes = new Uint8Array(ADDRESS_BYTES);
  if (!readAddressText(address, bytes)) throw new Error(`${address} is not an address`);
  const raw = Buffer.from(address.includes(':') ? bytes : bytes.subarray(12));
  return [Buffer.from(address), raw, Buffer.from(raw.toString('hex'))];
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The files that hold one of the addresses. A file that is removed while it is read counts as one without. */
function filesWith(addresses: readonly string[]): readonly string[] {
  const needles = addresses.flatMap(spellings);
  return [...filesBelow(dataDir), ...filesBelow(folder)].filter((path) => {
    try {
      const bytes = readFileSync(path);
      return needles.some((needle) => bytes.includes(needle));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return false;
    }
  });
}

function visit(path: string, from: string, forwardedFor: string | null): Promise<number> {
  const { engine, project } = stack;
  const place = { 'cf-ipcountry': 'DE', 'cf-region-code': 'BE', 'cf-ipcity': 'Berlin' };
  const forwarded = forwardedFor === null ? {} : { 'x-forwarded-for': forwardedFor };
  const headers = { host: project.linkHost, 'user-agent': IPHONE, ...place, ...forwarded };
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: engine.port, localAddress: from, path, headers, agent: false };
    request(options, (response) => resolve(response.resume().statusCode ?? 0))
      .on('error', reject)
      .end();
  });
}

t.test('no file holds a visitor’s address, neither right after the visit nor after its click is stored', async (t) => {
  const link = await createCountedLink(stack);
  const addresses = [...FORWARDED, SOCKET];
  t.same(filesWith(addresses), [], 'no file holds one of the addresses before the visits');
  for (const address of FORWARDED) t.equal(await visit(`/${link.path}`, '127.0.0.1', address), 302);
  t.equal(await visit(`/${link.path}`, SOCKET, null), 302);
  const segments = () => readdirSync(join(dataDir, 'spool')).filter((name) => name.includes('.segment') || name.includes('.shipped'));
  const written = segments();
  t.same(filesWith(addresses), []);
  const hashed = async () => (await stack.rows('SELECT 1 FROM clicks WHERE address_hash IS NOT NULL')).length === 3;
  await until(hashed, 'three clicks with a hashed address in the log');
  await superuser.query('CHECKPOINT');
  t.same(filesWith(addresses), []);
  const goneAt = () => written.filter((name) => !segments().includes(name)).length;
  await until(goneAt, 'the spool segment of the visits to be removed');
  t.same(filesWith(addresses), []);
});

t.test('a click has the country, region and city that a trusted proxy names, and those that others name are ignored', async (t) => {
  t.same(await stack.rows('SELECT country, region, city, count(*)::integer FROM clicks GROUP BY 1, 2, 3 ORDER BY 1'), [
    { country: 'DE', region: 'DE-BE', city: 'Berlin', count: 2 },
    { country: null, region: null, city: null, count: 1 },
  ]);
});

t.test('the search used here finds an address that is in a file', async (t) => {
  const link = await createCountedLink(stack);
  await visit(`/${link.path}?from=${FORWARDED[0]}`, '127.0.0.1', '198.18.0.1');
  await until(async () => filesWith([FORWARDED[0] as string]).length > 0, 'an address in the query of a visit to be found');
  t.pass();
});
