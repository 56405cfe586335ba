import t from 'tap';
import { lockObjectCounts } from '../../control-plane/environment/lock.js';
import { VIEWS_MAX } from '../../shared/base/view-limits.js';
import { within } from '../../shared/base/within.js';
import { call } from './api-client.js';
import { startApiServer } from './api-server.js';

const api = await startApiServer(t);
const request = { key: api.liveKey };

const create = (body: object, key = api.liveKey) => call(t, api.baseUrl, 'POST /views', { key, body });
const patch = (id: string, body: object) => call(t, api.baseUrl, `PATCH /views/${id}`, { ...request, body });

const QUERY = {
  range: null,
  from: '2026-11-01',
  to: '2026-11-20',
  interval: 'week',
  breakdown: 'link',
  measure: 'unique',
  compare: true,
  filters: { country: 'DE', campaign: '', tag: 'print', utm_source: 'mail' },
};

t.test('a view is saved with every field, and read and listed as it was answered', async (t) => {
  const { status, json, headers, text } = await create({ name: 'Größe ✓', ...QUERY });
  t.equal(status, 201);
  t.match(json, { name: 'Größe ✓', ...QUERY });
  t.equal(headers.get('location'), `/v1/views/${json.id}`);
  t.equal((await call(t, api.baseUrl, `GET /views/${json.id}`, request)).text, text);
  t.same((await call(t, api.baseUrl, 'GET /views', request)).json, { data: [json], next_cursor: null });
  t.equal((await call(t, api.baseUrl, `GET /views/${json.id}`, { key: api.testKey })).status, 404);
});

t.test('a view follows the name of its tag, and of a tag that is deleted it shows nothing', async (t) => {
  const links = await call(t, api.baseUrl, 'POST /links/bulk', {
    ...request,
    body: { links: [{ tags: ['before'] }, { tags: ['other'] }] },
  });
  t.equal(links.json.created, 2);
  const filters = { country: 'DE', tag: 'before', campaign: '' };
  const view = (await create({ name: 'Tagged', ...QUERY, filters })).json;
  const kept = (await create({ name: 'Tagged otherwise', filters: { tag: 'other' } })).json;
  const elsewhere = (await create({ name: 'Tagged', filters: { tag: 'before' } }, api.testKey)).json;
  const [tag] = (await call(t, api.baseUrl, 'GET /tags?search=before', request)).json.data;
  const read = async (id: string, key = api.liveKey) => (await call(t, api.baseUrl, `GET /views/${id}`, { key })).json;
  const rename = (name: string) => call(t, api.baseUrl, `PATCH /tags/${tag.id}`, { ...request, body: { name } });
  t.equal((await rename('other')).status, 409);
  t.same((await read(view.id)).filters, filters);
  t.equal((await rename('after "it"')).status, 200);
  const { updated_at, ...after } = await read(view.id);
  t.equal(JSON.stringify(after.filters), JSON.stringify({ ...filters, tag: 'after "it"' }), 'in the same order');
  t.match(after, { ...QUERY, filters: after.filters });
  t.ok(updated_at >= view.updated_at);
  t.same(await read(kept.id), kept);
  t.same(await read(elsewhere.id, api.testKey), elsewhere, 'in the other environment there is another tag of that name');
  t.equal((await call(t, api.baseUrl, `DELETE /tags/${tag.id}`, request)).status, 204);
  t.equal((await read(view.id)).filters.tag, 'after "it"');
  const clicks = await call(t, api.baseUrl, `GET /stats/clicks?${new URLSearchParams({ tag: 'after "it"' })}`, request);
  t.match(clicks.json, { totals: { all: 0 } });
  for (const { id } of [view, kept]) await call(t, api.baseUrl, `DELETE /views/${id}`, request);
});

t.test('a view of which nothing is said shows people of the last 30 days', async (t) => {
  const { json } = await create({ name: 'Plain' });
  t.match(json, {
    range: 'last_30_days',
    from: null,
    to: null,
    interval: null,
    breakdown: null,
    measure: 'human',
    compare: false,
    filters: {},
  });
});

t.test('what is sent takes the place of what was there: a range of days, days of a range, and null the default', async (t) => {
  const { id } = (await create({ name: 'Changing', ...QUERY })).json;
  t.match((await patch(id, { range: 'this_month' })).json, { range: 'this_month', from: null, to: null, compare: true });
  t.match((await patch(id, { from: '2026-10-01', to: '2026-10-01' })).json, { range: null, from: '2026-10-01', to: '2026-10-01' });
  t.match((await patch(id, { name: 'Changed', filters: { city: 'Berlin' } })).json, {
    name: 'Changed',
    from: '2026-10-01',
    filters: { city: 'Berlin' },
  });
  t.same((await patch(id, { range: null, interval: null, breakdown: null, filters: null })).json.filters, {});
  const { json, headers } = await call(t, api.baseUrl, `GET /views/${id}`, request);
  t.match(json, { range: 'last_30_days', from: null, interval: null, breakdown: null, measure: 'unique' });
  const same = await patch(id, { measure: 'unique', filters: {} });
  t.equal(same.headers.get('etag'), headers.get('etag'), 'a change that changes nothing');
});

t.test('days and filters that cannot be are refused at the field', async (t) => {
  for (const [body, pointer, code] of [
    [{ from: '2026-02-30', to: '2026-03-01' }, '/from', 'invalid_format'],
    [{ from: '2026-03-02', to: '2026-03-01' }, '/from', 'invalid_range'],
    [{ from: '2026-03-02' }, '/to', 'required'],
    [{ to: '2026-03-02' }, '/from', 'required'],
    [{ range: 'today', from: '2026-03-01', to: '2026-03-02' }, '/range', 'invalid_range'],
    [{ filters: { link: 'lnk_x' } }, '/filters/link', 'invalid_format'],
    [{ filters: { nope: 'x' } }, '/filters/nope', 'unknown_field'],
    [{ filters: { city: '\u0000' } }, '/filters/city', 'control_character'],
    [{ filters: { city: 'x'.repeat(513) } }, '/filters/city', 'too_long'],
    [{ name: 'x'.repeat(101) }, '/name', 'too_long'],
    [{ name: 'a\u0000b' }, '/name', 'control_character'],
  ] as const) {
    const { status, json } = await create({ name: 'Wrong', ...body });
    t.equal(status, 422, JSON.stringify(body));
    t.match(json.errors, [{ in: 'body', pointer, code }], JSON.stringify(body));
  }
});

t.test('a name is taken once in an environment, also by a change, and is free again after its view', async (t) => {
  const { id } = (await create({ name: 'Mine' })).json;
  t.equal((await create({ name: 'Mine' })).status, 409);
  t.equal((await create({ name: 'Mine' }, api.testKey)).status, 201);
  const other = (await create({ name: 'Other' })).json;
  t.equal((await patch(other.id, { name: 'Mine' })).json.code, 'conflict');
  t.equal((await call(t, api.baseUrl, `DELETE /views/${id}`, request)).status, 204);
  t.equal((await patch(other.id, { name: 'Mine' })).status, 200);
});

t.test('changes of names come one after the other, so that two views that swap theirs cannot deadlock', async (t) => {
  const { id } = (await create({ name: 'Left' })).json;
  const renamed = await api.database.transaction(async (transaction) => {
    await lockObjectCounts(transaction, api.live.id);
    const renaming = patch(id, { name: 'Right' });
    t.equal(await within(300, renaming), null);
    return { renaming };
  });
  t.equal((await renamed.renaming).status, 200);
});

t.test(`an environment has ${VIEWS_MAX} views at most, however many are made at once`, async (t) => {
  const own = await api.anotherProject();
  const body = (name: string) => ({ key: own.liveKey, body: { name } });
  const { json } = await call(t, own.baseUrl, 'POST /views', body('first'));
  await api.database.query({
    text: `INSERT INTO saved_views SELECT left(id, 25) || to_char(place, 'FM000000'), environment_id, 'view ' || place, query, created_at, updated_at
           FROM saved_views, generate_series(1, $2::integer) AS place WHERE id = $1`,
    values: [json.id, VIEWS_MAX - 3],
  });
  const made = await Promise.all(['a', 'b', 'c', 'd'].map((name) => call(t, own.baseUrl, 'POST /views', body(name))));
  t.same(made.map(({ status }) => status).sort(), [201, 201, 409, 409]);
  const first = await call(t, own.baseUrl, 'GET /views?limit=60', { key: own.liveKey });
  const second = await call(t, own.baseUrl, `GET /views?limit=60&cursor=${first.json.next_cursor}`, { key: own.liveKey });
  const names = [...first.json.data, ...second.json.data].map(({ name }: { name: string }) => name);
  t.equal(new Set(names).size, VIEWS_MAX);
});
