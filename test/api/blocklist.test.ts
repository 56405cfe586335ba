import t from 'tap';
import { blockLinksStep } from '../../control-plane/blocking/block-links.js';
import { unblockLink } from '../../control-plane/blocking/unblock-link.js';
import { importBlocklist } from '../../control-plane/blocklist/import.js';
import { removeList } from '../../control-plane/blocklist/sql.js';
import { readEnvironmentRecord } from '../../control-plane/environment/environment-record.js';
import type { LinkFieldName } from '../../shared/records/link-fields.js';
import { insertMetadataApi } from '../support/metadata-api.js';
import { insertResourceType } from '../support/resource-type.js';
import { call, send } from './api-client.js';
import { type ApiServer, startApiServer } from './api-server.js';

const FORM = { scheme: 'https', port: 0 } as const;
const MINUTE_MS = 60_000;

async function* chunks(text: string) {
  yield Buffer.from(text);
}

function list(api: ApiServer, text: string, name = 'test') {
  return importBlocklist(api.database, { name, format: 'plain', chunks: chunks(text), strict: false });
}

/** Simulates that this much time has passed since the previous lists and scans. */
async function pass(api: ApiServer, milliseconds: number): Promise<void> {
  await api.database.query({
    text: `UPDATE blocklist_scan SET changed_at = changed_at - make_interval(secs => $1 / 1000.0), began_at = began_at - make_interval(secs => $1 / 1000.0)`,
    values: [milliseconds],
  });
}

/** Runs every step of the scans that are due, on a server whose clock is `aheadMs` ahead of the database's. */
async function scan(api: ApiServer, aheadMs = 0): Promise<number> {
  let blocked = 0;
  for (;;) {
    const step = await blockLinksStep(api.database, FORM, Date.now() + aheadMs);
    blocked += step.blocked;
    if (step.next !== 'more') return blocked;
  }
}

t.test('a listed destination is refused on create and change, with a pointer for each', async (t) => {
  const api = await startApiServer(t);
  await list(api, 'bad.example\nhttps://mixed.example/malware.exe\n');
  const request = { key: api.liveKey };
  const create = (destinations: object) => call(t, api.baseUrl, 'POST /links', { ...request, body: { destinations } });
  for (const url of [
    'https://bad.example/',
    'http://bad.example:8080/x?y#z',
    'https://deep.down.BAD.example./',
    'https://mixed.example/malware.exe',
    'http://mixed.example/malware.exe#top',
  ]) {
    const answer = await create({ web: url });
    t.match(
      answer,
      { status: 422, json: { code: 'url_blocked', errors: [{ in: 'body', pointer: '/destinations/web', code: 'url_blocked' }] } },
      url,
    );
    t.equal(answer.json.errors.length, 1);
  }
  const two = await create({ web: 'https://bad.example/', ios: 'https://good.example/', fallback: 'https://www.bad.example/' });
  t.same(
    two.json.errors.map((error: { pointer: string }) => error.pointer),
    ['/destinations/web', '/destinations/fallback'],
  );
  for (const url of [
    'https://notbad.example/',
    'https://bad.example.org/',
    'https://mixed.example/',
    'https://good.example/?to=bad.example',
  ])
    t.equal((await create({ web: url })).status, 201, url);
  const apps = { ios_apps: [{ team_id: 'A1B2C3D4E5', bundle_id: 'com.example.shop', uri_scheme: 'bad.example' }] };
  await send(api.baseUrl, 'PATCH /environment', { ...request, body: apps });
  t.equal((await create({ ios: 'bad.example:open' })).status, 201, 'the app’s own scheme is not a host');
  const link = (await create({ web: 'https://good.example/' })).json;
  const patch = (body: object) => call(t, api.baseUrl, `PATCH /links/${link.id}`, { ...request, body });
  t.match(await patch({ destinations: { desktop: 'https://bad.example/' } }), { status: 422, json: { code: 'url_blocked' } });
  const mixed = await patch({ destinations: { desktop: 'https://bad.example/', web: 'nope' } });
  t.match(mixed, { status: 422, json: { code: 'validation_failed' } }, 'other errors beside it make it a validation error');
  t.same(mixed.json.errors.map((error: { code: string }) => error.code).sort(), ['invalid_url', 'url_blocked']);
  t.same((await call(t, api.baseUrl, `GET /links/${link.id}`, request)).json, link);
});

t.test('a listed destination fails its link of a bulk call and no other', async (t) => {
  const api = await startApiServer(t);
  await list(api, 'bad.example');
  const links = ['https://good.example/', 'https://bad.example/'].map((web) => ({ destinations: { web } }));
  const { json } = await call(t, api.baseUrl, 'POST /links/bulk', { key: api.liveKey, body: { links } });
  t.match(json, { created: 1, failed: 1, results: [{ status: 201 }, { status: 422, error: { code: 'url_blocked' } }] });
  t.match(json.results[1].error.errors, [{ pointer: '/links/1/destinations/web', code: 'url_blocked' }]);
});

t.test('of many links in one call the listed one is refused, and none where nothing is listed', async (t) => {
  const api = await startApiServer(t);
  const create = (links: readonly object[]) => call(t, api.baseUrl, 'POST /links/bulk', { key: api.liveKey, body: { links } });
  const links = Array.from({ length: 40 }, (_, index) => ({ destinations: { web: `https://shop${index}.example/` } }));
  t.match((await create(links)).json, { created: 40, failed: 0 });
  await list(api, 'shop7.example');
  const { json } = await create(links);
  t.match(json, { created: 39, failed: 1 });
  t.match(json.results[7].error, { code: 'url_blocked', errors: [{ pointer: '/links/7/destinations/web' }] });
});

t.test('a link whose destination is listed later becomes blocked, says so, and no PATCH undoes it', async (t) => {
  const api = await startApiServer(t);
  const request = { key: api.liveKey };
  const make = async (web: string) => (await send(api.baseUrl, 'POST /links', { ...request, body: { destinations: { web } } })).json;
  await send(api.baseUrl, 'POST /webhooks', { ...request, body: { url: 'https://hooks.example.com/', events: ['link.blocked'] } });
  const [active, disabled, expired, deleted, safe] = await Promise.all([
    make('https://later.example/a'),
    make('https://www.later.example/b'),
    make('https://later.example/c'),
    make('https://later.example/d'),
    make('https://safe.example/'),
  ]);
  await send(api.baseUrl, `PATCH /links/${disabled.id}`, { ...request, body: { status: 'disabled' } });
  await send(api.baseUrl, `PATCH /links/${expired.id}`, { ...request, body: { expires_at: '2020-01-01T00:00:00Z' } });
  await send(api.baseUrl, `DELETE /links/${deleted.id}`, request);
  t.equal(await scan(api), 0, 'nothing is listed yet');
  await list(api, 'later.example');
  await api.database.query({ text: 'DELETE FROM config_feed', values: [] });
  t.equal(await scan(api), 3);
  for (const link of [active, disabled, expired])
    t.equal((await call(t, api.baseUrl, `GET /links/${link.id}`, request)).json.status, 'blocked');
  t.equal((await call(t, api.baseUrl, `GET /links/${safe.id}`, request)).json.status, 'active');
  const { rows: feed } = await api.database.query<{ object_id: string; object_key: string }>({
    text: 'SELECT object_id, object_key FROM config_feed ORDER BY object_id',
    values: [],
  });
  t.same(
    feed,
    [active, disabled, expired]
      .map(({ id, path }) => ({ object_id: id, object_key: path }))
      .sort((a, b) => (a.object_id < b.object_id ? -1 : 1)),
  );
  const { rows: events } = await api.database.query<{ body: string }>({
    text: `SELECT event.body FROM events AS event JOIN webhook_deliveries AS delivery ON delivery.event_id = event.id WHERE event.type = 'link.blocked'`,
    values: [],
  });
  t.equal(events.length, 3);
  const event = events.map(({ body }) => JSON.parse(body)).find(({ data }) => data.id === disabled.id);
  t.match(event.data, { status: 'blocked', blocked_destination: 'https://www.later.example/b', path: disabled.path });

  const patch = (body: object) => call(t, api.baseUrl, `PATCH /links/${active.id}`, { ...request, body });
  for (const status of ['active', 'disabled']) t.equal((await patch({ status })).status, 409);
  t.match((await patch({ deep_link_path: '/elsewhere' })).json, { status: 'blocked' });
  await pass(api, 2 * MINUTE_MS);
  t.equal(await scan(api), 0, 'a blocked link is blocked once');
});

t.test('the image of a card is judged as destinations are: at writing, by a later list, and when it is repaired', async (t) => {
  const api = await startApiServer(t);
  const request = { key: api.liveKey };
  const card = (host: string) => ({ card: { image_url: `https://${host}/1.png` } });
  const { json: link } = await send(api.baseUrl, 'POST /links', { ...request, body: card('later.example') });
  await list(api, 'later.example');
  t.match(await call(t, api.baseUrl, 'POST /links', { ...request, body: card('later.example') }), {
    status: 422,
    json: { code: 'url_blocked', errors: [{ pointer: '/card/image_url', code: 'url_blocked' }] },
  });
  t.equal(await scan(api), 1);
  const patch = async (body: object) => (await call(t, api.baseUrl, `PATCH /links/${link.id}`, { ...request, body })).json;
  t.match(await patch({ comments: 'x' }), { status: 'blocked' });
  t.match(await patch(card('safe.example')), { status: 'active' });
});

t.test('a change of any field without a URL repairs nothing, also once its URLs are listed no longer', async (t) => {
  const api = await startApiServer(t);
  const request = { key: api.liveKey };
  await send(api.baseUrl, 'POST /campaigns', { ...request, body: { key: 'spring', name: 'Spring' } });
  const urls = {
    destinations: { web: 'https://later.example/' },
    geo: { DE: 'https://later.example/de' },
    card: { title: 'A', image_url: 'https://later.example/1.png' },
  };
  const { json: link } = await send(api.baseUrl, 'POST /links', { ...request, body: urls });
  await list(api, 'later.example');
  t.equal(await scan(api), 1);
  t.ok(await removeList(api.database, 'test'));
  const changes: Readonly<Record<Exclude<LinkFieldName, 'domain'>, readonly unknown[]>> = {
    deep_link_path: ['/elsewhere'],
    data: [{ a: 1 }],
    campaign: ['spring'],
    utm_source: ['x'],
    utm_medium: ['x'],
    utm_campaign: ['x'],
    utm_term: ['x'],
    utm_content: ['x'],
    allow_param_passthrough: [true],
    destinations: [{}, urls.destinations, { ios: null }],
    card: [{ title: 'B' }, { description: 'B' }, { title: null }, { title: 'C', image_url: urls.card.image_url }],
    aliases: [[{ host: api.live.link_host, path: 'other' }]],
    active_from: ['2026-01-01T00:00:00Z'],
    expires_at: ['2100-01-01T00:00:00Z'],
    max_clicks: [5],
    password: ['secret'],
    geo: [urls.geo],
    interstitial: [false],
    title: ['x'],
    tags: [['x']],
    comments: ['x'],
    archived: [true],
  };
  for (const [field, values] of Object.entries(changes))
    for (const value of values) {
      const answer = await call(t, api.baseUrl, `PATCH /links/${link.id}`, { ...request, body: { [field]: value } });
      t.match(answer, { status: 200, json: { status: 'blocked' } }, `${field}: ${JSON.stringify(value)}`);
    }
  const status = { status: 'active', card: { title: 'D' } };
  t.equal((await call(t, api.baseUrl, `PATCH /links/${link.id}`, { ...request, body: status })).status, 409);
  const { json } = await call(t, api.baseUrl, `PATCH /links/${link.id}`, { ...request, body: { card: { image_url: null } } });
  t.match(json, { status: 'active' });
});

t.test('a blocked link is judged again when its destinations change, and works once none of them is listed', async (t) => {
  const api = await startApiServer(t);
  const request = { key: api.liveKey };
  const destinations = { web: 'https://later.example/', ios: 'https://also.example/' };
  const link = (await send(api.baseUrl, 'POST /links', { ...request, body: { destinations } })).json;
  await list(api, 'later.example\nalso.example');
  t.equal(await scan(api), 1);
  const patch = (body: object) => call(t, api.baseUrl, `PATCH /links/${link.id}`, { ...request, body });
  t.match((await patch({ destinations: { web: 'https://safe.example/' } })).json, { status: 'blocked' }, 'one of two is not enough');
  t.equal(
    (await patch({ destinations: { web: 'https://safe.example/' }, status: 'active' })).status,
    409,
    'the same value repairs nothing',
  );
  t.equal((await patch({ destinations: { android: 'https://safe.example/' }, status: 'active' })).status, 409);
  t.match((await patch({ destinations: { ios: null } })).json, { status: 'active', destinations: { ios: null } });
  const { rows } = await api.database.query<{ body: string }>({
    text: `SELECT body FROM events WHERE type = 'link.updated' ORDER BY id DESC LIMIT 1`,
    values: [],
  });
  t.match(JSON.parse(rows[0]?.body ?? ''), { data: { status: 'active', changed_fields: ['destinations', 'status'] } });
  await list(api, 'later.example\nalso.example\nsafe.example');
  t.equal(await scan(api), 1, 'a repaired link is blocked like any other');
  t.match((await patch({ destinations: null, status: 'disabled' })).json, { status: 'disabled' }, 'repaired and disabled in one change');
});

t.test(
  'a default destination, a template, a store URL and a page of a domain that are listed later are withheld from visitors until they are listed no longer',
  async (t) => {
    const api = await startApiServer(t);
    const request = { key: api.liveKey };
    const ios_apps = [{ team_id: 'A1B2C3D4E5', bundle_id: 'com.example.shop', app_store_url: 'https://store.later.example/id1' }];
    const body = { default_destinations: { web: 'https://later.example{deep_link_path}', desktop: 'https://good.example/' }, ios_apps };
    const environment = (await send(api.baseUrl, 'PATCH /environment', { ...request, body })).json;
    const link = (await send(api.baseUrl, 'POST /links', { ...request, body: {} })).json;
    const type = (await send(api.baseUrl, 'POST /resource-types', { ...request, body: { key: 'product', name: 'Product' } })).json;
    const redirects = { web: 'https://www.later.example/{id}' };
    const id_format = { kind: 'preset', preset: 'numeric' };
    const template = { resource_type_id: type.id, path_pattern: '/p/{id}', id_format, deep_link_path: '/p/{id}', redirects };
    await send(api.baseUrl, 'POST /url-templates', { ...request, body: template });
    const domain = (await send(api.baseUrl, 'POST /domains', { ...request, body: { hostname: 'links.acme.org' } })).json;
    await send(api.baseUrl, `PATCH /domains/${domain.id}`, { ...request, body: { redirects: { root: 'https://later.example/home' } } });
    const outcomeOf = async (platform: string) =>
      (await call(t, api.baseUrl, 'POST /links/test', { ...request, body: { path: `/${link.path}`, platform } })).json;
    const answers = async () =>
      (await call(t, api.baseUrl, 'POST /url-templates/test', { ...request, body: { path: '/p/1', platform: 'ios' } })).json.trace.at(-1)
        .inputs;
    t.match(await outcomeOf('ios'), { outcome: 'redirect', status: 302 });
    await list(api, 'later.example');
    await api.database.query({ text: 'DELETE FROM config_feed', values: [] });
    t.equal(await scan(api), 0, 'no link leads there by itself');
    const { rows: feed } = await api.database.query<{ kind: string }>({ text: 'SELECT kind FROM config_feed ORDER BY kind', values: [] });
    t.same(feed, [{ kind: 'domain' }, { kind: 'environment' }, { kind: 'url_template' }], 'engines are told');
    const { rows: listed } = await api.database.query({ text: 'SELECT blocked_urls FROM domains', values: [] });
    t.same(listed, [{ blocked_urls: ['https://later.example/home'] }]);
    t.match(await outcomeOf('ios'), { outcome: 'blocked', status: 403, destination: null });
    t.match(await outcomeOf('desktop'), { outcome: 'redirect' }, 'the other destinations stay');
    t.match(await answers(), { outcome: 'blocked' });
    const record = await readEnvironmentRecord(api.database, environment.id);
    t.notMatch(JSON.stringify(record), /later\.example/, 'engines do not even know the URLs');
    t.same((await call(t, api.baseUrl, 'GET /environment', request)).json, environment, 'the owner still sees them');
    t.ok(await removeList(api.database, 'test'));
    await pass(api, MINUTE_MS);
    await scan(api);
    t.match(await outcomeOf('ios'), { outcome: 'redirect', status: 302 });
  },
);

t.test('a link stored while the scan passes is found by the scan of a minute later', async (t) => {
  const api = await startApiServer(t);
  await list(api, 'later.example');
  t.equal(await scan(api), 0);
  // Simulates a link that was checked before the import committed and stored after the scan.
  const link = (await send(api.baseUrl, 'POST /links', { key: api.liveKey, body: {} })).json;
  await api.database.query({ text: `UPDATE links SET destinations = '{"web":"https://later.example/"}' WHERE id = $1`, values: [link.id] });
  await pass(api, 30_000);
  t.equal(await scan(api), 0);
  await pass(api, 31_000);
  t.equal(await scan(api), 1);
  await pass(api, MINUTE_MS);
  const begun = async () => (await api.database.query({ text: 'SELECT began_at FROM blocklist_scan', values: [] })).rows;
  const before = await begun();
  await blockLinksStep(api.database, FORM, Date.now());
  t.same(await begun(), before, 'then it rests');
});

t.test('what is listed right after a scan has begun is blocked at once, whatever the clock of the server that scans', async (t) => {
  for (const aheadMs of [31_000, -31_000]) {
    const api = await startApiServer(t);
    await send(api.baseUrl, 'POST /links', { key: api.liveKey, body: { destinations: { web: 'https://later.example/' } } });
    await list(api, 'first.example', 'first');
    t.equal(await scan(api, aheadMs), 0);
    await list(api, 'later.example', 'second');
    t.equal(await scan(api, aheadMs), 1, String(aheadMs));
  }
});

t.test('a scan of many links goes in steps, survives its process, and is taken by one process at a time', async (t) => {
  const api = await startApiServer(t);
  const insert = (count: number, web: string) =>
    api.database.query({
      text: `INSERT INTO links (id, environment_id, path, deep_link_path, destinations, created_at, updated_at)
             SELECT new_id('lnk_', now()), $1, $3 || n, '/', json_build_object('web', $2::text), now(), now() FROM generate_series(1, $4::integer) AS n`,
      values: [api.live.id, web, new URL(web).hostname.slice(0, 4), count],
    });
  await insert(1_500, 'https://fine.example/');
  await insert(1_000, 'https://later.example/');
  await list(api, 'later.example');
  const now = Date.now();
  const first = await blockLinksStep(api.database, FORM, now);
  const { rows: passed } = await api.database.query({
    text: 'SELECT count(*)::integer AS links FROM links WHERE id <= (SELECT cursor FROM blocklist_scan)',
    values: [],
  });
  t.same([first.next, passed], ['more', [{ links: 1_000 }]]);
  let rivals: readonly { next: string; blocked: number }[] = [];
  let blocked = first.blocked;
  for (let round = 0; round < 10 && !rivals.some(({ next }) => next === 'idle'); round++) {
    rivals = await Promise.all([1, 2, 3].map(() => blockLinksStep(api.database, FORM, now)));
    for (const rival of rivals) blocked += rival.blocked;
  }
  t.equal(blocked, 1_000, 'each once');
  const { rows } = await api.database.query<{ count: string }>({
    text: `SELECT count(*) FROM events WHERE type = 'link.blocked'`,
    values: [],
  });
  t.equal(rows[0]?.count, '1000');
});

t.test('remembered answers of metadata APIs that name a listed URL are forgotten, in steps', async (t) => {
  const api = await startApiServer(t);
  const type = await insertResourceType(api.database, api.live.id, 'product');
  await insertMetadataApi(api.database, { environmentId: api.live.id, resourceTypeId: type });
  const remember = (prefix: string, count: number, metadata: object, generation = 1) =>
    api.database.query({
      text: `INSERT INTO metadata_answers (resource_type_id, generation, item_id, outcome, meaning, metadata, fetched_at, expires_at, keep_until)
             SELECT $1, $2, $3 || n, 'ok', 'published', $4, now(), now() + interval '1 hour', now() + interval '1 day'
             FROM generate_series(1, $5::integer) AS n`,
      values: [
        type,
        generation,
        prefix,
        JSON.stringify({ title: 'A', image_url: null, canonical_url: null, web_fallback_url: null, ...metadata }),
        count,
      ],
    });
  await remember('fine-', 1_500, { image_url: 'https://fine.example/a.png', web_fallback_url: 'https://fine.example/later.example' });
  await remember('a-image-', 700, { image_url: 'https://cdn.later.example/a.png' });
  await remember('web-', 700, { web_fallback_url: 'https://later.example/x' });
  await remember('y-page-', 1, { canonical_url: 'http://later.example:8080/' });
  await remember('old-', 1, { image_url: 'https://later.example/a.png' }, 0);
  await list(api, 'later.example');
  let steps = 0;
  let forgotten = 0;
  for (let next = 'more'; next === 'more'; steps++) {
    const step = await blockLinksStep(api.database, FORM, Date.now());
    forgotten += step.forgotten;
    next = step.next;
  }
  t.same([steps, forgotten], [3, 1_401]);
  const { rows } = await api.database.query<{ item: string; kept: string; marked: string }>({
    text: `SELECT regexp_replace(item_id, '\\d+$', '') AS item, count(*) FILTER (WHERE outcome IS NOT NULL) AS kept,
             count(*) FILTER (WHERE outcome IS NULL AND invalidation > 0) AS marked
           FROM metadata_answers GROUP BY 1 ORDER BY 1`,
    values: [],
  });
  t.same(rows, [
    { item: 'a-image-', kept: '0', marked: '700' },
    { item: 'fine-', kept: '1500', marked: '0' },
    // Answers of an earlier configuration are kept, because nobody is shown them.
    { item: 'old-', kept: '1', marked: '0' },
    { item: 'web-', kept: '0', marked: '700' },
    { item: 'y-page-', kept: '0', marked: '1' },
  ]);
  const fed = await api.database.query<{ count: string }>({
    text: `SELECT count(*) FROM config_feed WHERE object_id LIKE $1 || '/%'`,
    values: [type],
  });
  t.equal(fed.rows[0]?.count, '1401', 'engines are told of each');
  await pass(api, 2 * MINUTE_MS);
  t.match(await blockLinksStep(api.database, FORM, Date.now()), { forgotten: 0 });
});

t.test('a link is unblocked by the operator alone, and not while it is listed', async (t) => {
  const api = await startApiServer(t);
  const link = (await send(api.baseUrl, 'POST /links', { key: api.liveKey, body: { destinations: { web: 'https://later.example/' } } }))
    .json;
  const unblock = () => unblockLink(api.database, link.id, FORM, Date.now());
  t.equal(await unblock(), 'not_blocked');
  await list(api, 'later.example');
  await scan(api);
  t.equal(await unblock(), 'listed');
  t.ok(await removeList(api.database, 'test'));
  t.equal((await call(t, api.baseUrl, `GET /links/${link.id}`, { key: api.liveKey })).json.status, 'blocked', 'not by itself');
  t.equal(await unblock(), 'unblocked');
  t.equal((await call(t, api.baseUrl, `GET /links/${link.id}`, { key: api.liveKey })).json.status, 'active');
  t.equal(await unblockLink(api.database, 'lnk_01jd4v6xq8e5s0m3k7n9p2r4tw', FORM, Date.now()), 'not_found');
});

t.test('a link that its owner had disabled is disabled after its block, too', async (t) => {
  const api = await startApiServer(t);
  const request = { key: api.liveKey };
  const disabledLink = async () => {
    const { id } = (await send(api.baseUrl, 'POST /links', { ...request, body: { destinations: { web: 'https://later.example/' } } })).json;
    await send(api.baseUrl, `PATCH /links/${id}`, { ...request, body: { status: 'disabled' } });
    return id as string;
  };
  const [repaired, enabled, unblocked] = [await disabledLink(), await disabledLink(), await disabledLink()];
  const patch = (id: string, body: object) => call(t, api.baseUrl, `PATCH /links/${id}`, { ...request, body });
  await list(api, 'later.example');
  t.equal(await scan(api), 3);
  await send(api.baseUrl, 'POST /webhooks', {
    ...request,
    body: { url: 'https://hooks.example.com/', events: ['link.disabled', 'link.updated'] },
  });
  t.match((await patch(repaired, { destinations: { web: 'https://safe.example/' } })).json, { status: 'disabled' });
  const { rows } = await api.database.query<{ type: string; body: string }>({
    text: 'SELECT type, body FROM events ORDER BY id DESC LIMIT 1',
    values: [],
  });
  t.equal(rows[0]?.type, 'link.updated', 'it was reported as disabled before');
  t.match(JSON.parse(rows[0]?.body ?? ''), { data: { status: 'disabled', changed_fields: ['destinations', 'status'] } });
  t.match((await patch(enabled, { destinations: { web: 'https://safe.example/' }, status: 'active' })).json, { status: 'active' });
  await call(t, api.baseUrl, `DELETE /links/${unblocked}`, request);
  t.match((await call(t, api.baseUrl, `POST /links/${unblocked}/restore`, request)).json, { status: 'blocked' });
  await removeList(api.database, 'test');
  t.equal(await unblockLink(api.database, unblocked, FORM, Date.now()), 'unblocked');
  t.equal((await call(t, api.baseUrl, `GET /links/${unblocked}`, request)).json.status, 'disabled');
  await call(t, api.baseUrl, `DELETE /links/${unblocked}`, request);
  await list(api, 'later.example');
  t.match((await call(t, api.baseUrl, `POST /links/${unblocked}/restore`, request)).json, { status: 'blocked' }, 'by the restoration');
  await removeList(api.database, 'test');
  t.equal(await unblockLink(api.database, unblocked, FORM, Date.now()), 'unblocked');
  t.equal((await call(t, api.baseUrl, `GET /links/${unblocked}`, request)).json.status, 'disabled');
});
