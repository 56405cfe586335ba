import t from 'tap';
import { createLinkExpiries } from '../../control-plane/jobs/due-jobs.js';
import { tellExpiredLinks } from '../../control-plane/links/expire-due.js';
import { createLogger } from '../../shared/base/log.js';
import { until } from '../support/until.js';
import { call, send } from './api-client.js';
import { type ApiServer, startApiServer } from './api-server.js';

const api = await startApiServer(t);
const request = { key: api.liveKey };

async function events(server: ApiServer, linkId: string): Promise<{ type: string; body: { data: Record<string, unknown> } }[]> {
  const { rows } = await server.database.query<{ type: string; body: string }>({
    text: `SELECT type, body FROM events WHERE body::json #>> '{data,id}' = $1 ORDER BY created_at, id`,
    values: [linkId],
  });
  return rows.map(({ type, body }) => ({ type, body: JSON.parse(body) }));
}

async function feedRows(server: ApiServer, linkId: string): Promise<number> {
  const { rowCount } = await server.database.query({ text: 'SELECT 1 FROM config_feed WHERE object_id = $1', values: [linkId] });
  return rowCount;
}

t.test('a link is created with defaults, and read as it was answered', async (t) => {
  const pokes = api.pokes();
  const created = await call(t, api.baseUrl, 'POST /links', { ...request, body: {} });
  t.equal(created.status, 201);
  t.match(created.json, { deep_link_path: '/', status: 'active', environment: 'live', data: null, expires_at: null });
  t.match(created.json.path, /^[A-Za-z0-9]{7}$/);
  t.equal(created.json.url, `https://go.example.com/${created.json.path}`);
  t.equal(created.headers.get('location'), `/v1/links/${created.json.id}`);
  t.equal(api.pokes(), pokes + 1);
  const read = await call(t, api.baseUrl, `GET /links/${created.json.id}`, request);
  t.equal(read.text, created.text);
  t.equal(await feedRows(api, created.json.id), 1);
  const [event, ...more] = await events(api, created.json.id);
  t.equal(event?.type, 'link.created');
  t.same(event?.body.data, created.json);
  t.same(more, []);
});

/** Adds an iOS app that opens URLs of the scheme. */
async function nameScheme(api: ApiServer, scheme: string): Promise<void> {
  const body = { ios_apps: [{ team_id: 'A1B2C3D4E5', bundle_id: 'com.example.shop', uri_scheme: scheme }] };
  await send(api.baseUrl, 'PATCH /environment', { key: api.liveKey, body });
}

t.test('a custom scheme must be one that an app names, in links, in bulk and in default destinations', async (t) => {
  const api = await startApiServer(t);
  const request = { key: api.liveKey };
  const destinations = { ios: 'shop://open', web: 'https://example.com/' };
  const refusal = (pointer: string) => ({
    status: 422,
    json: { errors: [{ pointer, code: 'scheme_not_allowed', detail: /"shop".*uri_scheme/ }] },
  });
  const setDefaults = (body: object) => call(t, api.baseUrl, 'PATCH /environment', { ...request, body });
  t.match(await call(t, api.baseUrl, 'POST /links', { ...request, body: { destinations } }), refusal('/destinations/ios'));
  const bulk = await call(t, api.baseUrl, 'POST /links/bulk', { ...request, body: { links: [{ destinations }, {}] } });
  t.match(bulk.json.results, [{ status: 422, error: { errors: [{ pointer: '/links/0/destinations/ios' }] } }, { status: 201 }]);
  t.match(await setDefaults({ default_destinations: { ios: 'shop:{deep_link_path}' } }), refusal('/default_destinations/ios'));
  const ios_apps = [{ team_id: 'A1B2C3D4E5', bundle_id: 'com.example.shop', uri_scheme: 'shop' }];
  t.equal((await setDefaults({ ios_apps, default_destinations: { ios: 'shop:{deep_link_path}' } })).status, 200, 'both at once');
  const made = await call(t, api.baseUrl, 'POST /links', { ...request, body: { destinations } });
  t.equal(made.status, 201);
  t.equal((await setDefaults({ ios_apps: [] })).status, 200, 'an app can go while links use its scheme');
  const patch = (body: object) => call(t, api.baseUrl, `PATCH /links/${made.json.id}`, { ...request, body });
  t.equal((await patch({ destinations: { web: 'https://example.com/2' } })).status, 200, 'what is not written again is not judged again');
  t.match(await patch({ destinations: { ios: 'shop://open' } }), refusal('/destinations/ios'));
});

t.test('every field is given back as it was sent, in its normal form', async (t) => {
  await nameScheme(api, 'myapp');
  const body = {
    path: 'All_fields-1',
    deep_link_path: '/p/ü?x=1#y',
    data: { z: 1, a: { b: [true, null, 'ü"'] }, ['k'.repeat(64)]: 1 },
    utm_source: 'newsletter',
    utm_medium: null,
    utm_term: 'ä b',
    allow_param_passthrough: true,
    destinations: {
      ios: 'MyApp://Open/ü',
      android: 'https://play.google.com/store/apps/details?id=a',
      web: 'HTTPS://EXAMPLE.com:443/ä b?q=ö#ß',
      desktop: null,
      fallback: 'http://bücher.example/',
    },
    expires_at: '2040-02-29T12:00:00.123456+02:00',
  };
  const { json, status } = await call(t, api.baseUrl, 'POST /links', { ...request, body });
  t.equal(status, 201);
  t.match(json, {
    path: 'All_fields-1',
    deep_link_path: '/p/ü?x=1#y',
    utm_source: 'newsletter',
    utm_medium: null,
    utm_term: 'ä b',
    allow_param_passthrough: true,
    expires_at: '2040-02-29T10:00:00.123Z',
  });
  t.equal(JSON.stringify(json.data), JSON.stringify(body.data), 'members keep their order');
  t.same(json.destinations, {
    ios: 'myapp://Open/%C3%BC',
    android: 'https://play.google.com/store/apps/details?id=a',
    web: 'https://example.com/%C3%A4%20b?q=%C3%B6#%C3%9F',
    desktop: null,
    fallback: 'http://xn--bcher-kva.example/',
  });
  const { rows } = await api.database.query<{ destinations: string }>({
    text: 'SELECT destinations::text FROM links WHERE id = $1',
    values: [json.id],
  });
  t.match(rows[0]?.destinations, /^[\x21-\x7e]+$/, 'only ASCII is stored');
});

t.test('a path can be taken once, and 2,000 that race for it make one link', async (t) => {
  // 200 connections, each of which sends its next request after an answer, because the backlog would drop some of 2,000
  // simultaneous connects.
  const statuses: number[] = [];
  const client = async () => {
    for (let n = 0; n < 10; n++) {
      let { status } = await send(api.baseUrl, 'POST /links', { ...request, body: { path: 'contended' } });
      // On a busy machine the database may lack a connection for one of so many requests. The answer says so, and nothing has changed.
      while (status === 503) ({ status } = await send(api.baseUrl, 'POST /links', { ...request, body: { path: 'contended' } }));
      statuses.push(status);
    }
  };
  await Promise.all(Array.from({ length: 200 }, client));
  t.equal(statuses.filter((status) => status === 201).length, 1);
  t.equal(statuses.filter((status) => status === 409).length, 1_999);
  const other = await call(t, api.baseUrl, 'POST /links', { key: api.testKey, body: { path: 'contended' } });
  t.equal(other.status, 201, 'the other environment has its own paths');
  t.equal((await call(t, api.baseUrl, 'POST /links', { ...request, body: { path: 'Contended' } })).status, 201, 'case matters');
});

t.test('a refused creation leaves nothing behind', async (t) => {
  const count = async () =>
    (await api.database.query({ text: 'SELECT 1 FROM config_feed UNION ALL SELECT 1 FROM events', values: [] })).rowCount;
  const before = await count();
  await call(t, api.baseUrl, 'POST /links', { ...request, body: { path: 'contended' } });
  t.equal(await count(), before);
});

t.test('the path of a deleted link stays taken for 90 days', async (t) => {
  const created = await call(t, api.baseUrl, 'POST /links', { ...request, body: { path: 'reserved' } });
  const line = `/links/${created.json.id}`;
  t.equal((await call(t, api.baseUrl, `DELETE ${line}`, request)).status, 204);
  for (const again of [`GET ${line}`, `DELETE ${line}`]) t.equal((await call(t, api.baseUrl, again, request)).status, 404);
  t.equal((await call(t, api.baseUrl, `PATCH ${line}`, { ...request, body: {} })).status, 404);
  const create = () => call(t, api.baseUrl, 'POST /links', { ...request, body: { path: 'reserved' } });
  const age = (interval: string) =>
    api.database.query({ text: 'UPDATE links SET deleted_at = now() - $2::interval WHERE id = $1', values: [created.json.id, interval] });
  t.equal((await create()).status, 409);
  await age('89 days 23 hours');
  t.equal((await create()).status, 409);
  await age('90 days 1 second');
  const reused = await create();
  t.equal(reused.status, 201);
  t.not(reused.json.id, created.json.id);
  t.same(
    (await events(api, created.json.id)).map((event) => event.type),
    ['link.created', 'link.disabled'],
  );
  t.equal(await feedRows(api, created.json.id), 3, 'hosts, which store the deleted link, learn that it is gone');
});

t.test('PATCH tells absent, null and value apart', async (t) => {
  await nameScheme(api, 'app');
  const body = {
    data: { a: 1, b: { c: 2, d: 3 } },
    utm_source: 's',
    utm_term: 't',
    destinations: { web: 'https://a.example/', ios: 'app://x' },
    expires_at: '2040-01-01T00:00:00Z',
  };
  const created = await call(t, api.baseUrl, 'POST /links', { ...request, body });
  const patch = (change: object) => call(t, api.baseUrl, `PATCH /links/${created.json.id}`, { ...request, body: change });
  const unchanged = await patch({});
  t.same(unchanged.json, created.json);
  t.same((await patch({ utm_source: 's', destinations: {} })).json, created.json, 'the same values change nothing');
  t.same((await patch({ data: { b: { d: 3, c: 2 }, a: 1 } })).text, created.text, 'nor does the order of members');
  t.equal(await feedRows(api, created.json.id), 1);
  const changed = await patch({ utm_source: null, destinations: { web: null, desktop: 'https://d.example' }, deep_link_path: '/b' });
  t.match(changed.json, { utm_source: null, utm_term: 't', data: body.data, deep_link_path: '/b', expires_at: '2040-01-01T00:00:00.000Z' });
  t.same(changed.json.destinations, { ios: 'app://x', android: null, web: null, desktop: 'https://d.example/', fallback: null });
  t.ok(changed.json.updated_at >= created.json.updated_at);
  const cleared = await patch({ data: null, expires_at: null, destinations: null, utm_term: null });
  t.match(cleared.json, { data: null, expires_at: null, utm_term: null });
  t.same(Object.values(cleared.json.destinations), [null, null, null, null, null]);
  const read = await call(t, api.baseUrl, `GET /links/${created.json.id}`, request);
  t.same(read.json, cleared.json);
  const updates = (await events(api, created.json.id)).filter((event) => event.type === 'link.updated');
  t.same(
    updates.map((event) => event.body.data.changed_fields),
    [
      ['deep_link_path', 'utm_source', 'destinations'],
      ['data', 'utm_term', 'destinations', 'expires_at'],
    ],
  );
});

t.test('comments are kept with the link, over several lines, and cleared by null', async (t) => {
  const comments = 'For the spring sale.\n\tAsk Ana before you change it.';
  const created = await call(t, api.baseUrl, 'POST /links', { ...request, body: { comments } });
  t.equal(created.json.comments, comments);
  const bulk = await call(t, api.baseUrl, 'POST /links/bulk', { ...request, body: { links: [{ comments }, {}] } });
  t.same(
    bulk.json.results.map(({ link }: { link: { comments: string | null } }) => link.comments),
    [comments, null],
  );
  const patched = await call(t, api.baseUrl, `PATCH /links/${created.json.id}`, { ...request, body: { comments: null } });
  t.equal(patched.json.comments, null);
  const all = await events(api, created.json.id);
  t.same(
    all.map(({ type, body }) => [type, body.data.comments]),
    [
      ['link.created', comments],
      ['link.updated', null],
    ],
  );
  for (const [refused, code] of [
    ['', 'too_short'],
    ['x'.repeat(501), 'too_long'],
    ['a\u0000b', 'control_character'],
    [7, 'wrong_type'],
  ] as const) {
    const { json } = await call(t, api.baseUrl, 'POST /links', { ...request, body: { comments: refused } });
    t.match(json.errors, [{ pointer: '/comments', code }]);
  }
});

t.test('a card is kept with the link, changed member by member, and none where it says nothing', async (t) => {
  const image_url = 'https://IMG.example.com/\u00e4.png';
  const stored = 'https://img.example.com/%C3%A4.png';
  const created = await call(t, api.baseUrl, 'POST /links', { ...request, body: { card: { title: 'Spring', image_url } } });
  t.same(created.json.card, { title: 'Spring', description: null, image_url: stored });
  const { id } = created.json;
  t.same((await call(t, api.baseUrl, `GET /links/${id}`, request)).json.card, created.json.card);
  const cardAfter = async (card: unknown) => {
    const { status, json } = await call(t, api.baseUrl, `PATCH /links/${id}`, { ...request, body: { card } });
    t.equal(status, 200);
    return json.card;
  };
  t.same(await cardAfter({ description: 'Now.' }), { title: 'Spring', description: 'Now.', image_url: stored });
  t.same(await cardAfter({}), { title: 'Spring', description: 'Now.', image_url: stored });
  t.same(await cardAfter({ title: null, image_url: null }), { title: null, description: 'Now.', image_url: null });
  t.equal(await cardAfter({ description: null }), null);
  t.same(await cardAfter({ title: 'Again' }), { title: 'Again', description: null, image_url: null });
  t.equal(await cardAfter(null), null);
  const all = await events(api, id);
  t.same(all.map(({ type, body }) => [type, body.data.changed_fields, body.data.card]).slice(0, 2), [
    ['link.created', undefined, created.json.card],
    ['link.updated', ['card'], { title: 'Spring', description: 'Now.', image_url: stored }],
  ]);
  t.equal(all.length, 6, 'what changes nothing is not an event');
  const bulk = await call(t, api.baseUrl, 'POST /links/bulk', {
    ...request,
    body: { links: [{ card: { title: 'One' } }, { card: {} }, { card: null }, { card: { image_url: 'nope' } }] },
  });
  t.same(
    bulk.json.results.map(({ link, error }: { link?: { card: unknown }; error?: { errors: { pointer: string }[] } }) =>
      link === undefined ? error?.errors[0]?.pointer : link.card,
    ),
    [{ title: 'One', description: null, image_url: null }, null, null, '/links/3/card/image_url'],
  );
  for (const [card, pointer, code] of [
    ['Spring', '/card', 'wrong_type'],
    [{ subtitle: 'x' }, '/card/subtitle', 'unknown_field'],
    [{ title: '' }, '/card/title', 'too_short'],
    [{ title: 'x'.repeat(301) }, '/card/title', 'too_long'],
    [{ title: 'a\nb' }, '/card/title', 'control_character'],
    [{ description: 'x'.repeat(1001) }, '/card/description', 'too_long'],
    [{ image_url: 7 }, '/card/image_url', 'wrong_type'],
    [{ image_url: '/1.png' }, '/card/image_url', 'invalid_url'],
    [{ image_url: 'http://img.example.com/1.png' }, '/card/image_url', 'scheme_not_allowed'],
    [{ image_url: 'data:image/png;base64,AA' }, '/card/image_url', 'scheme_not_allowed'],
    [{ image_url: 'https://a:b@img.example.com/1.png' }, '/card/image_url', 'invalid_url'],
    [{ image_url: `https://img.example.com/${'x'.repeat(2048)}` }, '/card/image_url', 'too_long'],
  ] as const)
    for (const line of ['POST /links', `PATCH /links/${id}`]) {
      const answer = await call(t, api.baseUrl, line, { ...request, body: { card } });
      t.match(answer, { status: 422, json: { errors: [{ pointer, code }] } }, `${line} ${JSON.stringify(card).slice(0, 60)}`);
    }
});

t.test('a change of a card keeps the image that it does not name', async (t) => {
  const image_url = `https://img.example.com/${'\u3042'.repeat(400)}`;
  const { json } = await call(t, api.baseUrl, 'POST /links', { ...request, body: { card: { title: 'One', image_url } } });
  const patch = async (card: object) => (await call(t, api.baseUrl, `PATCH /links/${json.id}`, { ...request, body: { card } })).json.card;
  t.same(await patch({ title: 'Two' }), { ...json.card, title: 'Two' });
  t.same(await patch({ image_url: json.card.image_url }), { ...json.card, title: 'Two' });
  t.same(await patch({ image_url: null }), { ...json.card, title: 'Two', image_url: null });
});

t.test('PATCH refuses the path and fields it does not have', async (t) => {
  const created = await call(t, api.baseUrl, 'POST /links', { ...request, body: {} });
  const answer = await call(t, api.baseUrl, `PATCH /links/${created.json.id}`, {
    ...request,
    body: { path: 'new', id: 'x', status: 'blocked', destinations: { web: 'javascript:alert(1)', tv: 'https://a.example' } },
  });
  t.same(answer.json.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]).sort(), [
    ['/destinations/tv', 'unknown_field'],
    ['/destinations/web', 'scheme_not_allowed'],
    ['/id', 'unknown_field'],
    ['/path', 'unknown_field'],
    ['/status', 'invalid_value'],
  ]);
});

t.test('a link is disabled and enabled, with its events', async (t) => {
  const created = await call(t, api.baseUrl, 'POST /links', { ...request, body: {} });
  const patch = (body: object) => call(t, api.baseUrl, `PATCH /links/${created.json.id}`, { ...request, body });
  t.equal((await patch({ status: 'disabled' })).json.status, 'disabled');
  t.equal((await patch({ status: 'disabled' })).json.status, 'disabled');
  t.equal((await patch({ status: 'active' })).json.status, 'active');
  t.equal((await patch({ status: 'disabled', deep_link_path: '/x' })).json.status, 'disabled');
  t.same((await events(api, created.json.id)).map((event) => event.type).sort(), [
    'link.created',
    'link.disabled',
    'link.disabled',
    'link.updated',
    'link.updated',
  ]);
  await call(t, api.baseUrl, `DELETE /links/${created.json.id}`, request);
  t.equal((await events(api, created.json.id)).length, 6, 'deleting a disabled link says so');
});

t.test('a blocked link keeps its status until the operator lifts it', async (t) => {
  const created = await call(t, api.baseUrl, 'POST /links', { ...request, body: {} });
  await api.database.query({ text: `UPDATE links SET state = 'blocked' WHERE id = $1`, values: [created.json.id] });
  const patch = (body: object) => call(t, api.baseUrl, `PATCH /links/${created.json.id}`, { ...request, body });
  t.equal((await patch({ status: 'active' })).status, 409);
  t.equal((await patch({ deep_link_path: '/y' })).json.status, 'blocked');
});

t.test('a link is expired from its time on', async (t) => {
  let now = Date.UTC(2030, 0, 1);
  const server = await startApiServer(t, { clock: () => now });
  // Partitions are made for the days around today, but this clock shows another time.
  await server.database.query({ text: `SELECT ensure_day_partition('events', '2030-01-01')`, values: [] });
  const key = server.liveKey;
  const expires_at = '2030-01-01T00:00:01+00:00';
  const { json } = await call(t, server.baseUrl, 'POST /links', { key, body: { expires_at } });
  t.equal(json.status, 'active');
  now += 999;
  t.equal((await call(t, server.baseUrl, `GET /links/${json.id}`, { key })).json.status, 'active');
  t.equal((await call(t, server.baseUrl, 'GET /links?status=expired', { key })).json.data.length, 0);
  now += 1;
  t.equal((await call(t, server.baseUrl, `GET /links/${json.id}`, { key })).json.status, 'expired');
  t.equal((await call(t, server.baseUrl, 'GET /links?status=expired', { key })).json.data.length, 1);
  t.equal((await call(t, server.baseUrl, 'GET /links?status=active', { key })).json.data.length, 0);
  const past = await call(t, server.baseUrl, 'POST /links', { key, body: { expires_at: '2001-01-01T00:00Z' } });
  t.equal(past.json.status, 'expired', 'a time in the past is taken');
  for (const expires_at of ['1970-01-01T00:00:00Z', '1969-12-31T23:59:59Z']) {
    const long = await call(t, server.baseUrl, 'POST /links', { key, body: { expires_at } });
    t.match(long.json, { status: 'expired', expires_at: new Date(expires_at).toISOString() });
  }
});

t.test('a link that expires is told of once, and once more when its expiry was moved and comes again', async (t) => {
  const form = { scheme: 'https', port: 0 } as const;
  const tell = async () => {
    const told = await Promise.all([1, 2, 3].map(() => tellExpiredLinks(api.database, form)));
    return told.reduce((sum, count) => sum + count, 0);
  };
  await tell();
  const past = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
  const { id } = (await call(t, api.baseUrl, 'POST /links', { ...request, body: { expires_at: '2040-01-01T00:00:00Z' } })).json;
  const patch = (body: object) => call(t, api.baseUrl, `PATCH /links/${id}`, { ...request, body });
  const disabled = async () => (await events(api, id)).filter((event) => event.type === 'link.disabled');
  t.equal(await tell(), 0);
  await patch({ expires_at: past(60) });
  t.equal(await tell(), 1, 'by one of three servers that look at once');
  t.equal(await tell(), 0);
  t.match(await disabled(), [{ body: { data: { id, status: 'expired', reason: 'expired', expires_at: /^20/ } } }]);
  await patch({ deep_link_path: '/other' });
  await patch({ expires_at: past(30) });
  t.equal(await tell(), 0, 'it was expired before and after');
  await patch({ expires_at: '2040-01-01T00:00:00Z' });
  t.equal(await tell(), 0);
  await patch({ expires_at: past(30) });
  t.equal(await tell(), 1, 'it has expired again');
  // The previous release, which does not know of the mark, moves the expiry.
  await api.database.query({ text: `UPDATE links SET expires_at = now() - interval '1 second' WHERE id = $1`, values: [id] });
  t.equal(await tell(), 1);
  await patch({ status: 'disabled', expires_at: null });
  t.same(
    (await disabled()).map((event) => event.body.data.reason),
    ['expired', 'expired', 'expired', 'disabled'],
  );
});

t.test('an update names the status if it changes with another field', async (t) => {
  const changed = async (body: object, patches: readonly object[]) => {
    const { json } = await call(t, api.baseUrl, 'POST /links', { ...request, body });
    for (const patch of patches) t.equal((await call(t, api.baseUrl, `PATCH /links/${json.id}`, { ...request, body: patch })).status, 200);
    return (await events(api, json.id)).flatMap(({ type, body }) => (type === 'link.updated' ? [body.data.changed_fields] : []));
  };
  const [before, after] = ['2001-01-01T00:00:00Z', '2040-01-01T00:00:00Z'];
  t.same(await changed({ expires_at: before }, [{ expires_at: null }, { title: 'x' }]), [['expires_at', 'status'], ['title']]);
  t.same(await changed({}, [{ active_from: after }, { active_from: before }]), [
    ['active_from', 'status'],
    ['active_from', 'status'],
  ]);
  t.same(await changed({}, [{ status: 'disabled', title: 'x' }, { status: 'active' }]), [['title'], ['status']]);
});

t.test('an expiry of a moment ago is told of before the link is changed or deleted', async (t) => {
  const tell = () => tellExpiredLinks(api.database, { scheme: 'https', port: 0 });
  await tell();
  const make = async () =>
    (await call(t, api.baseUrl, 'POST /links', { ...request, body: { expires_at: '2040-01-01T00:00:00Z' } })).json.id;
  const expire = (id: string, column: string) =>
    api.database.query({ text: `UPDATE links SET ${column} = now() - interval '1 second' WHERE id = $1`, values: [id] });
  const told = async (id: string) => (await events(api, id)).slice(1).map(({ type, body }) => [type, body.data.status, body.data.reason]);
  const patch = (id: string, body: object) => call(t, api.baseUrl, `PATCH /links/${id}`, { ...request, body });
  const [moved, disabled, deleted, usedUp] = [await make(), await make(), await make(), await make()];
  for (const id of [moved, disabled, deleted]) await expire(id, 'expires_at');
  await patch(moved, { expires_at: null });
  await patch(disabled, { status: 'disabled' });
  await call(t, api.baseUrl, `DELETE /links/${deleted}`, request);
  await patch(usedUp, { max_clicks: 1 });
  await expire(usedUp, 'used_up_at');
  await patch(usedUp, { max_clicks: null });
  t.same(await told(moved), [
    ['link.disabled', 'expired', 'expired'],
    ['link.updated', 'active', undefined],
  ]);
  t.same(await told(disabled), [
    ['link.disabled', 'expired', 'expired'],
    ['link.disabled', 'disabled', 'disabled'],
  ]);
  t.same(
    (await told(deleted)).map(([, , reason]) => reason),
    ['expired', 'deleted'],
  );
  t.same((await told(usedUp)).slice(1), [
    ['link.disabled', 'expired', 'expired'],
    ['link.updated', 'active', undefined],
  ]);
  t.equal(await tell(), 0);
});

t.test('a link whose clicks are used up is told of once, and once more when a higher bound is used up', async (t) => {
  const tell = () => tellExpiredLinks(api.database, { scheme: 'https', port: 0 });
  const { id } = (await call(t, api.baseUrl, 'POST /links', { ...request, body: { max_clicks: 2 } })).json;
  const patch = async (body: object) => (await call(t, api.baseUrl, `PATCH /links/${id}`, { ...request, body })).json;
  const use = async (clicks: number) => {
    await api.database.query({
      text: `INSERT INTO link_uses (link_id, used, granted) VALUES ($1, $2, $2) ON CONFLICT (link_id) DO UPDATE SET used = $2`,
      values: [id, clicks],
    });
    await api.database.query({ text: 'UPDATE links SET used_up_at = clock_timestamp() WHERE id = $1', values: [id] });
  };
  const disabled = async () => (await events(api, id)).filter((event) => event.type === 'link.disabled');
  await tell();
  t.equal(await tell(), 0);
  await use(2);
  t.equal(await tell(), 1);
  t.equal(await tell(), 0);
  t.match(await disabled(), [{ body: { data: { id, status: 'expired', reason: 'expired', max_clicks: 2 } } }]);
  t.equal((await patch({ title: 'another field' })).status, 'expired');
  t.equal((await patch({ max_clicks: 3 })).status, 'active', 'one is left');
  t.equal((await patch({ max_clicks: 2 })).status, 'expired', 'none is left');
  t.equal((await patch({ max_clicks: null })).status, 'active', 'nothing is counted');
  t.equal((await patch({ max_clicks: 3 })).status, 'active');
  await tell();
  const told = (await disabled()).length;
  await use(3);
  t.equal(await tell(), 1);
  t.equal((await disabled()).length, told + 1);
  t.equal((await patch({ max_clicks: 1 })).status, 'expired');
  const listed = await call(t, api.baseUrl, 'GET /links?status=expired&limit=100', request);
  t.ok(listed.json.data.some((link: { id: string }) => link.id === id));
});

t.test('a link that has expired for one cause is not told of again for the other one', async (t) => {
  const tell = () => tellExpiredLinks(api.database, { scheme: 'https', port: 0 });
  const far = '2040-01-01T00:00:00Z';
  const make = async () => (await call(t, api.baseUrl, 'POST /links', { ...request, body: { max_clicks: 5, expires_at: far } })).json.id;
  const patch = (id: string, body: object) => call(t, api.baseUrl, `PATCH /links/${id}`, { ...request, body });
  const useUp = async (id: string) => {
    await api.database.query({
      text: 'INSERT INTO link_uses (link_id, used, granted) VALUES ($1, 5, 5) ON CONFLICT (link_id) DO NOTHING',
      values: [id],
    });
    await api.database.query({ text: 'UPDATE links SET used_up_at = clock_timestamp() WHERE id = $1', values: [id] });
  };
  const passTime = (id: string) =>
    api.database.query({ text: `UPDATE links SET expires_at = now() - interval '1 second' WHERE id = $1`, values: [id] });
  const lowerBound = async (id: string) => {
    await api.database.query({ text: 'INSERT INTO link_uses (link_id, used, granted) VALUES ($1, 5, 5)', values: [id] });
    await patch(id, { max_clicks: 3 });
  };
  const ways: Readonly<Record<string, readonly ((id: string) => Promise<unknown>)[]>> = {
    'used up, then by time': [useUp, passTime],
    'by time, then a lower bound': [passTime, lowerBound],
    'used up, then a time in the past': [useUp, (id) => patch(id, { expires_at: '2001-01-01T00:00:00Z' })],
    'used up and by time, then without a bound': [useUp, passTime, (id) => patch(id, { max_clicks: null })],
  };
  const disabled = async (id: string) => (await events(api, id)).filter((event) => event.type === 'link.disabled').length;
  for (const [way, steps] of Object.entries(ways)) {
    const id = await make();
    for (const step of steps) {
      await step(id);
      await tell();
    }
    t.equal(await disabled(id), 1, way);
    t.equal((await patch(id, { max_clicks: 9, expires_at: far })).json.status, 'active', way);
    await passTime(id);
    await tell();
    t.equal(await disabled(id), 2, `${way}: it was active in between`);
  }
  const id = await make();
  await useUp(id);
  await tell();
  await passTime(id);
  await patch(id, { max_clicks: null });
  await tell();
  t.equal(await disabled(id), 1, 'the time has passed a moment before the bound is removed');
});

t.test('a link that expires is told of by a periodic job, which says that deliveries were queued', async (t) => {
  let queued = 0;
  const job = createLinkExpiries({
    database: api.database,
    log: createLogger('test', 'silent'),
    clock: Date.now,
    form: { scheme: 'https', port: 0 },
    deliveriesQueued: () => queued++,
    intervalMs: 20,
  });
  job.start();
  t.teardown(() => job.stop());
  await until(() => job.stats().rounds >= 1);
  t.equal(queued, 0);
  const { json } = await call(t, api.baseUrl, 'POST /links', { ...request, body: { expires_at: '2001-01-01T00:00Z' } });
  await until(() => queued === 1);
  t.match((await events(api, json.id)).map((event) => event.type).toSorted(), ['link.created', 'link.disabled']);
  t.equal(job.health().part, 'link-expiries');
});

t.test('what is disabled, blocked or deleted does not expire, and what is deleted says so', async (t) => {
  const make = async () => (await call(t, api.baseUrl, 'POST /links', { ...request, body: {} })).json.id as string;
  const [disabled, blocked, deleted] = [await make(), await make(), await make()];
  await call(t, api.baseUrl, `PATCH /links/${disabled}`, { ...request, body: { status: 'disabled' } });
  await call(t, api.baseUrl, `DELETE /links/${deleted}`, request);
  await api.database.query({ text: `UPDATE links SET state = 'blocked' WHERE id = $1`, values: [blocked] });
  const ids = [disabled, blocked, deleted];
  await api.database.query({ text: `UPDATE links SET expires_at = now() - interval '1 second' WHERE id = ANY ($1)`, values: [ids] });
  t.equal(await tellExpiredLinks(api.database, { scheme: 'https', port: 0 }), 0);
  const reasons = async (id: string) =>
    (await events(api, id)).filter((event) => event.type === 'link.disabled').map((event) => event.body.data.reason);
  t.same(await Promise.all(ids.map(reasons)), [['disabled'], [], ['deleted']]);
  await call(t, api.baseUrl, `PATCH /links/${disabled}`, { ...request, body: { status: 'active' } });
  t.equal(await tellExpiredLinks(api.database, { scheme: 'https', port: 0 }), 1, 'enabled again, it is an expired link');
});

t.test('campaign and domain must be those of the environment', async (t) => {
  const wrong = await call(t, api.baseUrl, 'POST /links', { ...request, body: { campaign: 'spring', domain: 'a.example', path: 'a b' } });
  t.same(wrong.json.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]).sort(), [
    ['/campaign', 'unknown_campaign'],
    ['/domain', 'unknown_domain'],
    ['/path', 'invalid_format'],
  ]);
  for (const [environment, id] of [
    [api.live, 'cmp_1'],
    [api.test, 'cmp_2'],
  ] as const)
    await api.database.query({
      text: `INSERT INTO campaigns (id, environment_id, key, name, created_at, updated_at) VALUES ($1, $2, $3, 'n', now(), now())`,
      values: [id, environment.id, environment.name === 'live' ? 'spring' : 'summer'],
    });
  await api.database.query({
    text: `INSERT INTO domains (id, environment_id, hostname, status, txt_value, created_at, updated_at)
           VALUES ('dom_1', $1, 'a.example', 'verified', 'x', now(), now()), ('dom_2', $1, 'b.example', 'pending', 'x', now(), now())`,
    values: [api.live.id],
  });
  const right = await call(t, api.baseUrl, 'POST /links', { ...request, body: { campaign: 'spring', domain: 'a.example', path: 'camp' } });
  t.match(right.json, { campaign: 'spring', domain: 'a.example', url: 'https://a.example/camp' });
  const capitals = await call(t, api.baseUrl, 'POST /links', { ...request, body: { domain: 'A.Example', path: 'capitals' } });
  t.match(capitals.json, { domain: 'a.example', url: 'https://a.example/capitals' }, 'as the names of all hosts');
  for (const body of [{ campaign: 'summer' }, { domain: 'b.example' }, { campaign: 'Spring' }])
    t.equal((await call(t, api.baseUrl, 'POST /links', { ...request, body })).status, 422);
  t.equal((await call(t, api.baseUrl, 'GET /links?campaign=spring', request)).json.data.length, 1);
});

t.test('paths the link host answers itself are refused', async (t) => {
  const answer = await call(t, api.baseUrl, 'POST /links', { ...request, body: { path: 'apple-app-site-association' } });
  t.match(answer.json.errors, [{ pointer: '/path', code: 'reserved' }]);
});
