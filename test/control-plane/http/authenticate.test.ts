import t from 'tap';
import { DatabaseUnavailableError, type Queryable, type Rows } from '../../../control-plane/db/database.js';
import { Authenticator, authorize, KEY_CACHE_MS, presentedKey } from '../../../control-plane/http/authenticate.js';
import { UNKNOWN_KEYS_PER_MINUTE } from '../../../shared/base/limits.js';

const KEY = `Bearer sk_live_${'a'.repeat(32)}`;
const ROW = {
  key_id: 'key_1',
  key_name: 'Shop',
  kind: 'secret',
  scopes: ['links:read'],
  environment_id: 'env_1',
  environment_name: 'live',
  link_host: 'a',
  time_zone: 'UTC',
  web_origins: [] as readonly string[],
};

function lookups(answer: () => Promise<readonly unknown[]>) {
  let count = 0;
  const database: Queryable = {
    async query<Row>(): Promise<Rows<Row>> {
      count++;
      const rows = (await answer()) as readonly Row[];
      return { rows, rowCount: rows.length };
    },
  };
  return { database, count: () => count };
}

const ADDRESS = '192.0.2.1';

function authenticatorOf(database: Queryable, now: () => number = () => 0) {
  const authenticator = new Authenticator(database, now);
  return (authorization = KEY, address = ADDRESS) => authenticator.authenticate(presentedKey(authorization), address);
}

const keyOf = (index: number) => `Bearer sk_live_${String(index).padStart(32, '0')}`;

t.test('a key is looked up once for concurrent calls, and again after half a second', async (t) => {
  let now = 0;
  const { database, count } = lookups(async () => [ROW]);
  const authenticate = authenticatorOf(database, () => now);
  await Promise.all(Array.from({ length: 10 }, () => authenticate()));
  t.equal(count(), 1);
  now = KEY_CACHE_MS - 1;
  await authenticate();
  t.equal(count(), 1);
  now = KEY_CACHE_MS;
  await authenticate();
  t.equal(count(), 2);
});

t.test('after a change of its environment a key is looked up again, even while an earlier look-up is pending', async (t) => {
  let row = ROW;
  let held = Promise.resolve();
  const { database } = lookups(async () => {
    const found = [row];
    await held;
    return found;
  });
  const authenticator = new Authenticator(database, () => 0);
  const origins = async () => (await authenticator.authenticate(presentedKey(KEY), ADDRESS)).environment.webOrigins;
  t.same(await origins(), []);
  row = { ...ROW, web_origins: ['https://a.example'] };
  t.same(await origins(), [], 'remembered');
  authenticator.forgetEnvironment('env_other');
  t.same(await origins(), [], 'a change of another environment has no effect');
  authenticator.forgetEnvironment(ROW.environment_id);
  let release = () => {};
  held = new Promise((resolve) => (release = resolve));
  const before = origins();
  row = { ...ROW, web_origins: ['https://b.example'] };
  authenticator.forgetEnvironment(ROW.environment_id);
  const after = origins();
  release();
  t.same([await before, await after], [['https://a.example'], ['https://b.example']]);
  t.same(await origins(), ['https://b.example'], 'a look-up from before the change is not cached');
  t.not(authenticator.remembered(presentedKey(KEY)), null);
});

t.test('each look-up of an existing key notes its use, and that of an unknown key does not', async (t) => {
  let now = 0;
  let rows: readonly unknown[] = [ROW];
  const used: string[] = [];
  const { database } = lookups(async () => rows);
  const authenticator = new Authenticator(
    database,
    () => now,
    undefined,
    (keyId) => used.push(keyId),
  );
  const authenticate = () => authenticator.authenticate(presentedKey(KEY), ADDRESS);
  await Promise.all([authenticate(), authenticate()]);
  await authenticate();
  t.same(used, ['key_1']);
  now = KEY_CACHE_MS;
  await authenticate();
  t.same(used, ['key_1', 'key_1']);
  now = 2 * KEY_CACHE_MS;
  rows = [];
  await t.rejects(authenticate(), { code: 'unauthorized' });
  t.equal(used.length, 2);
});

t.test('the cache time of a key begins with its look-up, and a slow look-up is not shared later', async (t) => {
  let now = 0;
  const { database, count } = lookups(async () => {
    now += KEY_CACHE_MS;
    return [ROW];
  });
  const authenticate = authenticatorOf(database, () => now);
  await authenticate();
  await authenticate();
  t.equal(count(), 2);
  await Promise.all([authenticate(), authenticate()]);
  t.equal(count(), 4);
});

t.test('an unknown key is cached for a while, and a failure is not', async (t) => {
  let now = 0;
  const unknown = lookups(async () => []);
  const refuse = authenticatorOf(unknown.database, () => now);
  for (let attempt = 0; attempt < 2; attempt++) await t.rejects(refuse(), { code: 'unauthorized' });
  t.equal(unknown.count(), 1);
  now = 10_000;
  await t.rejects(refuse(), { code: 'unauthorized' });
  t.equal(unknown.count(), 2);
  let away = true;
  const flaky = lookups(async () => {
    if (away) throw new DatabaseUnavailableError('away');
    return [ROW];
  });
  const authenticate = authenticatorOf(flaky.database);
  for (let attempt = 0; attempt < 2 * UNKNOWN_KEYS_PER_MINUTE; attempt++) await t.rejects(authenticate(), DatabaseUnavailableError);
  away = false;
  t.match(await authenticate(), { keyId: 'key_1' });
});

t.test('an address may try a limited number of unknown keys a minute, and existing keys do not count', async (t) => {
  let now = 0;
  let rows: readonly unknown[] = [ROW];
  const { database, count } = lookups(async () => rows);
  const authenticate = authenticatorOf(database, () => now);
  for (let index = 0; index < 2 * UNKNOWN_KEYS_PER_MINUTE; index++) await authenticate(keyOf(index));
  rows = [];
  const others = 2 * UNKNOWN_KEYS_PER_MINUTE;
  for (let index = 0; index < UNKNOWN_KEYS_PER_MINUTE; index++)
    await t.rejects(authenticate(keyOf(others + index)), { code: 'unauthorized' });
  const asked = count();
  await t.rejects(authenticate(keyOf(100_000)), { code: 'rate_limited' });
  await t.rejects(authenticate(keyOf(100_000), '::ffff:192.0.2.1'), { code: 'rate_limited' }, 'an IPv4-mapped address is the same address');
  t.equal(count(), asked);
  await t.rejects(authenticate(keyOf(100_000), '192.0.2.2'), { code: 'unauthorized' });
  rows = [ROW];
  now = KEY_CACHE_MS;
  t.match(await authenticate(keyOf(0)), { keyId: 'key_1' }, 'a known key is accepted from the limited address');
  now = 60_000;
  t.match(await authenticate(keyOf(100_000)), { keyId: 'key_1' });
});

t.test('a revoked key is forgotten', async (t) => {
  let rows: readonly unknown[] = [ROW];
  let now = 0;
  const { database } = lookups(async () => rows);
  const authenticator = new Authenticator(database, () => now);
  const key = presentedKey(KEY);
  t.equal(authenticator.remembered(key), null);
  await authenticator.authenticate(key, ADDRESS);
  now = 10 * KEY_CACHE_MS;
  t.match(authenticator.remembered(key), { keyId: 'key_1' }, 'a key stays remembered after its cache time');
  rows = [];
  await t.rejects(authenticator.authenticate(key, ADDRESS), { code: 'unauthorized' });
  t.equal(authenticator.remembered(key), null);
});

t.test('a malformed key is refused without a look-up', async (t) => {
  for (const header of [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    `Basic ${'a'.repeat(40)}`,
    'Bearer sk_live_short',
    `Bearer sk_prod_${'a'.repeat(32)}`,
    `${KEY} x`,
    `Bearer sk_live_${'ä'.repeat(32)}`,
  ])
    t.throws(() => presentedKey(header), { code: 'unauthorized' }, String(header));
  t.equal(presentedKey(KEY.replace('Bearer', 'bearer')).name, presentedKey(KEY).name, 'the scheme is case-insensitive');
});

t.test('a publishable operation accepts only publishable keys', async (t) => {
  const caller = {
    keyId: 'k',
    keyName: 'k',
    scopes: [],
    environment: { id: 'e', name: 'live', linkHost: 'a', timeZone: 'UTC', webOrigins: [] },
  } as const;
  const route = {
    method: 'POST',
    path: '/sdk/x',
    tag: 't',
    summary: 's',
    key: 'publishable',
    scopes: [],
    response: { status: 200, description: 'd' },
  } as const;
  authorize({ ...caller, kind: 'publishable' }, route);
  t.throws(() => authorize({ ...caller, kind: 'secret' }, route), { code: 'insufficient_scope' });
});
