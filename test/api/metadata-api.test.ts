import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import t from 'tap';
import { newId } from '../../shared/base/ids.js';
import { startCustomerApi } from '../support/customer-api.js';
import { insertResourceType } from '../support/resource-type.js';
import { call } from './api-client.js';
import { type ApiServer, startApiServer } from './api-server.js';

const ITEM = { name: 'Shoe', text: 'Fine', image: 'https://images.example.com/1.png', state: 'live', price: { amount: 5 } };

/** The answers of the customer's API, by the last segment of the path. */
const ANSWERS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  good: (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(ITEM)),
  missing: (response) => response.writeHead(404).end('no'),
  gone: (response) => response.writeHead(410).end(),
  broken: (response) => response.writeHead(500).end('{"name":"x"}'),
  forbidden: (response) => response.writeHead(403).end(),
  moved: (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  html: (response) => response.writeHead(200).end('<html>'),
  list: (response) => response.writeHead(200).end('[]'),
  nameless: (response) => response.writeHead(200).end('{"text":"Fine","state":"odd"}'),
  large: (response) => response.writeHead(200).end(`{"name":"${'x'.repeat(256 * 1024)}"}`),
  endless: (response) => {
    const more = (): void => {
      while (response.writable && response.write('x'.repeat(65_536)));
    };
    response.on('drain', more).writeHead(200);
    more();
  },
  silent: () => {},
  dripping: (response) => {
    response.writeHead(200).write('{');
    const timer = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(timer));
  },
  cut: (response) => response.destroy(),
  echo: (response) => {
    const { authorization = '', 'x-key': key = '' } = response.req.headers;
    const sent = `${authorization}${key}`;
    const url = `https://images.example.com/${encodeURIComponent(sent)}.png`;
    const seen = { name: sent, text: Buffer.from(sent).toString('base64'), image: url, price: url, state: sent, raw: response.req.headers };
    response.writeHead(200).end(JSON.stringify(seen));
  },
};

const customer = await startCustomerApi(t, (path, response) => {
  const answer = ANSWERS[path.split('?')[0]?.split('/').at(-1) ?? ''] ?? ANSWERS.good;
  answer?.(response);
});
const api = await startApiServer(t, { outboundAllow: [customer.origin, 'http://127.0.0.1:1', 'http://nowhere.invalid'] });

let types = 0;

async function newType(server: ApiServer = api): Promise<string> {
  return insertResourceType(server.database, server.live.id, `type_${++types}`);
}

const smallest = { url_template: `${customer.origin}/v1/{type}/{id}?lang=en`, field_mapping: { title: 'name' } };

async function put(t: Parameters<typeof call>[0], type: string, body: unknown) {
  return call(t, api.baseUrl, `PUT /resource-types/${type}/metadata-api`, { key: api.liveKey, body });
}

t.test('the smallest configuration gets every default, and reads the same', async (t) => {
  const type = await newType();
  t.equal((await call(t, api.baseUrl, `GET /resource-types/${type}/metadata-api`, { key: api.liveKey })).status, 404);
  const pokes = api.pokes();
  const answer = await put(t, type, smallest);
  t.equal(answer.status, 200);
  t.match(answer.json, { id: /^mapi_/, created_at: /Z$/, updated_at: answer.json.created_at });
  const { id, created_at, updated_at, ...rest } = answer.json;
  t.strictSame(rest, {
    resource_type_id: type,
    status: 'active',
    url_template: smallest.url_template,
    auth: { type: 'none', header_name: null, secret_set: false, secret_hint: null },
    headers: {},
    timeout_ms: 1500,
    ttl_seconds: 3600,
    negative_ttl_seconds: 300,
    stale_if_error_seconds: 86_400,
    max_concurrency: 10,
    max_requests_per_minute: 600,
    field_mapping: { title: 'name' },
    field_defaults: {},
    required_fields: [],
    status_values: { published: ['published'], unpublished: ['unpublished'], deleted: ['deleted'] },
    allowed_image_hosts: [],
  });
  t.equal(api.pokes(), pokes + 1);
  const read = await call(t, api.baseUrl, `GET /resource-types/${type}/metadata-api`, { key: api.liveKey });
  t.strictSame(read.json, answer.json);
  const { rows } = await api.database.query({
    text: `SELECT kind, environment_id, object_key FROM config_feed WHERE object_id = $1`,
    values: [id],
  });
  t.strictSame(rows, [{ kind: 'metadata_api', environment_id: api.live.id, object_key: type }]);
});

t.test('a PUT replaces the whole configuration, keeps its id, and begins a generation', async (t) => {
  const type = await newType();
  const full = {
    status: 'disabled',
    ...smallest,
    auth: { type: 'api_key_header', header_name: 'X-Api-Key', secret: 'a-secret-of-some-length' },
    headers: { 'Accept-Language': 'de' },
    timeout_ms: 100,
    ttl_seconds: 10,
    negative_ttl_seconds: 0,
    stale_if_error_seconds: 0,
    max_concurrency: 100,
    max_requests_per_minute: 60_000,
    field_mapping: { title: 'name', image_url: '/image', resource_status: 'state' },
    field_defaults: { description: 'In our shop' },
    required_fields: ['title'],
    status_values: { published: ['live'], deleted: ['gone'] },
    allowed_image_hosts: ['Images.Example.com'],
  };
  const first = await put(t, type, full);
  const { auth, ...sent } = full;
  t.match(first.json, {
    ...sent,
    auth: { type: auth.type, header_name: 'X-Api-Key', secret_set: true, secret_hint: 'ngth' },
    status_values: { published: ['live'], unpublished: [], deleted: ['gone'] },
    allowed_image_hosts: ['images.example.com'],
  });
  const second = await put(t, type, smallest);
  t.match(second.json, { id: first.json.id, created_at: first.json.created_at, headers: {}, timeout_ms: 1500, status: 'disabled' });
  const { rows } = await api.database.query({ text: 'SELECT generation FROM metadata_apis WHERE id = $1', values: [first.json.id] });
  t.strictSame(rows, [{ generation: 2 }]);
});

t.test('omitting auth or its secret keeps the stored credential, and the type none forgets it', async (t) => {
  const type = await newType();
  // Longer than the first call takes on a machine that is busy with other tests.
  const configured = { ...smallest, timeout_ms: 5000 };
  const authorization = async (): Promise<unknown> => {
    await call(t, api.baseUrl, `POST /resource-types/${type}/metadata-api/test`, { key: api.liveKey, body: { id: 'good' } });
    const { headers } = customer.calls.at(-1) as { headers: Record<string, unknown> };
    return headers.authorization ?? headers['x-key'] ?? null;
  };
  await put(t, type, { ...configured, auth: { type: 'bearer', secret: 'first-credential' } });
  t.equal(await authorization(), 'Bearer first-credential');
  t.match((await put(t, type, configured)).json.auth, { type: 'bearer', secret_set: true, secret_hint: 'tial' });
  t.equal(await authorization(), 'Bearer first-credential');
  t.match((await put(t, type, { ...configured, auth: { type: 'bearer' } })).json.auth, { secret_set: true, secret_hint: 'tial' });
  t.equal(await authorization(), 'Bearer first-credential');
  await put(t, type, { ...configured, auth: { type: 'bearer', secret: 'second-credential-xyz' } });
  t.equal(await authorization(), 'Bearer second-credential-xyz');
  const none = await put(t, type, { ...configured, auth: { type: 'none' } });
  t.strictSame(none.json.auth, { type: 'none', header_name: null, secret_set: false, secret_hint: null });
  t.equal(await authorization(), null);
  const refused = await put(t, type, { ...configured, auth: { type: 'bearer' } });
  t.match(refused, { status: 422, json: { errors: [{ pointer: '/auth/secret', code: 'required' }] } });
});

t.test('a credential is kept for the origin, the kind and the header it was given for; elsewhere it has to be sent again', async (t) => {
  const type = await newType();
  const key = { type: 'api_key_header', header_name: 'X-Key' };
  const elsewhere = { url_template: 'https://elsewhere.example.com/v1/{id}' };
  const stored = await put(t, type, { ...smallest, auth: { ...key, secret: 'the-credential' } });
  for (const change of [
    elsewhere,
    { url_template: smallest.url_template.replace('127.0.0.1', 'localhost.example.com').replace('http:', 'https:') },
    { ...elsewhere, auth: key },
    { auth: { ...key, header_name: 'X-Other' } },
    { auth: { type: 'bearer' } },
  ]) {
    const answer = await put(t, type, { ...smallest, ...change });
    t.match(answer, { status: 422, json: { errors: [{ in: 'body', pointer: '/auth/secret', code: 'required' }] } });
    t.equal(answer.json.errors.length, 1);
  }
  const { json: now } = await call(t, api.baseUrl, `GET /resource-types/${type}/metadata-api`, { key: api.liveKey });
  t.strictSame(now, stored.json, 'nothing was changed');
  for (const change of [
    { url_template: `${customer.origin.replace('http:', 'HTTP:')}/v2/{id}` },
    { auth: { ...key, header_name: 'x-key' } },
    { ...elsewhere, auth: { ...key, secret: 'another-credential' } },
    { ...elsewhere, auth: { ...key, header_name: 'X-Other', secret: 'another-credential' } },
    { auth: { type: 'bearer', secret: 'another-credential' } },
    { ...elsewhere, auth: { type: 'none' } },
    smallest,
  ])
    t.equal((await put(t, type, { ...smallest, ...change })).status, 200, JSON.stringify(change));
});

t.test('a PUT without status keeps it, and a new configuration is active', async (t) => {
  const type = await newType();
  t.equal((await put(t, type, smallest)).json.status, 'active');
  t.equal((await put(t, type, { ...smallest, status: 'disabled' })).json.status, 'disabled');
  t.equal((await put(t, type, smallest)).json.status, 'disabled');
  t.equal((await put(t, type, { ...smallest, status: 'active' })).json.status, 'active');
  t.equal((await put(t, type, smallest)).json.status, 'active');
});

t.test('a required field that is neither mapped nor has a default is missing in every answer', async (t) => {
  const type = await newType();
  t.equal((await put(t, type, { ...smallest, required_fields: ['image_url'] })).status, 200);
  const answer = await call(t, api.baseUrl, `POST /resource-types/${type}/metadata-api/test`, { key: api.liveKey, body: { id: 'good' } });
  t.match(answer.json, { outcome: 'invalid', reason: 'missing_required_field' });
});

t.test('a default satisfies required_fields, mapped or not', async (t) => {
  const type = await newType();
  const body = { ...smallest, field_mapping: { title: 'nope' }, field_defaults: { title: 'Shop', description: 'In our shop' } };
  t.equal((await put(t, type, { ...body, required_fields: ['title', 'description'] })).status, 200);
  const answer = await call(t, api.baseUrl, `POST /resource-types/${type}/metadata-api/test`, { key: api.liveKey, body: { id: 'good' } });
  t.match(answer.json, { outcome: 'ok', reason: null, metadata: { title: 'Shop', description: 'In our shop' }, issues: [] });
});

t.test('every wrong field is named at once, one error each', async (t) => {
  const type = await newType();
  const answer = await put(t, type, {
    status: 'on',
    url_template: 'https://{id}.example.com/',
    auth: { type: 'bearer', header_name: 'X', secret: 'a\nb' },
    headers: { Authorization: 'x', Host: 'y' },
    timeout_ms: 99,
    ttl_seconds: 2_592_001,
    max_concurrency: 1.5,
    field_mapping: { title: '', nope: 'x' },
    field_defaults: { image_url: 'http://example.com/1.png' },
    required_fields: ['resource_status'],
    status_values: { published: ['a'], deleted: ['a'] },
    allowed_image_hosts: ['https://example.com'],
  });
  t.equal(answer.status, 422);
  const pointers: string[] = answer.json.errors.map((error: { pointer: string }) => error.pointer);
  t.strictSame(
    pointers.toSorted(),
    [
      '/status',
      '/url_template',
      '/auth/header_name',
      '/auth/secret',
      '/headers/Authorization',
      '/headers/Host',
      '/timeout_ms',
      '/ttl_seconds',
      '/max_concurrency',
      '/field_mapping/title',
      '/field_mapping/nope',
      '/field_defaults/image_url',
      '/required_fields/0',
      '/status_values/deleted/0',
      '/allowed_image_hosts/0',
    ].toSorted(),
  );
  t.equal((await call(t, api.baseUrl, `GET /resource-types/${type}/metadata-api`, { key: api.liveKey })).status, 404);
});

for (const [url, code] of [
  ['http://api.example.com/{id}', 'scheme_not_allowed'],
  ['ftp://api.example.com/{id}', 'scheme_not_allowed'],
  ['https://127.0.0.1/{id}', 'host_not_public'],
  ['https://2130706433/{id}', 'host_not_public'],
  ['https://localhost/{id}', 'host_not_public'],
  ['https://intranet/{id}', 'host_not_public'],
  ['https://user:password@api.example.com/{id}', 'invalid_url'],
  ['https://{id}.example.com/', 'misplaced_placeholder'],
  ['https://api.example.com:{id}/', 'misplaced_placeholder'],
  ['https://api.example.com/{other}/{id}', 'unknown_placeholder'],
  ['https://api.example.com/', 'missing_placeholder'],
  ['https://api.example.com/{id}#x', 'invalid_format'],
  ['/{id}', 'misplaced_placeholder'],
  ['api.example.com/{id}', 'misplaced_placeholder'],
  ['https:///{id}', 'invalid_url'],
] as const)
  t.test(`the URL ${url} is refused`, async (t) => {
    const answer = await put(t, await newType(), { ...smallest, url_template: url });
    t.match(answer, { status: 422, json: { errors: [{ in: 'body', pointer: '/url_template', code }] } });
    t.equal(answer.json.errors.length, 1);
  });

t.test('a host that resolves to a private address is refused, one that does not resolve is taken', async (t) => {
  const addresses: Record<string, string[]> = { 'private.example.com': ['93.184.216.34', '10.0.0.1'], 'late.example.com': [] };
  const own = await startApiServer(t, { resolver: async (hostname) => addresses[hostname] ?? ['93.184.216.34'] });
  const type = await newType(own);
  const putAt = (host: string) =>
    call(t, own.baseUrl, `PUT /resource-types/${type}/metadata-api`, {
      key: own.liveKey,
      body: { ...smallest, url_template: `https://${host}/{id}` },
    });
  t.match(await putAt('private.example.com'), { status: 422, json: { errors: [{ pointer: '/url_template', code: 'host_not_public' }] } });
  t.equal((await putAt('late.example.com')).status, 200);
});

t.test('an archived type takes no new configuration and shows the one it has', async (t) => {
  const type = await newType();
  await put(t, type, smallest);
  await api.database.query({ text: `UPDATE resource_types SET status = 'archived' WHERE id = $1`, values: [type] });
  t.match(await put(t, type, smallest), { status: 409, json: { code: 'conflict' } });
  t.equal((await call(t, api.baseUrl, `GET /resource-types/${type}/metadata-api`, { key: api.liveKey })).status, 200);
});

interface Tried {
  readonly id: string;
  readonly outcome: string;
  readonly reason: string | null;
  readonly status: number | null;
}

const TRIED: readonly Tried[] = [
  { id: 'good', outcome: 'ok', reason: null, status: 200 },
  { id: 'missing', outcome: 'missing', reason: null, status: 404 },
  { id: 'gone', outcome: 'missing', reason: null, status: 410 },
  { id: 'broken', outcome: 'error', reason: 'http_status', status: 500 },
  { id: 'forbidden', outcome: 'error', reason: 'http_status', status: 403 },
  { id: 'moved', outcome: 'error', reason: 'redirect', status: 302 },
  { id: 'html', outcome: 'invalid', reason: 'not_json', status: 200 },
  { id: 'list', outcome: 'invalid', reason: 'not_an_object', status: 200 },
  { id: 'nameless', outcome: 'invalid', reason: 'missing_required_field', status: 200 },
  { id: 'large', outcome: 'invalid', reason: 'too_large', status: 200 },
  { id: 'endless', outcome: 'invalid', reason: 'too_large', status: 200 },
  { id: 'silent', outcome: 'error', reason: 'timeout', status: null },
  { id: 'dripping', outcome: 'error', reason: 'timeout', status: null },
  { id: 'cut', outcome: 'error', reason: 'connect', status: null },
];

const mapped = {
  ...smallest,
  timeout_ms: 500,
  field_mapping: { title: 'name', description: 'text', image_url: 'image', canonical_url: 'price', resource_status: 'state' },
  required_fields: ['title'],
  status_values: { published: ['live'] },
};

for (const { id, outcome, reason, status } of TRIED)
  t.test(`the test of an API that is ${id} says ${outcome}`, async (t) => {
    const type = await newType();
    await put(t, type, mapped);
    const calls = customer.calls.length;
    const answer = await call(t, api.baseUrl, `POST /resource-types/${type}/metadata-api/test`, { key: api.liveKey, body: { id } });
    t.equal(answer.status, 200);
    t.match(answer.json, { outcome, reason, status });
    t.equal(answer.json.request_url, `${customer.origin}/v1/type_${types}/${id}?lang=en`);
    t.ok(answer.json.latency_ms >= 0 && answer.json.latency_ms < 2_000);
    t.equal(customer.calls.length, calls + 1, 'one call, whatever comes back');
    t.match(customer.calls.at(-1), { method: 'GET', headers: { accept: 'application/json', 'user-agent': 'Service-Metadata/1' } });
    if (id === 'good')
      t.strictSame(answer.json, {
        outcome,
        reason,
        status,
        latency_ms: answer.json.latency_ms,
        request_url: answer.json.request_url,
        metadata: {
          title: 'Shoe',
          description: 'Fine',
          image_url: 'https://images.example.com/1.png',
          canonical_url: null,
          deep_link_path: null,
          web_fallback_url: null,
          resource_status: 'live',
        },
        response_body: JSON.stringify(ITEM),
        warnings: [],
        issues: [{ field: 'canonical_url', code: 'wrong_type', detail: answer.json.issues[0].detail }],
      });
    else if (id === 'nameless')
      t.match(answer.json, {
        metadata: { title: null, description: 'Fine', resource_status: 'odd' },
        warnings: [{ field: 'resource_status', code: 'unknown_status' }],
        issues: [{ field: 'title', code: 'missing_required_field' }],
      });
    else t.equal(answer.json.metadata, null);
    const { rows } = await api.database.query({
      text: 'SELECT 1 FROM metadata_answers WHERE resource_type_id = $1 UNION ALL SELECT 1 FROM metadata_figures WHERE resource_type_id = $1',
      values: [type],
    });
    t.equal(rows.length, 0, 'nothing is cached or counted');
  });

t.test('an API that nobody answers for, has no address, or is not public any more, is an error with its reason', async (t) => {
  for (const [origin, reason] of [
    ['http://127.0.0.1:1', 'connect'],
    ['http://nowhere.invalid', 'dns'],
    ['https://api.example.com', 'dns'],
  ]) {
    const type = await newType();
    t.equal((await put(t, type, { ...smallest, url_template: `${origin}/{id}` })).status, 200);
    const answer = await call(t, api.baseUrl, `POST /resource-types/${type}/metadata-api/test`, { key: api.liveKey, body: { id: '1' } });
    t.match(answer.json, { outcome: 'error', reason, status: null, metadata: null });
  }
  const type = await newType();
  await put(t, type, smallest);
  // The URL was stored while its origin was allowed, and is called when it is not.
  await api.database.query({
    text: `UPDATE metadata_apis SET url_template = 'http://127.0.0.1:2/{id}' WHERE resource_type_id = $1`,
    values: [type],
  });
  const answer = await call(t, api.baseUrl, `POST /resource-types/${type}/metadata-api/test`, { key: api.liveKey, body: { id: '1' } });
  t.match(answer.json, { outcome: 'error', reason: 'blocked_address', status: null });
});

t.test('a disabled configuration is not called, and without one there is nothing to test', async (t) => {
  const type = await newType();
  const test = () => call(t, api.baseUrl, `POST /resource-types/${type}/metadata-api/test`, { key: api.liveKey, body: { id: 'good' } });
  t.match(await test(), { status: 404, json: { code: 'not_found' } });
  await put(t, type, { ...smallest, status: 'disabled' });
  const calls = customer.calls.length;
  t.strictSame((await test()).json, {
    outcome: 'skipped',
    reason: null,
    status: null,
    latency_ms: null,
    request_url: null,
    metadata: null,
    response_body: null,
    warnings: [],
    issues: [],
  });
  t.equal(customer.calls.length, calls);
});

t.test('ids stay within their place in the URL, and those that could leave it are refused', async (t) => {
  const type = await newType();
  await put(t, type, smallest);
  const test = (id: string) => call(t, api.baseUrl, `POST /resource-types/${type}/metadata-api/test`, { key: api.liveKey, body: { id } });
  for (const id of ['a/../b', '?x=1', '#x', '%2e%2e', 'ü 1', 'a\\b', '@evil.example', '{type}']) {
    await test(id);
    const path = customer.calls.at(-1)?.path ?? '';
    t.equal(decodeURIComponent(path.slice(`/v1/type_${types}/`.length, -'?lang=en'.length)), id);
    t.match(path, new RegExp(`^/v1/type_${types}/[^/?#]+\\?lang=en$`));
  }
  for (const id of ['', '.', '..', 'a\u0000', 'x'.repeat(257)])
    t.match(await test(id), { status: 422, json: { errors: [{ pointer: '/id' }] } }, JSON.stringify(id));
});

t.test('a test with an Idempotency-Key calls the API once, and holds no database connection while it waits', async (t) => {
  const type = await newType();
  await put(t, type, { ...smallest, timeout_ms: 1500 });
  const line = `POST /resource-types/${type}/metadata-api/test`;
  const headers = { 'idempotency-key': '0190b7f2-0000-7000-8000-000000000001' };
  const calls = customer.calls.length;
  const first = await call(t, api.baseUrl, line, { key: api.liveKey, body: { id: 'good' }, headers });
  const again = await call(t, api.baseUrl, line, { key: api.liveKey, body: { id: 'good' }, headers });
  t.equal(again.headers.get('idempotent-replayed'), 'true');
  t.equal(again.text, first.text);
  t.equal(customer.calls.length, calls + 1);
  // Twice the number of connections.
  const waiting = Array.from({ length: 16 }, (_, at) =>
    call(t, api.baseUrl, line, {
      key: api.liveKey,
      body: { id: 'silent' },
      headers: { 'idempotency-key': `0190b7f2-0000-7000-8000-0000000001${String(at).padStart(2, '0')}` },
    }),
  );
  while (customer.calls.length < calls + 17) await new Promise((resolve) => setTimeout(resolve, 5));
  const started = performance.now();
  t.equal((await call(t, api.baseUrl, 'GET /links', { key: api.liveKey })).status, 200);
  t.ok(performance.now() - started < 700, 'others are answered meanwhile');
  for (const answer of await Promise.all(waiting)) t.match(answer.json, { outcome: 'error', reason: 'timeout' });
});

t.test('a credential is in no answer, no log and no column but sealed', async (t) => {
  const type = await newType();
  const canary = `canary-${randomBytes(12).toString('hex')}`;
  const echoed = { ...mapped, timeout_ms: 100, allowed_image_hosts: ['elsewhere.example.com'], status_values: { published: ['live'] } };
  const shown: string[] = [];
  for (const auth of [
    { type: 'bearer', secret: canary },
    { type: 'api_key_header', header_name: 'X-Key', secret: canary },
    { type: 'bearer', secret: `${canary}\u00e9` },
    { type: 'bearer', secret: `"${canary}\\\\` },
    { type: 'none', secret: canary },
    { type: 'api_key_header', header_name: 'Host', secret: canary },
  ]) {
    shown.push((await put(t, type, { ...echoed, auth })).text);
    shown.push((await call(t, api.baseUrl, `GET /resource-types/${type}/metadata-api`, { key: api.liveKey })).text);
    for (const id of ['good', 'broken', 'silent', 'cut', 'moved', 'echo']) {
      const body = { id };
      const answer = await call(t, api.baseUrl, `POST /resource-types/${type}/metadata-api/test`, { key: api.liveKey, body });
      shown.push(answer.text);
    }
  }
  t.ok(
    customer.calls.some(({ headers }) => headers['x-key'] === canary),
    'it is what the API was shown',
  );
  t.notOk(shown.some((text) => text.includes(canary)));
  t.notOk(shown.some((text) => text.includes(Buffer.from(`Bearer ${canary}`).toString('base64'))));
  t.ok(
    shown.some((text) => text.includes('"title":"Bearer ********"')),
    'nor where the API repeats it',
  );
  t.notOk(api.logLines.some((line) => line.includes(canary)));
  const { rows: tables } = await api.database.query<{ name: string }>({
    text: `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
    values: [],
  });
  t.ok(tables.length > 10);
  for (const { name } of tables) {
    const { rows } = await api.database.query<{ found: number }>({
      text: `SELECT count(*)::integer AS found FROM ${name} AS r
             WHERE r::text LIKE '%' || $1 || '%' OR r::text LIKE '%' || encode(convert_to($1, 'UTF8'), 'hex') || '%'`,
      values: [canary],
    });
    t.equal(rows[0]?.found, 0, name);
  }
});

t.test('a credential moved to another row does not open', async (t) => {
  const [one, other] = [await newType(), await newType()];
  await put(t, one, { ...smallest, auth: { type: 'bearer', secret: 'the-first-one' } });
  await put(t, other, { ...smallest, auth: { type: 'bearer', secret: 'the-other-one' } });
  await api.database.query({
    text: `UPDATE metadata_apis SET secret = (SELECT secret FROM metadata_apis WHERE resource_type_id = $1) WHERE resource_type_id = $2`,
    values: [one, other],
  });
  const calls = customer.calls.length;
  const answer = await call(t, api.baseUrl, `POST /resource-types/${other}/metadata-api/test`, { key: api.liveKey, body: { id: 'good' } });
  t.match(answer, { status: 500, json: { code: 'internal_error' } });
  t.equal(customer.calls.length, calls);
});

t.test('twenty PUTs at once leave one configuration, each a generation of its own', async (t) => {
  const type = await newType();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      put(t, type, { ...smallest, timeout_ms: 100 + at, auth: { type: 'bearer', secret: newId('click') } }),
    ),
  );
  t.ok(answers.every((answer) => answer.status === 200));
  t.equal(new Set(answers.map((answer) => answer.json.id)).size, 1);
  const { rows } = await api.database.query({ text: 'SELECT generation FROM metadata_apis WHERE resource_type_id = $1', values: [type] });
  t.strictSame(rows, [{ generation: 20 }]);
  t.match((await call(t, api.baseUrl, `POST /resource-types/${type}/metadata-api/test`, { key: api.liveKey, body: { id: 'good' } })).json, {
    outcome: 'ok',
  });
});
