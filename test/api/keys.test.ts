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
