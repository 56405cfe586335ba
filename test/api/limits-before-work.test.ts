import t, { type Test } from 'tap';
import { UNKNOWN_KEYS_PER_MINUTE } from '../../shared/base/limits.js';
import { countTransactions } from '../support/transactions.js';
import { call, send } from './api-client.js';
import { type ApiServer, startApiServer } from './api-server.js';

/** Tests that a request past its limit, or with an unknown key past its budget, costs PostgreSQL nothing, as its own counters show. */

/** The servers of all tests share this database, because creating one takes longer than all that the tests do. */
const { databaseUrl } = await startApiServer(t);

const KEY_CHARACTERS = 'a'.repeat(26);

/** A well-formed key that belongs to nobody. */
const madeUpKey = (index: number) => `sk_live_${KEY_CHARACTERS}${String(index).padStart(6, '0')}`;

async function statuses(count: number, ask: (index: number) => Promise<{ readonly status: number }>): Promise<readonly number[]> {
  const seen = new Set<number>();
  for (let at = 0; at < count; at += 20) {
    const answers = await Promise.all(Array.from({ length: Math.min(20, count - at) }, (_, index) => ask(at + index)));
    for (const { status } of answers) seen.add(status);
  }
  return [...seen];
}

/** Autovacuum may run meanwhile, and PostgreSQL counts its transactions too. Every `work` makes at least 60 requests. */
const OWN_TRANSACTIONS_MAX = 20;

async function costsNothing(t: Test, api: ApiServer, work: () => Promise<void>): Promise<void> {
  const before = await countTransactions(api.databaseUrl);
  await work();
  const made = (await countTransactions(api.databaseUrl)) - before;
  t.ok(made <= OWN_TRANSACTIONS_MAX, `${made} transactions`);
}

t.test('an address past its limit on /sdk/* costs no query, whatever its origin and its key', async (t) => {
  const api = await startApiServer(t, { databaseUrl, addressRateLimitPerMinute: 1 });
  const ask = (headers: Record<string, string>, key = api.liveAppKey) =>
    send(api.baseUrl, 'POST /sdk/events', { key, body: { name: 'x' }, headers });
  t.equal((await ask({})).status, 201);
  await costsNothing(t, api, async () => {
    t.same(await statuses(100, (index) => ask({ origin: `https://${index}.example` })), [429]);
    t.same(await statuses(100, (index) => ask({}, madeUpKey(index).replace('sk_', 'pk_'))), [429]);
  });
});

t.test('a preflight costs no query, and nothing of the limit of its address', async (t) => {
  const api = await startApiServer(t, { databaseUrl, addressRateLimitPerMinute: 1 });
  await costsNothing(t, api, async () => {
    const ask = (index: number) => send(api.baseUrl, 'OPTIONS /sdk/links', { headers: { origin: `https://${index}.example` } });
    t.same(await statuses(100, ask), [204]);
  });
  t.equal((await send(api.baseUrl, 'POST /sdk/events', { key: api.liveAppKey, body: { name: 'x' } })).status, 201);
});

t.test('a secret key past its limit costs no query, also when it has to be looked up again', async (t) => {
  const api = await startApiServer(t, { databaseUrl, rateLimitPerMinute: 1 });
  const ask = () => send(api.baseUrl, 'GET /links', { key: api.liveKey });
  t.equal((await ask()).status, 200);
  await costsNothing(t, api, async () => {
    t.same(await statuses(60, ask), [429]);
    await new Promise((resolve) => setTimeout(resolve, 600));
    t.same(await statuses(60, ask), [429]);
  });
});

t.test('an unknown key costs one query, and an address past its budget of them none', async (t) => {
  const api = await startApiServer(t, { databaseUrl, trustedProxyHops: 1 });
  const ask = (key: string, address: string) => send(api.baseUrl, 'GET /links', { key, headers: { 'x-forwarded-for': address } });
  const flooding = '198.51.100.1';
  t.equal((await ask(madeUpKey(0), flooding)).status, 401);
  await costsNothing(t, api, async () => {
    t.same(await statuses(100, () => ask(madeUpKey(0), flooding)), [401], 'the same key again');
  });
  t.same(await statuses(UNKNOWN_KEYS_PER_MINUTE - 1, (index) => ask(madeUpKey(index + 1), flooding)), [401]);
  await costsNothing(t, api, async () => {
    t.same(await statuses(200, (index) => ask(madeUpKey(index + 1000), flooding)), [429]);
  });
  const over = await call(t, api.baseUrl, 'GET /links', { key: madeUpKey(9999), headers: { 'x-forwarded-for': flooding } });
  t.equal(over.json.code, 'rate_limited');
  t.match(over.headers.get('retry-after'), /^\d+$/);
  t.equal((await ask(madeUpKey(9999), '198.51.100.2')).status, 401, 'the budget is the address’s');
});

t.test('a known key is let in while its own address has used up its budget of unknown ones', async (t) => {
  const api = await startApiServer(t, { databaseUrl, trustedProxyHops: 1 });
  const ask = (key: string, address: string) => send(api.baseUrl, 'GET /links', { key, headers: { 'x-forwarded-for': address } });
  t.equal((await ask(api.liveKey, '198.51.100.1')).status, 200);
  await statuses(UNKNOWN_KEYS_PER_MINUTE + 50, (index) => ask(madeUpKey(index), '198.51.100.1'));
  await new Promise((resolve) => setTimeout(resolve, 600));
  t.equal((await ask(api.liveKey, '198.51.100.1')).status, 200, 'looked up again');
  t.equal((await ask(api.testKey, '198.51.100.2')).status, 200, 'and from elsewhere for the first time');
});
