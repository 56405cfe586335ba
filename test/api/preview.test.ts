import t from 'tap';
import { startCustomerApi } from '../support/customer-api.js';
import { insertResourceType, insertTemplate } from '../support/resource-type.js';
import { call } from './api-client.js';
import { startApiServer } from './api-server.js';
import { contentHash } from './examples.js';

const ITEM = { name: 'Shoe', text: 'Fine', image: 'https://images.example.com/1.png', state: 'live' };

const ANSWERS: Readonly<Record<string, readonly [number, unknown]>> = {
  good: [200, ITEM],
  routed: [200, { ...ITEM, route: '/own/route' }],
  otherhost: [200, { ...ITEM, image: 'https://elsewhere.example.com/1.png' }],
  draft: [200, { ...ITEM, state: 'draft' }],
  draftonly: [200, { state: 'draft' }],
  odd: [200, { ...ITEM, state: 'odd' }],
  missing: [404, {}],
  broken: [500, {}],
  nameless: [200, { text: 'Fine', state: 'live' }],
};

const customer = await startCustomerApi(t, (path, response) => {
  const [status, body] = ANSWERS[path.split('/').at(-1) ?? ''] ?? [200, ITEM];
  response.writeHead(status).end(JSON.stringify(body));
});
const api = await startApiServer(t, { outboundAllow: [customer.origin] });

const configuration = {
  url_template: `${customer.origin}/{type}/{id}`,
  auth: { type: 'bearer', secret: 'preview-credential' },
  field_mapping: { title: 'name', description: 'text', image_url: 'image', deep_link_path: 'route', resource_status: 'state' },
  required_fields: ['title'],
  status_values: { published: ['live'], unpublished: ['draft'] },
  allowed_image_hosts: ['images.example.com'],
};

interface Made {
  readonly type: string;
  readonly template: string;
}

async function makeType(key: string, body: unknown = configuration): Promise<Made> {
  const type = await insertResourceType(api.database, api.live.id, key);
  const template = await insertTemplate(api.database, { environmentId: api.live.id, resourceTypeId: type, pathPattern: `/${key}/{id}` });
  if (body !== null) {
    const line = `PUT /resource-types/${type}/metadata-api`;
    t.equal((await call(t, api.baseUrl, line, { key: api.liveKey, body })).status, 200);
  }
  return { type, template };
}

async function preview(path: string, key = api.liveKey) {
  const before = await contentHash(api.database);
  const answer = await call(t, api.baseUrl, 'POST /resources/preview', { key, body: { path } });
  t.equal(await contentHash(api.database), before, 'nothing is cached or counted');
  t.notMatch(answer.text, /preview-credential/);
  return answer.json;
}

/** Inserts what an engine remembered: the answer expires after `ttl` seconds and is kept for `keep` seconds. */
async function remember(type: string, item: string, columns: { outcome: 'ok' | 'missing'; ttl: number; keep: number; title?: string }) {
  const metadata = JSON.stringify({
    title: columns.title ?? 'Remembered',
    description: null,
    image_url: null,
    canonical_url: null,
    deep_link_path: null,
    web_fallback_url: null,
    resource_status: null,
  });
  await api.database.query({
    text: `INSERT INTO metadata_answers (resource_type_id, generation, item_id, outcome, meaning, metadata, fetched_at, expires_at, keep_until)
           VALUES ($1, 1, $2, $3, $4, $5, '2026-01-01T00:00:00Z', now() + make_interval(secs => $6), now() + make_interval(secs => $7))`,
    values: [
      type,
      item,
      columns.outcome,
      columns.outcome === 'ok' ? 'published' : null,
      columns.outcome === 'ok' ? metadata : null,
      columns.ttl,
      columns.keep,
    ],
  });
}

const NO_CACHE = { state: 'none', fetched_at: null, expires_at: null };

t.test('a preview shows the item, the call, the cache and the card', async (t) => {
  const { template } = await makeType('product');
  const calls = customer.calls.length;
  const shown = await preview('/product/good?utm_source=x#y');
  t.strictSame(shown, {
    result: 'match',
    resource: {
      resource_type: 'product',
      id: 'good',
      template_id: template,
      deep_link_path: '/product/good',
      data: { item: 'good' },
      resource_status: 'live',
    },
    metadata_api: 'active',
    fetch: {
      outcome: 'ok',
      reason: null,
      status: 200,
      latency_ms: shown.fetch.latency_ms,
      request_url: `${customer.origin}/product/good`,
      warnings: [],
      issues: [],
    },
    cache: NO_CACHE,
    card: { kind: 'item', title: 'Shoe', description: 'Fine', image_url: 'https://images.example.com/1.png', large_image: true },
    redirect_url: null,
    detail: shown.detail,
  });
  t.equal(customer.calls.length, calls + 1);
  t.match(customer.calls.at(-1)?.headers, { authorization: 'Bearer preview-credential', 'user-agent': 'Service-Metadata/1' });
  const asUrl = await preview(`https://${api.live.link_host}/product/good`);
  t.match(asUrl, { result: 'match', card: { kind: 'item' } });
});

t.test('the card follows what the API says of the item', async (t) => {
  await makeType('said');
  t.match(await preview('/said/routed'), { resource: { deep_link_path: '/own/route' }, card: { kind: 'item' } });
  t.match(await preview('/said/otherhost'), {
    fetch: { outcome: 'ok', issues: [{ field: 'image_url', code: 'image_host_not_allowed' }] },
    card: { kind: 'item', image_url: null, large_image: false },
  });
  t.match(await preview('/said/draft'), {
    resource: { resource_status: 'draft' },
    card: { kind: 'unavailable', title: 'Demo', image_url: null },
  });
  t.match(await preview('/said/draftonly'), { fetch: { outcome: 'invalid' }, card: { kind: 'unavailable' } });
  t.match(await preview('/said/odd'), { fetch: { warnings: [{ code: 'unknown_status' }] }, card: { kind: 'item' } });
  t.match(await preview('/said/missing'), { fetch: { outcome: 'missing', status: 404 }, card: { kind: 'unavailable' } });
  for (const id of ['broken', 'nameless'])
    t.match(await preview(`/said/${id}`), { cache: NO_CACHE, card: { kind: 'generic', title: 'Demo', large_image: false } }, id);
});

t.test('where the API fails the card shows what is remembered, as long as it may be shown', async (t) => {
  const { type } = await makeType('cached');
  await remember(type, 'good', { outcome: 'ok', ttl: 60, keep: 120 });
  t.match(await preview('/cached/good'), { cache: { state: 'fresh', fetched_at: '2026-01-01T00:00:00.000Z' }, card: { title: 'Shoe' } });
  await remember(type, 'broken', { outcome: 'ok', ttl: -60, keep: 60 });
  t.match(await preview('/cached/broken'), {
    cache: { state: 'stale' },
    fetch: { outcome: 'error' },
    card: { kind: 'item', title: 'Remembered' },
  });
  await remember(type, 'nameless', { outcome: 'missing', ttl: 60, keep: 60 });
  t.match(await preview('/cached/nameless'), { cache: { state: 'missing' }, card: { kind: 'unavailable' } });
  const line = 'POST /resources/invalidate';
  await call(t, api.baseUrl, line, { key: api.liveKey, body: { resource_type: 'cached', ids: ['broken', 'good'] } });
  t.match(await preview('/cached/broken'), { cache: NO_CACHE, card: { kind: 'generic' } });
  t.match(await preview('/cached/good'), { cache: NO_CACHE, card: { title: 'Shoe' } });
  await call(t, api.baseUrl, `PUT /resource-types/${type}/metadata-api`, { key: api.liveKey, body: configuration });
  t.match(await preview('/cached/nameless'), { cache: NO_CACHE, card: { kind: 'generic' } }, 'a new configuration remembers nothing');
});

t.test('what is past the time it may be shown is not remembered', async (t) => {
  const { type } = await makeType('past');
  await remember(type, 'broken', { outcome: 'ok', ttl: -60, keep: -1 });
  t.match(await preview('/past/broken'), { cache: NO_CACHE, card: { kind: 'generic' } });
});

t.test('without a configuration, or with a disabled one, nothing is called and the card is generic', async (t) => {
  await makeType('none', null);
  await makeType('off', { ...configuration, status: 'disabled' });
  const calls = customer.calls.length;
  t.match(await preview('/none/good'), { metadata_api: 'none', fetch: null, cache: NO_CACHE, card: { kind: 'generic' } });
  t.match(await preview('/off/good'), {
    metadata_api: 'disabled',
    fetch: { outcome: 'skipped', request_url: null },
    resource: { id: 'good', resource_status: null },
    card: { kind: 'generic' },
    redirect_url: null,
  });
  for (const environment of ['none', 'off']) {
    const answer = await preview(`/${environment}/good`);
    t.match(answer, { card: { kind: 'generic' }, redirect_url: null }, 'without a web destination');
  }
  const body = { default_destinations: { web: 'https://shop.example.com{deep_link_path}' } };
  t.equal((await call(t, api.baseUrl, 'PATCH /environment', { key: api.liveKey, body })).status, 200);
  for (const path of ['/none/good', '/off/good']) {
    const { redirect_url, resource, detail } = await preview(path);
    t.equal(redirect_url, `https://shop.example.com${resource.deep_link_path}`, path);
    t.match(detail, /redirected to the web destination/);
  }
  await makeType('asked');
  t.match(await preview('/asked/broken'), { redirect_url: null, card: { kind: 'generic' } }, 'an API that fails is no reason');
  await call(t, api.baseUrl, 'PATCH /environment', { key: api.liveKey, body: { default_destinations: null } });
  t.equal(customer.calls.length, calls + 1);
});

t.test('a path that leads to no item has no resource and calls nothing', async (t) => {
  const { type } = await makeType('dead');
  const aliases = [{ host: 'go.example.com', path: 'dead/alias' }];
  t.equal((await call(t, api.baseUrl, 'POST /links', { key: api.liveKey, body: { path: 'dead', aliases } })).status, 201);
  const calls = customer.calls.length;
  const nothing = { resource: null, metadata_api: 'none', fetch: null, cache: NO_CACHE, card: { kind: 'generic', title: 'Demo' } };
  t.match(await preview('/dead/not-alnum'), { result: 'invalid_id', ...nothing });
  t.match(await preview('/unknown/1'), { result: 'no_template', ...nothing });
  t.match(await preview('/dead/alias'), { result: 'no_template', ...nothing }, 'an alias of a link goes first');
  t.match(await preview('https://elsewhere.example.com/dead/good'), { result: 'no_template', ...nothing });
  t.match(await preview('/dead/good', api.testKey), { result: 'no_template', ...nothing }, 'of the other environment');
  await api.database.query({ text: `UPDATE resource_types SET status = 'archived' WHERE id = $1`, values: [type] });
  t.match(await preview('/dead/good'), { result: 'no_template', ...nothing });
  t.equal(customer.calls.length, calls);
  for (const path of ['product/1', 'ftp://example.com/a/1', 'https://'])
    t.match(await call(t, api.baseUrl, 'POST /resources/preview', { key: api.liveKey, body: { path } }), {
      status: 422,
      json: { errors: [{ in: 'body', pointer: '/path' }] },
    });
});

t.test('an item whose destination is on the block list has no card, and its metadata API is not called', async (t) => {
  const { template } = await makeType('risky');
  const calls = customer.calls.length;
  await api.database.query({
    text: `UPDATE url_templates SET redirects = '{"web":"https://bad.example/{id}"}', blocked_urls = '{"https://bad.example/{id}"}' WHERE id = $1`,
    values: [template],
  });
  t.match(await preview('/risky/good'), {
    result: 'match',
    resource: { id: 'good', resource_status: null },
    metadata_api: 'active',
    fetch: null,
    card: { kind: 'generic' },
    redirect_url: null,
    detail: /block list.*no metadata API is called/,
  });
  t.equal(customer.calls.length, calls);
});
