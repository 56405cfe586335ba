import { pino } from 'pino';
import t from 'tap';
import { endDueCampaigns } from '../../control-plane/campaigns/end-due.js';
import { createCampaignEnds } from '../../control-plane/jobs/due-jobs.js';
import { until } from '../support/until.js';
import { call } from './api-client.js';
import { startApiServer } from './api-server.js';

const api = await startApiServer(t);
const request = { key: api.liveKey };

interface StoredEvent {
  readonly type: string;
  readonly body: { readonly environment: string; readonly data: Record<string, unknown> };
}

async function events(campaignId: string): Promise<StoredEvent[]> {
  const { rows } = await api.database.query<{ type: string; body: string }>({
    text: `SELECT type, body FROM events WHERE type LIKE 'campaign.%' AND body::json #>> '{data,id}' = $1 ORDER BY created_at, type`,
    values: [campaignId],
  });
  return rows.map(({ type, body }) => ({ type, body: JSON.parse(body) }));
}

async function feedRows(campaignId: string): Promise<number> {
  const { rowCount } = await api.database.query({
    text: `SELECT 1 FROM config_feed WHERE kind = 'campaign' AND object_id = $1`,
    values: [campaignId],
  });
  return rowCount;
}

const create = (body: object) => call(t, api.baseUrl, 'POST /campaigns', { ...request, body });
const patch = (id: string, body: object) => call(t, api.baseUrl, `PATCH /campaigns/${id}`, { ...request, body });

t.test('a campaign is made with every field, read as it was answered, and told of', async (t) => {
  const { status, json, headers, text } = await create({
    key: 'Spring_26-a',
    name: 'Spring ü',
    utm_source: 'newsletter',
    utm_medium: null,
    starts_at: '2040-01-01T00:00:00+02:00',
    ends_at: '2040-06-01T00:00:00Z',
  });
  t.equal(status, 201);
  t.match(json, {
    key: 'Spring_26-a',
    name: 'Spring ü',
    utm_source: 'newsletter',
    utm_medium: null,
    utm_content: null,
    status: 'active',
    starts_at: '2039-12-31T22:00:00.000Z',
    ends_at: '2040-06-01T00:00:00.000Z',
  });
  t.equal(headers.get('location'), `/v1/campaigns/${json.id}`);
  t.equal((await call(t, api.baseUrl, `GET /campaigns/${json.id}`, request)).text, text);
  t.match(await events(json.id), [{ type: 'campaign.created', body: { environment: 'live', data: json } }]);
  t.equal(await feedRows(json.id), 1);
});

t.test('a key is taken once in an environment and cannot change', async (t) => {
  const { json } = await create({ key: 'once', name: 'a' });
  const again = await create({ key: 'once', name: 'b' });
  t.match(again, { status: 409, json: { code: 'conflict', detail: /"once"/ } });
  t.equal((await call(t, api.baseUrl, 'POST /campaigns', { key: api.testKey, body: { key: 'once', name: 'a' } })).status, 201);
  const changed = await patch(json.id, { key: 'other' });
  t.match(changed, { status: 422, json: { errors: [{ pointer: '/key', code: 'unknown_field' }] } });
  for (const key of ['', 'a b', 'a/b', 'ü', 'x'.repeat(65)])
    t.match(await create({ key, name: 'a' }), { status: 422, json: { errors: [{ pointer: '/key' }] } }, key);
});

t.test('PATCH keeps what is absent, clears null, and feeds the link hosts only what concerns links', async (t) => {
  const { json } = await create({ key: 'patched', name: 'a', utm_source: 's', utm_term: 't', ends_at: '2040-01-01T00:00:00Z' });
  const changed = await patch(json.id, { utm_source: null, utm_medium: 'print' });
  t.match(changed.json, { name: 'a', utm_source: null, utm_medium: 'print', utm_term: 't', ends_at: '2040-01-01T00:00:00.000Z' });
  t.equal(await feedRows(json.id), 2);
  const renamed = await patch(json.id, { name: 'b', ends_at: null });
  t.match(renamed.json, { name: 'b', ends_at: null });
  t.equal(await feedRows(json.id), 2, 'a name is not the business of link hosts');
  const same = await patch(json.id, { name: 'b', utm_medium: 'print' });
  t.same(same.json, renamed.json, 'nothing changes, updated_at neither');
  t.same(
    (await events(json.id)).map(({ type }) => type),
    ['campaign.created'],
  );
});

t.test('the end must be later than the start, also together with what is stored', async (t) => {
  const wrong = await create({ key: 'period', name: 'a', starts_at: '2030-01-01T00:00:00Z', ends_at: '2030-01-01T00:00:00Z' });
  t.match(wrong, { status: 422, json: { errors: [{ pointer: '/ends_at', code: 'invalid_range' }] } });
  const { json } = await create({ key: 'period', name: 'a', starts_at: '2040-01-01T00:00:00Z', ends_at: '2041-01-01T00:00:00Z' });
  t.match(await patch(json.id, { ends_at: '2039-01-01T00:00:00Z' }), { status: 422, json: { errors: [{ pointer: '/ends_at' }] } });
  t.match(await patch(json.id, { starts_at: '2042-01-01T00:00:00Z' }), { status: 422, json: { errors: [{ pointer: '/starts_at' }] } });
  t.equal((await patch(json.id, { starts_at: '2042-01-01T00:00:00Z', ends_at: null })).status, 200);
});

t.test('a campaign is ended and taken up again, each end told once', async (t) => {
  const { json } = await create({ key: 'ended', name: 'a' });
  const ended = await patch(json.id, { status: 'ended' });
  t.equal(ended.json.status, 'ended');
  await patch(json.id, { status: 'ended' });
  t.equal((await patch(json.id, { status: 'active' })).json.status, 'active');
  await patch(json.id, { status: 'ended' });
  t.same(
    (await events(json.id)).map(({ type }) => type),
    ['campaign.created', 'campaign.ended', 'campaign.ended'],
  );
});

t.test('from its end on a campaign is ended, which is told once by whichever server sees it first', async (t) => {
  const soon = new Date(Date.now() + 400).toISOString();
  const { json } = await create({ key: 'timed', name: 'a', ends_at: soon });
  t.equal(json.status, 'active');
  const read = async () => (await call(t, api.baseUrl, `GET /campaigns/${json.id}`, request)).json;
  await until(async () => (await read()).status === 'ended', 'the campaign to end');
  const listed = async (status: string) => {
    const { json: page } = await call(t, api.baseUrl, `GET /campaigns?status=${status}&limit=100`, request);
    return page.data.some((campaign: { id: string }) => campaign.id === json.id);
  };
  t.same([await listed('ended'), await listed('active')], [true, false], 'the list says so before anybody was told');
  const counts = await Promise.all([endDueCampaigns(api.database, Date.now()), endDueCampaigns(api.database, Date.now())]);
  t.equal(counts[0] + counts[1], 1);
  t.equal(await endDueCampaigns(api.database, Date.now()), 0);
  const { json: other } = await create({ key: 'not-yet', name: 'a', ends_at: new Date(Date.now() + 30_000).toISOString() });
  t.equal(await endDueCampaigns(api.database, Date.now() + 31_000), 0, 'the clock of a host that is ahead ends nothing');
  t.equal((await patch(other.id, { ends_at: null })).status, 200);
  const [, end, ...more] = await events(json.id);
  t.match(end, { type: 'campaign.ended', body: { environment: 'live', data: await read() } });
  t.same(more, []);
  t.match(await patch(json.id, { status: 'active' }), { status: 409, json: { code: 'conflict' } });
  t.equal((await patch(json.id, { status: 'active', ends_at: null })).json.status, 'active');
});

t.test('an end of a moment ago is told of, whatever the change', async (t) => {
  const due = async (key: string) => {
    const { json } = await create({ key, name: 'a', ends_at: '2040-01-01T00:00:00Z' });
    await api.database.query({ text: `UPDATE campaigns SET ends_at = now() - interval '1 second' WHERE id = $1`, values: [json.id] });
    return json.id as string;
  };
  const types = async (id: string) => (await events(id)).map(({ type, body }) => [type, body.data.status]);
  const openEnd = await due('open-end');
  t.match((await patch(openEnd, { ends_at: null })).json, { status: 'ended', ends_at: null }, 'it is not resumed without a word');
  const resumed = await due('resumed');
  t.match((await patch(resumed, { ends_at: null, status: 'active' })).json, { status: 'active' });
  for (const id of [openEnd, resumed])
    t.same(await types(id), [
      ['campaign.created', 'active'],
      ['campaign.ended', 'ended'],
    ]);
  t.equal(await endDueCampaigns(api.database, Date.now()), 0);
});

t.test('a campaign that is made or changed with an end that has passed is ended at once', async (t) => {
  const past = '2020-01-01T00:00:00Z';
  const { json } = await create({ key: 'late', name: 'a', ends_at: past });
  t.equal(json.status, 'ended');
  t.same(
    (await events(json.id)).map(({ type }) => type),
    ['campaign.created', 'campaign.ended'],
  );
  const { json: other } = await create({ key: 'late-too', name: 'a' });
  t.equal((await patch(other.id, { ends_at: past })).json.status, 'ended');
  t.same(
    (await events(other.id)).map(({ type }) => type),
    ['campaign.created', 'campaign.ended'],
  );
  t.equal(await endDueCampaigns(api.database, Date.now()), 0, 'the job has nothing to tell');
});

t.test('the job ends what is due, and tells the dispatcher', async (t) => {
  const { json } = await create({ key: 'by-job', name: 'a', ends_at: '2040-01-01T00:00:00Z' });
  await api.database.query({ text: 'UPDATE campaigns SET ends_at = now() WHERE id = $1', values: [json.id] });
  let told = 0;
  const job = createCampaignEnds({
    database: api.database,
    log: pino({ level: 'silent' }),
    clock: Date.now,
    deliveriesQueued: () => told++,
    intervalMs: 20,
  });
  job.start();
  await until(async () => (await events(json.id)).length === 2, 'the end to be told');
  await job.stop();
  t.ok(told >= 1);
  t.equal(job.health().part, 'campaign-ends');
});

t.test('links name campaigns of their environment, one that ended too', async (t) => {
  const { json } = await create({ key: 'named', name: 'a', ends_at: '2020-01-01T00:00:00Z' });
  const link = await call(t, api.baseUrl, 'POST /links', { ...request, body: { campaign: json.key } });
  t.match(link, { status: 201, json: { campaign: 'named' } });
  const { json: page } = await call(t, api.baseUrl, 'GET /links?campaign=named', request);
  t.same(page.data, [link.json]);
});

t.test('pages hold every campaign once', async (t) => {
  const { json: all } = await call(t, api.baseUrl, 'GET /campaigns?limit=100', request);
  const ids: string[] = [];
  for (let cursor = ''; ; ) {
    const { json } = await call(t, api.baseUrl, `GET /campaigns?limit=3${cursor}`, request);
    ids.push(...json.data.map((campaign: { id: string }) => campaign.id));
    if (json.next_cursor === null) break;
    cursor = `&cursor=${json.next_cursor}`;
  }
  t.same(
    ids,
    all.data.map((campaign: { id: string }) => campaign.id),
  );
  t.same(ids, [...ids].sort().reverse());
});

t.test('campaigns are found by a part of their key or name, page by page', async (t) => {
  const own = await api.anotherProject();
  const ask = (line: string, body?: object) => call(t, own.baseUrl, line, { key: own.liveKey, ...(body === undefined ? {} : { body }) });
  for (const [key, name] of [
    ['spring-sale', 'Frühling'],
    ['autumn_sale', 'Herbst 100%'],
    ['winter', 'Winter SALE'],
    ['plain', 'Nothing'],
  ])
    await ask('POST /campaigns', { key, name });
  const found = async (query: string) => (await ask(`GET /campaigns?${query}`)).json.data.map(({ key }: { key: string }) => key);
  t.same(await found('search=sale'), ['winter', 'autumn_sale', 'spring-sale']);
  t.same(await found('search=SALE&status=ended'), []);
  t.same(await found(`search=${encodeURIComponent('FRÜH')}`), ['spring-sale']);
  t.same(await found(`search=${encodeURIComponent('%')}`), ['autumn_sale'], 'no pattern');
  t.same(await found('search=_'), ['autumn_sale']);
  t.same(await found('search=%5C'), []);
  t.same(await found('key=winter'), ['winter']);
  t.same(await found('key=winte'), [], 'the whole key');
  const { json: page } = await ask('GET /campaigns?search=sale&limit=2');
  t.same(await found(`search=sale&limit=2&cursor=${page.next_cursor}`), ['spring-sale']);
  for (const [search, code] of [
    ['', 'too_short'],
    ['x'.repeat(201), 'too_long'],
  ])
    t.match(await ask(`GET /campaigns?search=${search}`), { status: 422, json: { errors: [{ in: 'query', pointer: '/search', code }] } });
});
