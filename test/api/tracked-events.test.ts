import t from 'tap';
import { idTimeMs, idToUuid, newId } from '../../shared/base/ids.js';
import { CLICK_POLL_MS, NAMED_CLICK_WAIT_MS, NAMED_CLICK_YOUNG_MS } from '../../shared/base/limits.js';
import { deriveClickIdKeys, newClickId } from '../../shared/secrets/click-id-keys.js';
import { call } from './api-client.js';
import { startApiServer, TEST_SECRET_KEYS } from './api-server.js';

/** What happens while an event waits: nothing, unless a test sets it. */
let whileWaiting = async (): Promise<void> => {};
const api = await startApiServer(t, { wait: () => whileWaiting() });
/** Stores a click of the live environment, as if it had just been shipped. */
async function storeClick(id: string, linkId: string, item: { readonly typeId: string; readonly id: string } | null = null): Promise<void> {
  const at = new Date(idTimeMs('click', id) as number).toISOString();
  await api.database.query({ text: `SELECT ensure_day_partition('clicks', $1::date)`, values: [at.slice(0, 10)] });
  await api.database.query({
    text: `INSERT INTO clicks (id, occurred_at, environment_number, kind, subject_id, host, path, platform, bot, params_dropped, visitor_hash, batch_id, campaign,
             resource_type_id, item_id)
           SELECT $1, $2, number, CASE WHEN $6::text IS NULL THEN 'link' ELSE 'template' END, $3, 'h', 'p', 'desktop', false, false, 1, 1,
             CASE WHEN $6::text IS NULL THEN 'autumn' END, $5, $6 FROM environments WHERE id = $4`,
    values: [
      idToUuid('click', id),
      at,
      idToUuid('link', linkId),
      api.live.id,
      item === null ? null : idToUuid('resourceType', item.typeId),
      item?.id ?? null,
    ],
  });
}

const track = (body: object, key = api.liveKey) => call(t, api.baseUrl, 'POST /events', { key, body });

t.test('an event is stored whole, and told of under the same id in the same transaction', async (t) => {
  const webhook = await call(t, api.baseUrl, 'POST /webhooks', {
    key: api.liveKey,
    body: { url: 'https://hooks.acme.org/e', events: ['event.tracked'] },
  });
  const body = {
    name: 'purchase ü',
    install_id: 'device-1',
    click_id: newClickId(deriveClickIdKeys(TEST_SECRET_KEYS), Date.now()),
    value: -19.9,
    currency: 'EUR',
    properties: { z: 1, a: ['\u0000', null] },
    occurred_at: '2020-02-29T12:00:00.5+02:00',
  };
  const { status, json, headers } = await track(body);
  t.equal(status, 201);
  t.match(json, { ...body, id: /^evt_/, environment: 'live', source: 'server', occurred_at: '2020-02-29T10:00:00.500Z', created_at: /Z$/ });
  t.equal(headers.get('location'), null, 'it cannot be read');
  const { rows } = await api.database.query<{ row: string }>({
    text: `SELECT row_to_json(t)::text AS row FROM tracked_events AS t WHERE id = $1 AND environment_id = $2`,
    values: [json.id, api.live.id],
  });
  t.match(JSON.parse(rows[0]?.row ?? '{}'), {
    source: 'server',
    name: 'purchase ü',
    value: -19.9,
    currency: 'EUR',
    properties: body.properties,
  });
  const events = await api.database.query<{ body: string }>({ text: `SELECT body FROM events WHERE id = $1`, values: [json.id] });
  const { id, environment, created_at: _, ...data } = json;
  t.match(JSON.parse(events.rows[0]?.body ?? '{}'), { id, type: 'event.tracked', environment, data });
  const { rowCount } = await api.database.query({
    text: `SELECT 1 FROM webhook_deliveries WHERE event_id = $1 AND webhook_id = $2 AND status = 'pending'`,
    values: [id, webhook.json.id],
  });
  t.equal(rowCount, 1);
});

t.test('a name is enough, and null is as good as absent', async (t) => {
  const started = Date.now();
  const nothing = { install_id: null, click_id: null, value: null, currency: null, properties: null };
  for (const body of [{ name: 'a' }, { name: 'a', ...nothing, occurred_at: null }]) {
    const { status, json } = await track(body, api.testKey);
    t.equal(status, 201);
    t.match(json, { environment: 'test', ...nothing });
    t.equal(json.occurred_at, json.created_at);
    t.ok(Date.parse(json.created_at) >= started);
  }
});

t.test('an event is stored without a click that no link host has given out', async (t) => {
  for (const [path, key] of [
    ['POST /events', api.liveKey],
    ['POST /sdk/events', api.liveAppKey],
  ] as const) {
    const { status, json } = await call(t, api.baseUrl, path, { key, body: { name: 'a', click_id: newId('click') } });
    t.match([status, json], [201, { click_id: null }], path);
    const { rows } = await api.database.query({ text: 'SELECT click_id FROM tracked_events WHERE id = $1', values: [json.id] });
    t.same(rows, [{ click_id: null }]);
  }
});

t.test('a click of a link host of the release before, whose ids bore no signature, is known as long as a store may name it', async (t) => {
  const ids = [newId('click'), newId('click')] as const;
  await api.database.query({
    text: `INSERT INTO open_clicks (id, occurred_at, environment_number, platform, kind, subject_id)
           SELECT $1, $2, number, 'ios', 'link', $1 FROM environments WHERE id = $3`,
    values: [idToUuid('click', ids[0]), new Date(idTimeMs('click', ids[0]) as number).toISOString(), api.live.id],
  });
  await api.database.query({
    text: `INSERT INTO installs (environment_id, install_id, opened_at, platform, attribution, match_type, reason, click_id, answer)
           VALUES ($1, 'one', now(), 'ios', 'attributed', 'clipboard', 'matched', $2, '{}')`,
    values: [api.live.id, idToUuid('click', ids[1])],
  });
  for (const click_id of ids) {
    t.match((await track({ name: 'a', click_id })).json, { click_id });
    t.match((await track({ name: 'a', click_id }, api.testKey)).json, { click_id: null }, 'not of this environment');
  }
});

t.test('what breaks a rule is named', async (t) => {
  const soon = (ms: number) => new Date(Date.now() + ms).toISOString();
  for (const [body, errors] of [
    [{}, ['/name required']],
    [{ name: '' }, ['/name too_short']],
    [{ name: 'x'.repeat(129) }, ['/name too_long']],
    [{ name: 'a', click_id: 'lnk_01jd4v6xq8e5s0m3k7n9p2r4tw' }, ['/click_id invalid_format']],
    [{ name: 'a', currency: 'EUR' }, ['/value required']],
    [{ name: 'a', value: 1, currency: 'eur' }, ['/currency invalid_format']],
    [{ name: 'a', value: 1, currency: 'ABC' }, ['/currency invalid_value']],
    [{ name: 'a', value: '1' }, ['/value wrong_type']],
    [{ name: 'a', properties: { ['k'.repeat(65)]: 1 } }, [`/properties/${'k'.repeat(65)} key_too_long`]],
    [{ name: 'a', properties: { a: 'x'.repeat(4096) } }, ['/properties too_large']],
    [{ name: 'a', occurred_at: soon(6 * 60_000) }, ['/occurred_at invalid_range']],
    [{ name: 'a', source: 'sdk' }, ['/source unknown_field']],
  ] as const) {
    const { status, json } = await track(body);
    t.equal(status, 422);
    t.same(
      json.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`),
      errors,
      JSON.stringify(body).slice(0, 60),
    );
  }
  t.equal((await track({ name: 'a', occurred_at: soon(4 * 60_000) })).status, 201, 'a clock may be a little ahead');
  const huge = await call(t, api.baseUrl, 'POST /events', { key: api.liveKey, rawBody: '{"name":"a","value":1e999}' });
  t.match(huge, { status: 422, json: { errors: [{ pointer: '/value' }] } });
});

t.test('an event names the click, the link and the campaign of its own click, else those of its installation', async (t) => {
  const campaign = 'spring';
  await call(t, api.baseUrl, 'POST /campaigns', { key: api.liveKey, body: { key: campaign, name: 'Spring' } });
  const link = (await call(t, api.baseUrl, 'POST /links', { key: api.liveKey, body: { path: 'sale', campaign } })).json;
  const open = { install_id: 'buyer', first_open: true, opened_url: link.url, device: { os: 'ios' } };
  await call(t, api.baseUrl, 'POST /sdk/opens', { key: api.liveAppKey, body: open });
  t.match((await track({ name: 'buy', install_id: 'buyer' })).json, { click_id: null, link_id: link.id, campaign });
  t.match(
    (await track({ name: 'buy', install_id: 'buyer' }, api.testKey)).json,
    { link_id: null, campaign: null },
    'not of this environment',
  );
  t.match((await track({ name: 'buy', install_id: 'nobody' })).json, { click_id: null, link_id: null, campaign: null });

  const other = newId('link');
  const click = newClickId(deriveClickIdKeys(TEST_SECRET_KEYS), Date.now());
  await storeClick(click, other);
  const own = { click_id: click, link_id: other, campaign: 'autumn' };
  t.match((await track({ name: 'buy', install_id: 'buyer', click_id: click })).json, own, 'its own click goes first');
  t.match((await track({ name: 'buy', click_id: click }, api.testKey)).json, { click_id: click, link_id: null, campaign: null });
  const unstored = newClickId(deriveClickIdKeys(TEST_SECRET_KEYS), Date.now());
  let waits = 0;
  whileWaiting = async () => void waits++;
  const known = { click_id: null, link_id: link.id, campaign };
  t.match(
    (await track({ name: 'buy', install_id: 'buyer', click_id: unstored })).json,
    known,
    'of a click that does not come it has nothing',
  );
  t.equal(waits, NAMED_CLICK_WAIT_MS / CLICK_POLL_MS);
  whileWaiting = async () => {};

  const { json } = await call(t, api.baseUrl, 'GET /tracked-events?install_id=buyer&limit=2', { key: api.liveKey });
  t.match(json.data, [known, own]);
  const rest = await call(t, api.baseUrl, `GET /tracked-events?install_id=buyer&limit=2&cursor=${json.next_cursor}`, { key: api.liveKey });
  t.match(rest.json, { data: [{ click_id: null, link_id: link.id, name: 'buy', source: 'server' }], next_cursor: null });
  t.same((await call(t, api.baseUrl, 'GET /tracked-events?install_id=nobody', { key: api.testKey })).json.data, []);
  const wide = await call(t, api.baseUrl, 'GET /tracked-events?from=2026-01-01T00:00:00Z', { key: api.liveKey });
  t.match([wide.status, wide.json.errors], [422, [{ pointer: '/from', code: 'invalid_range' }]]);
});

t.test('an event names the item of its own click, else that of its installation', async (t) => {
  const type = await call(t, api.baseUrl, 'POST /resource-types', { key: api.liveKey, body: { key: 'product', name: 'Product' } });
  const template = {
    resource_type_id: type.json.id,
    path_pattern: '/shop/{id}',
    id_format: { kind: 'preset', preset: 'numeric' },
    deep_link_path: '/{id}',
  };
  t.equal((await call(t, api.baseUrl, 'POST /url-templates', { key: api.liveKey, body: template })).status, 201);
  const opened_url = `https://${api.live.link_host}/shop/17`;
  for (const first_open of [true, false]) {
    const body = { install_id: 'shopper', first_open, opened_url, device: { os: 'ios' } };
    t.equal((await call(t, api.baseUrl, 'POST /sdk/opens', { key: api.liveAppKey, body })).status, 200);
  }
  const ofInstall = { click_id: null, link_id: null, campaign: null, resource_type: 'product', item_id: '17' };
  t.match((await track({ name: 'order', install_id: 'shopper', value: 5, currency: 'EUR' })).json, ofInstall);
  const click = newClickId(deriveClickIdKeys(TEST_SECRET_KEYS), Date.now());
  await storeClick(click, newId('link'), { typeId: type.json.id, id: '4' });
  const ofClick = { ...ofInstall, click_id: click, item_id: '4' };
  t.match((await track({ name: 'order', install_id: 'shopper', click_id: click })).json, ofClick);

  const read = (path: string) => call(t, api.baseUrl, path, { key: api.liveKey });
  t.match((await read('GET /tracked-events?install_id=shopper')).json.data, [ofClick, ofInstall]);
  t.match((await read('GET /installs/shopper')).json, { resource_type: 'product', item_id: '17' });
  const { rows } = await api.database.query<{ data: object }>({
    text: `SELECT body::json -> 'data' AS data FROM events WHERE type = 'event.tracked' AND strpos(body, 'shopper') > 0 ORDER BY id`,
    values: [],
  });
  t.match(rows, [{ data: ofInstall }, { data: ofClick }], 'endpoints are told so, too');
  const reached = { installs: 1, opens: 1, events: 2, values: [{ currency: 'EUR', sum: 5 }] };
  t.match((await read('GET /stats/conversions')).json.resource_types, [{ resource_type: 'product', ...reached }]);
  t.match((await read('GET /stats/conversions?resource_type=product')).json, {
    totals: reached,
    items: [
      { resource_type: 'product', item: '17', installs: 1, opens: 1, events: 1 },
      { resource_type: 'product', item: '4', installs: 0, opens: 0, events: 1 },
    ],
    links: [],
  });
  t.match((await read('GET /stats/conversions?item=4')).json, { totals: { installs: 0, events: 1 }, items: [{ item: '4' }] });
  t.match((await read('GET /stats/conversions?item=')).json, { errors: [{ pointer: '/item' }] });
});

t.test('a value may be in any currency of ISO 4217, also in one that nobody pays with', async (t) => {
  for (const currency of ['EUR', 'JPY', 'CLF', 'UYW', 'XAU', 'XTS'])
    t.equal((await track({ name: 'a', value: 1, currency })).status, 201, currency);
});

t.test('an event that comes before its click waits for it, and for no id that nobody signed', async (t) => {
  const [click, link] = [newClickId(deriveClickIdKeys(TEST_SECRET_KEYS), Date.now()), newId('link')];
  let waits = 0;
  whileWaiting = async () => {
    if (++waits === 3) await storeClick(click, link);
  };
  for (const [path, key] of [
    ['POST /sdk/events', api.liveAppKey],
    ['POST /events', api.liveKey],
  ] as const) {
    const { json } = await call(t, api.baseUrl, path, { key, body: { name: 'page_view', click_id: click } });
    t.match(json, { click_id: click, link_id: link, campaign: 'autumn' }, path);
  }
  t.equal(waits, 3);
  await track({ name: 'a', click_id: newId('click') });
  await track({ name: 'a', click_id: newClickId(deriveClickIdKeys(TEST_SECRET_KEYS), Date.now() - NAMED_CLICK_YOUNG_MS - 5_000) });
  t.equal(waits, 3);
  whileWaiting = async () => {};
});

t.test('sums of values stay numbers, whatever is sent', async (t) => {
  for (const value of [1.7e308, 1.7e308, 0.1, 0.2]) await track({ name: 'huge', value }, api.testKey);
  const { status, json } = await call(t, api.baseUrl, 'GET /stats/conversions', { key: api.testKey });
  t.equal(status, 200);
  t.match(
    json.events.find(({ name }: { name: string }) => name === 'huge'),
    { count: 4, values: [{ currency: null, sum: 2e290 }] },
  );
});
