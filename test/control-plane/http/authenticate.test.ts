import t from 'tap';
import { DatabaseUnavailableError, type Queryable, type Rows } from '../../../control-plane/db/database.js';
import { authorize, createAuthenticate, KEY_CACHE_MS } from '../../../control-plane/http/authenticate.js';

const KEY = `Bearer sk_live_${'a'.repeat(32)}`;
const ROW = {
  key_id: 'key_1',
  kind: 'secret',
  scopes: ['links:read'],
  environment_id: 'env_1',
  environment_name: 'live',
  link_host: 'a',
  time_zone: 'UTC',
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

t.test('a key is looked up once for calls that come together, and again after half a second', async (t) => {
  let now = 0;
  const { database, count } = lookups(async () => [ROW]);
  const authenticate = createAuthenticate(database, () => now);
  await Promise.all(Array.from({ length: 10 }, () => authenticate(KEY)));
  t.equal(count(), 1);
  now = KEY_CACHE_MS - 1;
  await authenticate(KEY);
  t.equal(count(), 1);
  now = KEY_CACHE_MS;
  await authenticate(KEY);
  t.equal(count(), 2);
});

t.test('a look-up that takes long is not remembered for longer', async (t) => {
  let now = 0;
  const { database, count } = lookups(async () => {
    now += KEY_CACHE_MS;
    return [ROW];
  });
  const authenticate = createAuthenticate(database, () => now);
  await authenticate(KEY);
  await authenticate(KEY);
  t.equal(count(), 2);
});

t.test('unknown keys and failures are not remembered', async (t) => {
  const unknown = lookups(async () => []);
  const refuse = createAuthenticate(unknown.database, () => 0);
  for (let attempt = 0; attempt < 2; attempt++) await t.rejects(refuse(KEY), { code: 'unauthorized' });
  t.equal(unknown.count(), 2);
  let away = true;
  const flaky = lookups(async () => {
    if (away) throw new DatabaseUnavailableError('away');
    return [ROW];
  });
  const authenticate = createAuthenticate(flaky.database, () => 0);
  await t.rejects(authenticate(KEY), DatabaseUnavailableError);
  away = false;
  t.match(await authenticate(KEY), { keyId: 'key_1' });
});

t.test('what is no key never reaches the database', async (t) => {
  const { database, count } = lookups(async () => [ROW]);
  const authenticate = createAuthenticate(database, () => 0);
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
    await t.rejects(authenticate(header), { code: 'unauthorized' }, String(header));
  t.equal(count(), 0);
  t.match(await authenticate(KEY.replace('Bearer', 'bearer')), { keyId: 'key_1' }, 'the scheme has no case');
});

t.test('a publishable operation takes publishable keys alone', async (t) => {
  const caller = {
    keyId: 'k',
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
    idempotent: false,
    response: { status: 200, description: 'd' },
  } as const;
  authorize({ ...caller, kind: 'publishable' }, route);
  t.throws(() => authorize({ ...caller, kind: 'secret' }, route), { code: 'insufficient_scope' });
});
