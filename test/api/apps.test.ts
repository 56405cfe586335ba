import { randomUUID } from 'node:crypto';
import t from 'tap';
import { call, send } from './api-client.js';
import { startApiServer } from './api-server.js';

const api = await startApiServer(t);
const ORIGIN = 'https://app.acme.org';
const OTHERS = 'https://other.acme.org';
await send(api.baseUrl, 'PATCH /environment', { key: api.liveKey, body: { web_origins: [ORIGIN, 'http://localhost:5173'] } });
await send(api.baseUrl, 'PATCH /environment', { key: api.testKey, body: { web_origins: [OTHERS] } });

const from = (origin: string) => ({ key: api.liveAppKey, body: { name: 'seen' }, headers: { origin } });

t.test('an app makes a link that leads where the environment says', async (t) => {
  const campaign = { key: 'share', name: 'Share', utm_source: 'app' };
  await call(t, api.baseUrl, 'POST /campaigns', { key: api.liveKey, body: campaign });
  const body = { deep_link_path: '/p/1?x=1', data: { from: 'ü' }, campaign: 'share' };
  const { status, json } = await call(t, api.baseUrl, 'POST /sdk/links', { key: api.liveAppKey, body });
  t.equal(status, 201);
  t.match(json, { ...body, id: /^lnk_/, environment: 'live', status: 'active', utm_source: null, domain: null, expires_at: null });
  t.match(json.path, /^[A-Za-z0-9]{7}$/);
  t.equal(json.url, `https://${api.live.link_host}/${json.path}`);
  t.same(json.destinations, { ios: null, android: null, web: null, desktop: null, fallback: null });
  t.equal(json.allow_param_passthrough, false);
  t.match((await call(t, api.baseUrl, `GET /links/${json.id}`, { key: api.liveKey })).json, json);
  const { rowCount } = await api.database.query({
    text: `SELECT 1 FROM events WHERE type = 'link.created' AND body::json -> 'data' ->> 'id' = $1`,
    values: [json.id],
  });
  t.equal(rowCount, 1);
});

t.test('the origins of apps that are web views are answered where they are listed, and refused where not', async (t) => {
  const own = await startApiServer(t);
  const ask = (origin: string) =>
    call(t, own.baseUrl, 'POST /sdk/links', { key: own.liveAppKey, body: { deep_link_path: '/' }, headers: { origin } });
  const web_origins = ['capacitor://localhost', 'ionic://localhost'];
  for (const origin of web_origins) t.match(await ask(origin), { status: 403, json: { code: 'origin_not_allowed' } });
  await call(t, own.baseUrl, 'PATCH /environment', { key: own.liveKey, body: { web_origins } });
  for (const origin of web_origins) {
    const { status, headers } = await ask(origin);
    t.equal(status, 201);
    t.equal(headers.get('access-control-allow-origin'), origin);
  }
  t.equal((await ask('capacitor://elsewhere')).status, 403);
});

t.test('nothing else that a link has may be said by an app', async (t) => {
  const fields = {
    path: 'mine',
    destinations: { web: 'https://evil.example/' },
    domain: 'evil.example',
    url: 'https://evil.example/',
    allow_param_passthrough: true,
    utm_source: 'x',
    expires_at: '2040-01-01T00:00:00Z',
    status: 'active',
    environment: 'test',
  };
  for (const [name, value] of Object.entries(fields)) {
    const { status, json } = await call(t, api.baseUrl, 'POST /sdk/links', { key: api.liveAppKey, body: { [name]: value } });
    t.equal(status, 422, name);
    t.match(json.errors, [{ pointer: `/${name}`, code: 'unknown_field' }]);
    t.equal(json.errors.length, 1);
  }
  for (const [body, pointer] of [
    [{ deep_link_path: 'https://evil.example/' }, '/deep_link_path'],
    [{ campaign: 'nobody' }, '/campaign'],
    [{ data: { a: 'x'.repeat(4096) } }, '/data'],
  ] as const)
    t.match(await call(t, api.baseUrl, 'POST /sdk/links', { key: api.liveAppKey, body }), { status: 422, json: { errors: [{ pointer }] } });
});

t.test('a URL that opened the app is resolved as visitors are led', async (t) => {
  const link = (
    await call(t, api.baseUrl, 'POST /links', {
      key: api.liveKey,
      body: { deep_link_path: '/p/1', data: { a: 1 }, allow_param_passthrough: true },
    })
  ).json;
  const resolve = (url: string, key = api.liveAppKey) => call(t, api.baseUrl, 'POST /sdk/resolve', { key, body: { url } });
  const found = {
    link: { id: link.id, url: link.url, path: link.path, campaign: null },
    resource: null,
    deep_link_path: '/p/1',
    data: { a: 1 },
  };
  t.same((await resolve(link.url)).json, { ...found, params: null });
  t.same((await resolve(`${link.url}/?ref=a&ref=b#x`)).json, { ...found, params: { ref: 'a' } });
  const odd = await resolve(`${link.url.replace('https', 'http').replace('go.', 'GO.')}?__proto__=1`);
  t.strictSame(Object.entries(odd.json.params), [['__proto__', '1']]);
  t.same((await resolve(`https://${api.live.open_host}/${link.path}?click_id=clk_01jd4v6xq8e5s0m3k7n9p2r4tw&a=1`)).json.params, { a: '1' });
  for (const url of [
    `https://${api.live.link_host}/nothing`,
    `https://${api.live.link_host}/`,
    `https://${api.live.link_host}/robots.txt`,
    `https://${api.live.link_host}/no/template`,
    `https://evil.example/${link.path}`,
    `/${link.path}`,
    `acme://${link.path}`,
    'text',
  ])
    t.match(await resolve(url), { status: 404, json: { code: 'not_found', detail: /\.$/ } }, url);
  t.match(await resolve(link.url, api.testAppKey), { status: 404 }, 'the other environment does not know it');
  for (const [method, body, detail] of [
    ['PATCH', { status: 'disabled' }, /disabled/],
    ['PATCH', { status: 'active', expires_at: '2020-01-01T00:00:00Z' }, /expired/],
    ['DELETE', undefined, /deleted/],
  ] as const) {
    await call(t, api.baseUrl, `${method} /links/${link.id}`, { key: api.liveKey, ...(body === undefined ? {} : { body }) });
    t.match(await resolve(link.url), { status: 404, json: { detail } });
  }
});

t.test('an event of an app is stored as one of the SDK', async (t) => {
  const body = { name: 'purchase', install_id: 'ins_1', value: 1, currency: 'EUR' };
  const { status, json } = await call(t, api.baseUrl, 'POST /sdk/events', { key: api.liveAppKey, body });
  t.equal(status, 201);
  t.match(json, { ...body, source: 'sdk', environment: 'live' });
  const { rows } = await api.database.query<{ body: string }>({ text: 'SELECT body FROM events WHERE id = $1', values: [json.id] });
  t.match(JSON.parse(rows[0]?.body ?? '{}'), { type: 'event.tracked', data: { source: 'sdk', install_id: 'ins_1' } });
});

t.test('a page of a listed origin may call and read; any other gets 403 and nothing happens', async (t) => {
  const listed = await call(t, api.baseUrl, 'POST /sdk/events', from(ORIGIN));
  t.equal(listed.status, 201);
  t.equal(listed.headers.get('access-control-allow-origin'), ORIGIN);
  t.match(listed.headers.get('access-control-expose-headers'), /Retry-After/);
  t.equal(listed.headers.get('access-control-allow-credentials'), null);
  t.equal(listed.headers.get('vary'), 'Origin');
  const count = async () =>
    (await api.database.query<{ count: number }>({ text: 'SELECT count(*)::integer AS count FROM tracked_events', values: [] })).rows[0]
      ?.count;
  const before = await count();
  for (const origin of [
    OTHERS,
    'https://evil.example',
    'null',
    '',
    'https://app.acme.org.evil.example',
    'http://app.acme.org',
    'https://app.acme.org:8443',
    'https://app.acme.org/',
    'HTTPS://APP.ACME.ORG',
    `${ORIGIN}, ${ORIGIN}`,
    `https://${'a'.repeat(4000)}.example`,
  ]) {
    const { status, json, headers } = await call(t, api.baseUrl, 'POST /sdk/events', from(origin));
    t.same([status, json.code], [403, 'origin_not_allowed'], origin);
    t.equal(headers.get('access-control-allow-origin'), null);
    t.equal(headers.get('vary'), 'Origin');
  }
  t.equal(await count(), before);
  const app = await call(t, api.baseUrl, 'POST /sdk/events', { key: api.liveAppKey, body: { name: 'seen' } });
  t.same(
    [app.status, app.headers.get('access-control-allow-origin'), app.headers.get('vary')],
    [201, null, 'Origin'],
    'an app has no origin',
  );
});

t.test('a page can read why it was refused before its key was known, and afterwards if its origin is listed', async (t) => {
  for (const [origin, key, status] of [
    [ORIGIN, 'pk_live_nothing', 401],
    ['https://evil.example', 'pk_live_nothing', 401],
    [ORIGIN, api.liveKey, 403],
  ] as const) {
    const refused = await call(t, api.baseUrl, 'POST /sdk/events', { ...from(origin), key });
    t.same([refused.status, refused.headers.get('access-control-allow-origin')], [status, origin]);
  }
  const wrong = await call(t, api.baseUrl, 'POST /sdk/events', { ...from(ORIGIN), body: {} });
  t.same([wrong.status, wrong.headers.get('access-control-allow-origin')], [422, ORIGIN]);
});

t.test('a page can read that a path below /sdk does not exist, or does not take its method', async (t) => {
  for (const [line, status] of [
    ['GET /sdk/events', 405],
    ['POST /sdk/event', 404],
    ['POST /sdk/events/', 404],
    ['POST /sdk/', 404],
    ['POST /sdk/%zz', 400],
  ] as const) {
    const headers = { origin: 'https://any.example' };
    const refused = await call(t, api.baseUrl, line, { key: api.liveAppKey, headers });
    t.equal(refused.status, status, line);
    t.equal(refused.headers.get('access-control-allow-origin'), headers.origin, line);
    t.equal(refused.headers.get('vary'), 'Origin', line);
    const preflight = await call(t, api.baseUrl, line.replace(/^\w+/, 'OPTIONS'), { headers });
    if (status === 400) continue;
    t.match([preflight.status, preflight.headers.get('access-control-allow-origin'), preflight.text], [204, '*', ''], line);
  }
  for (const line of ['GET /sdk', 'GET /sdks/x', 'OPTIONS /sdks/x']) {
    const { status, headers } = await call(t, api.baseUrl, line, { headers: { origin: 'https://any.example' } });
    t.same([status, headers.get('access-control-allow-origin')], [404, null], line);
  }
  t.equal((await call(t, api.baseUrl, 'OPTIONS /sdk/event')).status, 404, 'without an origin it is no preflight');
});

t.test('a preflight, which has no key, tells every origin the same', async (t) => {
  const ask = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization,content-type,idempotency-key' };
  for (const path of ['links', 'resolve', 'opens', 'events']) {
    const answers = new Set<string>();
    for (const origin of [ORIGIN, OTHERS, 'http://localhost:5173', 'https://evil.example', 'null', '']) {
      const { status, headers, text } = await call(t, api.baseUrl, `OPTIONS /sdk/${path}`, { headers: { ...ask, origin } });
      const told = [...headers].filter(([name]) => name !== 'x-request-id' && name !== 'date');
      answers.add(JSON.stringify([status, text, told]));
      t.equal(headers.get('access-control-allow-origin'), '*');
      t.equal(headers.get('access-control-allow-methods'), 'POST, OPTIONS');
      t.equal(headers.get('access-control-allow-headers'), 'Authorization, Content-Type, Idempotency-Key');
      t.equal(headers.get('access-control-max-age'), '7200');
    }
    t.equal(answers.size, 1, path);
    t.match([...answers][0], /^\[204,"",/);
  }
});

t.test('an origin that is taken off the list is refused at once', async (t) => {
  const origin = 'https://short.acme.org';
  const put = (web_origins: readonly string[]) => call(t, api.baseUrl, 'PATCH /environment', { key: api.liveKey, body: { web_origins } });
  const app = (await api.makeKey('live', 'publishable')).key;
  await put([ORIGIN, origin]);
  t.equal((await call(t, api.baseUrl, 'POST /sdk/events', { ...from(origin), key: app })).status, 201);
  await put([ORIGIN]);
  t.equal((await call(t, api.baseUrl, 'POST /sdk/events', { ...from(origin), key: app })).status, 403);
});

t.test('every POST of an app is idempotent by its key', async (t) => {
  const request = { key: api.liveAppKey, body: { deep_link_path: '/once' }, headers: { 'idempotency-key': randomUUID() } };
  const [first, again] = [await call(t, api.baseUrl, 'POST /sdk/links', request), await call(t, api.baseUrl, 'POST /sdk/links', request)];
  t.equal(again.text, first.text);
  t.equal(again.headers.get('idempotent-replayed'), 'true');
});

t.test('requests of apps are counted for each address, whatever key they bear', async (t) => {
  let now = Date.now();
  const limited = await startApiServer(t, { addressRateLimitPerMinute: 3, rateLimitPerMinute: 1, trustedProxyHops: 1, clock: () => now });
  await call(t, limited.baseUrl, 'PATCH /environment', { key: limited.liveKey, body: { web_origins: [ORIGIN] } });
  const post = (address: string, key = limited.liveAppKey, headers = {}) =>
    call(t, limited.baseUrl, 'POST /sdk/events', { key, body: { name: 'x' }, headers: { 'x-forwarded-for': address, ...headers } });
  const allowed = await post('198.51.100.1');
  t.same(
    ['limit', 'remaining', 'reset'].map((name) => allowed.headers.get(`ratelimit-${name}`)),
    ['3', '2', '60'],
  );
  t.equal((await post('9.9.9.9, 198.51.100.1', limited.testAppKey)).status, 201, 'another key, and what a client wrote before the proxy');
  t.equal((await post('198.51.100.1', 'pk_live_unknown')).status, 401, 'a refused request counts too');
  now += 20_000;
  const over = await post('198.51.100.1', limited.liveAppKey, { origin: ORIGIN });
  t.match(over, { status: 429, json: { code: 'rate_limited' } });
  t.same(
    ['retry-after', 'ratelimit-remaining', 'access-control-allow-origin'].map((name) => over.headers.get(name)),
    ['40', '0', ORIGIN],
  );
  for (const host of ['1', '2', '3']) t.equal((await post(`2001:db8:0:1::${host}`)).status, 201);
  t.equal((await post('2001:db8:0:1:ffff::4')).status, 429, 'a /64 is one address');
  t.equal((await post('2001:db8:0:2::1')).status, 201);
  const preflight = () => send(limited.baseUrl, 'OPTIONS /sdk/events', { headers: { origin: ORIGIN, 'x-forwarded-for': '198.51.100.9' } });
  for (let asked = 0; asked < 5; asked++) t.match(await preflight(), { status: 204 }, 'without it, the page could not read a 429');
  t.equal((await post('198.51.100.9')).headers.get('ratelimit-remaining'), '2');
  now += 40_000;
  t.equal((await post('198.51.100.1')).status, 201);
});
