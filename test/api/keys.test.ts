import t from 'tap';
import { revokeKey } from '../../control-plane/keys/keys.js';
import { call, send } from './api-client.js';
import { startApiServer } from './api-server.js';

t.test('a revoked key is dead within a second on every server, under load too', async (t) => {
  const first = await startApiServer(t);
  const second = await startApiServer(t, { databaseUrl: first.databaseUrl });
  const { id, key } = await first.makeKey('live', ['links:read']);
  for (const { baseUrl } of [first, second]) t.equal((await call(t, baseUrl, 'GET /links', { key })).status, 200);
  const lastAccepted = [0, 0];
  let revokedAt = Number.POSITIVE_INFINITY;
  const load = [first, second].map(async ({ baseUrl }, index) => {
    while (performance.now() < revokedAt + 1_500) {
      const sent = performance.now();
      if ((await send(baseUrl, 'GET /links', { key })).status === 200) lastAccepted[index] = sent;
    }
  });
  await new Promise((resolve) => setTimeout(resolve, 200));
  t.ok(await revokeKey(first.database, id));
  revokedAt = performance.now();
  await Promise.all(load);
  for (const at of lastAccepted) t.ok(at - revokedAt < 1_000, `accepted for ${Math.round(at - revokedAt)} ms`);
  for (const { baseUrl } of [first, second]) t.equal((await call(t, baseUrl, 'GET /links', { key })).status, 401);
});

t.test('a key is stored as its hash alone', async (t) => {
  const api = await startApiServer(t);
  const { key } = await api.makeKey('live', []);
  t.match(key, /^sk_live_[0-9A-Za-z]{32}$/);
  const { rows } = await api.database.query<{ text: string }>({ text: 'SELECT k::text AS text FROM api_keys AS k', values: [] });
  t.notMatch(rows.map((row) => row.text).join(), key.slice(8, -4));
});

t.test('the rate limit counts each key for itself and says so in headers', async (t) => {
  let now = Date.now();
  const api = await startApiServer(t, { rateLimitPerMinute: 3, clock: () => now });
  const line = 'GET /links';
  for (const remaining of ['2', '1', '0']) {
    const answer = await call(t, api.baseUrl, line, { key: api.liveKey });
    t.equal(answer.status, 200);
    t.equal(answer.headers.get('ratelimit-limit'), '3');
    t.equal(answer.headers.get('ratelimit-remaining'), remaining);
    t.equal(answer.headers.get('ratelimit-reset'), '60');
  }
  now += 20_000;
  const refused = await call(t, api.baseUrl, line, { key: api.liveKey });
  t.match(refused, { status: 429, json: { code: 'rate_limited' } });
  t.equal(refused.headers.get('retry-after'), '40');
  t.equal(refused.headers.get('ratelimit-remaining'), '0');
  t.equal((await call(t, api.baseUrl, line, { key: api.testKey })).status, 200);
  now += 40_000;
  t.equal((await call(t, api.baseUrl, line, { key: api.liveKey })).status, 200);
});

t.test('a limit of 0 is none', async (t) => {
  const api = await startApiServer(t, { rateLimitPerMinute: 0 });
  const answer = await call(t, api.baseUrl, 'GET /links', { key: api.liveKey });
  t.equal(answer.headers.get('ratelimit-limit'), null);
});

t.test('while the server drains, requests are told 503 and connections end', async (t) => {
  const api = await startApiServer(t);
  api.drain();
  const answer = await call(t, api.baseUrl, 'GET /links', { key: api.liveKey });
  t.match(answer, { status: 503, json: { code: 'service_unavailable' } });
  t.equal(answer.headers.get('retry-after'), '1');
  t.equal(answer.headers.get('connection'), 'close');
  const headers = { origin: 'https://shop.example' };
  t.equal((await send(api.baseUrl, 'OPTIONS /sdk/opens', { headers })).status, 204, 'a page asks first whether it may ask');
  const page = await call(t, api.baseUrl, 'POST /sdk/opens', { key: api.liveAppKey, body: {}, headers });
  t.match([page.status, page.headers.get('access-control-allow-origin')], [503, 'https://shop.example'], 'and can read when to come back');
  const other = await call(t, api.baseUrl, 'GET /links', { key: api.liveKey, headers });
  t.equal(other.headers.get('access-control-allow-origin'), null);
});

t.test('the keys of an environment are listed with what they may do, and with nothing that would open anything', async (t) => {
  const api = await startApiServer(t);
  const made = await api.makeKey('live', ['links:read']);
  const revoked = await api.makeKey('live', ['analytics:read']);
  const elsewhere = await (await api.anotherProject()).makeKey('live', []);
  await revokeKey(api.database, revoked.id);
  const { json } = await call(t, api.baseUrl, 'GET /keys', { key: made.key });
  t.match(json.data, [
    { id: revoked.id, status: 'revoked', revoked_at: /Z$/, scopes: ['analytics:read'] },
    {
      id: made.id,
      environment: 'live',
      name: 'key',
      kind: 'secret',
      scopes: ['links:read'],
      prefix: 'sk_live_',
      last4: made.key.slice(-4),
      status: 'active',
      revoked_at: null,
    },
    { kind: 'publishable', scopes: [], prefix: 'pk_live_', last4: api.liveAppKey.slice(-4) },
    { kind: 'secret', last4: api.liveKey.slice(-4) },
  ]);
  t.equal(json.data.length, 4, 'no key of the other environment');
  for (const { key } of [made, revoked]) t.notMatch(JSON.stringify(json), key.slice(8, -4));
  t.notOk(json.data.some(({ id }: { id: string }) => id === elsewhere.id));
  const listed = async (query: string) =>
    (await call(t, api.baseUrl, `GET /keys?${query}`, { key: api.liveKey })).json.data.map(({ id }: { id: string }) => id);
  t.same(await listed('status=revoked'), [revoked.id]);
  t.equal((await listed('status=active')).length, 3);
  const first = (await call(t, api.baseUrl, 'GET /keys?limit=3', { key: api.liveKey })).json;
  t.same(first.data, json.data.slice(0, 3));
  t.same(await listed(`limit=3&cursor=${first.next_cursor}`), [json.data[3].id]);
  const { key } = await api.makeKey('live', ['analytics:read', 'webhooks:write']);
  t.match(await call(t, api.baseUrl, 'GET /keys', { key }), { status: 403, json: { code: 'insufficient_scope' } });
  t.equal((await call(t, api.baseUrl, 'GET /keys', { key: api.liveAppKey })).status, 403);
});

t.test('the last use of a key is shown once it is written, of apps and of calls that are refused for their scope too', async (t) => {
  const minuteMs = Math.ceil(Date.now() / 60_000) * 60_000 + 60_000;
  const minute = new Date(minuteMs).toISOString();
  let now = minuteMs + 30_400;
  const api = await startApiServer(t, { clock: () => now });
  const reader = await api.makeKey('live', ['links:read']);
  const refused = await api.makeKey('live', ['analytics:read']);
  const idle = await api.makeKey('live', []);
  const uses = async () => {
    const { json } = await call(t, api.baseUrl, 'GET /keys', { key: reader.key });
    return Object.fromEntries(json.data.map((key: { id: string; last_used_at: string | null }) => [key.id, key.last_used_at]));
  };
  t.equal((await uses())[reader.id], null);
  t.equal((await call(t, api.baseUrl, 'GET /links', { key: refused.key })).status, 403);
  const app = await send(api.baseUrl, 'POST /sdk/links', { key: api.liveAppKey, body: { deep_link_path: '/p/1' } });
  t.equal(app.status, 201);
  await api.writeKeyUses();
  const shown = await uses();
  t.match(shown, { [reader.id]: minute, [refused.id]: minute, [idle.id]: null });
  t.equal(Object.values(shown).filter((at) => at !== null).length, 3, 'the key of the app too');
  now += 60_000;
  await new Promise((resolve) => setTimeout(resolve, 600)); // the lifetime of cached keys
  await uses();
  t.same(await uses(), shown, 'what a control plane loses that is killed now');
  await api.writeKeyUses();
  t.equal((await uses())[reader.id], new Date(minuteMs + 60_000).toISOString());
});
