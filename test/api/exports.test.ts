import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { allLinks } from '../../control-plane/exports/exported-links.js';
import { RunningExports } from '../../control-plane/exports/running-exports.js';
import type { LinkView } from '../../control-plane/links/link-row.js';
import { EXPORTED_IDS_MAX, EXPORTS_AT_ONCE_MAX, EXPORTS_SENT_AT_ONCE_MAX } from '../../shared/base/export-limits.js';
import { idToUuid, newId } from '../../shared/base/ids.js';
import { until } from '../support/until.js';
import { call, send } from './api-client.js';
import { startApiServer } from './api-server.js';

const api = await startApiServer(t);
const request = { key: api.liveKey };
const VIEW: LinkView = { environment: 'live', linkHost: api.live.link_host, form: { scheme: 'https', port: 0 }, nowMs: Date.now() };
const path = `x${Math.random().toString(36).slice(2)}`;
await send(api.baseUrl, 'POST /campaigns', { ...request, body: { key: 'spring', name: '=Spring', utm_source: 'mail' } });
const { json: link } = await send(api.baseUrl, 'POST /links', {
  ...request,
  body: { path, tags: ['a', 'b'], destinations: { web: 'https://shop.example/' } },
});
await send(api.baseUrl, 'POST /links', { key: api.testKey, body: { path: 'other' } });

const file = (line: string, query: Record<string, string> = {}) => call(t, api.baseUrl, `${line}?${new URLSearchParams(query)}`, request);
const cells = (text: string) =>
  text
    .split('\r\n')
    .filter(Boolean)
    .map((line) => line.split(','));

t.test('links and campaigns of the environment are sent as linkd writes them, in both formats', async (t) => {
  const csv = await file('GET /exports/links');
  t.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8');
  const [head, row, ...more] = cells(csv.text);
  t.same(more, [], 'those of the other environment are not in it');
  t.equal(row?.[head?.indexOf('path') ?? -1], path);
  t.match(csv.text, '"a, b"');
  const ndjson = await file('GET /exports/links', { format: 'ndjson' });
  t.equal(ndjson.headers.get('content-type'), 'application/x-ndjson');
  t.match(JSON.parse(ndjson.text), { id: link.id, tags: ['a', 'b'], imported_clicks: [] });
  t.match((await file('GET /exports/campaigns')).text, /^key,name,[^\r]*\r\nspring,'=Spring,/, 'no formula');
  t.match(JSON.parse((await file('GET /exports/campaigns', { format: 'ndjson' })).text), { key: 'spring', name: '=Spring' });
});

t.test('archived links stand where they were made among the others, and each link once, whatever is archived meanwhile', async (t) => {
  const made: string[] = [];
  for (const archived of [false, true, false])
    made.push((await send(api.baseUrl, 'POST /links', { ...request, body: { archived } })).json.id);
  const pages = allLinks(api.database, api.live.id, VIEW, {}, { links: 2, clicks: 100 });
  const ids: string[] = [];
  for await (const page of pages) {
    ids.push(...page.map(({ id }) => id));
    for (const id of made) await send(api.baseUrl, `PATCH /links/${id}`, { ...request, body: { archived: ids.includes(id) } });
  }
  t.same(ids, [...made.reverse(), link.id]);
  for (const id of made) await send(api.baseUrl, `DELETE /links/${id}`, request);
});

t.test('however many clicks of before the links have, each link is in the export once and with all of its own', async (t) => {
  const made: string[] = [];
  const rows = [40, 0, 60, 1, 20, 30];
  for (const count of rows) {
    const { json } = await send(api.baseUrl, 'POST /links', { ...request, body: {} });
    made.unshift(json.id);
    await api.database.query({
      text: `INSERT INTO imported_clicks (link_id, source, day, clicks)
             SELECT $1, 'kutt ' || at, NULL, at FROM generate_series(1, $2::integer) AS at`,
      values: [json.id, count],
    });
  }
  const parts: number[] = [];
  const found: [string, number, number][] = [];
  for await (const page of allLinks(api.database, api.live.id, VIEW, {}, { links: 4, clicks: 50 })) {
    parts.push(page.reduce((sum, { imported_clicks }) => sum + imported_clicks.length, 0));
    for (const { id, imported_clicks } of page)
      found.push([id, imported_clicks.length, new Set(imported_clicks.map(({ source }) => source)).size]);
  }
  t.same(found, [...[...rows].reverse().map((count, at) => [made[at], count, count]), [link.id, 0, 0]]);
  t.same(parts, [50, 1, 60, 40], 'each part has at most so many, or those of one link');
  for (const id of made) await send(api.baseUrl, `DELETE /links/${id}`, request);
});

t.test('an export of chosen or filtered links carries what an import needs of each', async (t) => {
  const made: string[] = [];
  for (const body of [
    { path: 'locked', password: 'sesame', tags: ['chosen'] },
    { path: 'counted', max_clicks: 7, tags: ['chosen', 'old'], destinations: { web: 'https://example.com/?q=once%20%26%20again' } },
    { path: 'put-by', archived: true, tags: ['chosen'] },
  ])
    made.push((await send(api.baseUrl, 'POST /links', { ...request, body })).json.id);
  const paths = async (query: Record<string, string>) =>
    (await file('GET /exports/links', { format: 'ndjson', ...query })).text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).path);
  t.same(await paths({ ids: made.slice(0, 2).join(',') }), ['counted', 'locked']);
  t.same(await paths({ tag: 'chosen' }), ['put-by', 'counted', 'locked']);
  t.same(await paths({ tag: 'chosen', archived: 'false', search: 'lock' }), ['locked']);
  t.same(await paths({ ids: made.join(','), archived: 'true' }), ['put-by']);
  t.same(await paths({ path: 'count', status: 'active' }), ['counted']);
  t.same(await paths({ search: 'once & again' }), ['counted'], 'a text is found in an escaped destination');
  const csv = await file('GET /exports/links', { ids: made.join(',') });
  const [head, ...rows] = cells(csv.text.replace(/"[^"]*"/g, ''));
  const column = (name: string) => rows.map((row) => row[head?.indexOf(name) ?? -1]);
  t.same(column('has_password'), ['false', 'false', 'true']);
  t.same(column('clicks_left'), ['', '7', '']);
  const [columns, ...fields] = csv.text.split('\r\n').filter(Boolean);
  const body = {
    source: 'csv',
    columns: columns?.split(','),
    rows: fields.filter((line) => !line.includes('"')).map((line) => line.split(',')),
  };
  t.match((await call(t, api.baseUrl, 'POST /imports/links', { key: api.testKey, body })).json.results[1], { lost: ['password'] });
  for (const [query, pointer] of [
    [{ ids: 'lnk_1' }, '/ids'],
    [{ ids: Array.from({ length: EXPORTED_IDS_MAX + 1 }, () => made[0]).join(',') }, '/ids'],
    [{ created_from: '2026-02-01T00:00:00Z', created_to: '2026-01-01T00:00:00Z' }, '/created_from'],
  ] as const)
    t.match((await file('GET /exports/links', query)).json.errors, [{ pointer }]);
  for (const id of made) await send(api.baseUrl, `DELETE /links/${id}`, request);
});

t.test('clicks of the days are sent, those of other environments and days are not', async (t) => {
  const { rows } = await api.database.query<{ id: string; number: number }>({ text: 'SELECT id, number FROM environments', values: [] });
  const numberOf = (id: string) => rows.find((row) => row.id === id)?.number;
  const click = async (number: number | undefined, at: string) =>
    api.database.query({
      text: `INSERT INTO clicks (id, occurred_at, environment_number, kind, subject_id, host, path, platform, bot, params_dropped, visitor_hash, batch_id)
             VALUES ($1, $2, $3, 'link', $4, 'go.example.com', $5, 'ios', false, false, 1, 1)`,
      values: [idToUuid('click', newId('click')), at, number, idToUuid('link', link.id), path],
    });
  // The project is in Berlin, where the day begins at 22:00 or 23:00 UTC.
  const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
  await api.database.query({ text: `SELECT ensure_day_partition('clicks', $1::date)`, values: [day] });
  await click(numberOf(api.live.id), `${day}T00:00:00Z`);
  await click(numberOf(api.live.id), `${day}T23:30:00Z`);
  await click(numberOf(api.test.id), `${day}T12:00:00Z`);
  const csv = await file('GET /exports/clicks', { from: day, to: day });
  t.equal(csv.status, 200);
  t.equal(cells(csv.text).length, 2, 'a head and one click');
  t.match(csv.text, `${day}T00:00:00.000Z`);
  const all = await file('GET /exports/clicks', { format: 'ndjson' });
  t.same(
    all.text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).link),
    [link.id, link.id],
    'a week unless asked otherwise',
  );
});

t.test('clicks of items name the type by its key, and one that is gone by its id', async (t) => {
  const server = await startApiServer(t, { clock: () => Date.UTC(2026, 10, 5) });
  const ask = (line: string, options: object = {}) => call(t, server.baseUrl, line, { key: server.liveKey, ...options });
  const { json: type } = await ask('POST /resource-types', { body: { key: 'products', name: 'Products' } });
  const [gone, template] = [newId('resourceType'), newId('urlTemplate')];
  const at = '2026-11-01T12:00:00Z';
  await server.database.query({ text: `SELECT ensure_day_partition('clicks', $1::date)`, values: [at.slice(0, 10)] });
  for (const [index, id] of [type.id, gone, type.id].entries())
    await server.database.query({
      text: `INSERT INTO clicks (id, occurred_at, environment_number, kind, subject_id, resource_type_id, item_id, host, path, platform, bot, params_dropped, visitor_hash, batch_id)
             SELECT $1, $2::timestamptz + make_interval(secs => $3), number, 'template', $4, $5, '42', 'go.example.com', 'p/42', 'ios', false, false, 1, 1
             FROM environments WHERE id = $6`,
      values: [
        idToUuid('click', newId('click')),
        at,
        index,
        idToUuid('urlTemplate', template),
        idToUuid('resourceType', id),
        server.live.id,
      ],
    });
  const days = 'from=2026-11-01&to=2026-11-01';
  const { text } = await ask(`GET /exports/clicks?${days}&format=ndjson`);
  const lines = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  t.same(
    lines.map(({ resource_type, item_id }) => [resource_type, item_id]),
    [
      ['products', '42'],
      [gone, '42'],
      ['products', '42'],
    ],
  );
  const [head = [], ...rows] = cells((await ask(`GET /exports/clicks?${days}`)).text);
  t.same(
    rows.map((row) => row[head.indexOf('resource_type')]),
    ['products', gone, 'products'],
  );
});

t.test('a day whose first hour comes twice is sent from the first one on', async (t) => {
  const server = await startApiServer(t, { clock: () => Date.UTC(2026, 10, 5) });
  await server.database.query({ text: `UPDATE projects SET time_zone = 'America/Havana'`, values: [] });
  // At 05:00 UTC, clocks go back from 01:00 to 00:00.
  for (const at of [
    '2026-11-01T03:59:59Z',
    '2026-11-01T04:30:00Z',
    '2026-11-01T05:30:00Z',
    '2026-11-02T04:59:59Z',
    '2026-11-02T05:00:00Z',
  ]) {
    await server.database.query({ text: `SELECT ensure_day_partition('clicks', $1::date)`, values: [at.slice(0, 10)] });
    await server.database.query({
      text: `INSERT INTO clicks (id, occurred_at, environment_number, kind, subject_id, host, path, platform, bot, params_dropped, visitor_hash, batch_id)
             SELECT $1, $2, number, 'link', $3, 'go.example.com', 'a', 'ios', false, false, 1, 1 FROM environments WHERE id = $4`,
      values: [idToUuid('click', newId('click')), at, idToUuid('link', newId('link')), server.live.id],
    });
  }
  const { text } = await call(t, server.baseUrl, 'GET /exports/clicks?from=2026-11-01&to=2026-11-01&format=ndjson', {
    key: server.liveKey,
  });
  t.same(
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).occurred_at),
    ['2026-11-01T04:30:00.000Z', '2026-11-01T05:30:00.000Z', '2026-11-02T04:59:59.000Z'],
  );
});

t.test('a HEAD holds no export up', async (t) => {
  await send(api.baseUrl, 'POST /links/bulk', { ...request, body: { links: Array.from({ length: 500 }, () => ({})) } });
  for (let time = 0; time < 3; time++) {
    const head = await fetch(`${api.baseUrl}/exports/links`, { method: 'HEAD', headers: { authorization: `Bearer ${api.liveKey}` } });
    t.equal(head.status, 200);
    t.equal((await file('GET /exports/campaigns')).status, 200);
  }
  // The next export waits for an export whose reader has left, however long its statement takes.
  const running = new RunningExports();
  let endStatement = () => {};
  const statement = new Promise<void>((resolve) => {
    endStatement = resolve;
  });
  const left = await running.begin('env', async (lines) => {
    await lines('a');
    await lines('b');
    await statement;
    await lines('c');
  });
  left.destroy();
  const next = running.begin('env', (lines) => lines('d'));
  setTimeout(endStatement, 20);
  t.equal(await (await next).toArray().then(String), 'd');
});

t.test('days that are not there, and keys without the scope, are refused before anything is sent', async (t) => {
  t.match((await file('GET /exports/clicks', { from: '2026-02-30' })).json.errors, [{ pointer: '/from', code: 'invalid_format' }]);
  t.match((await file('GET /exports/clicks', { from: '1999-01-01' })).json.errors, [{ pointer: '/from', code: 'invalid_range' }]);
  t.match((await file('GET /exports/links', { format: 'xml' })).json.errors, [{ pointer: '/format', code: 'invalid_value' }]);
});

t.test('an environment has one export at a time, and a process a few', async (t) => {
  const running = new RunningExports();
  const ends: (() => void)[] = [];
  const endless = async (lines: (text: string) => Promise<void>) => {
    await lines('head\n');
    await lines('first\n');
    await new Promise<void>((resolve) => ends.push(resolve));
  };
  for (let place = 0; place < EXPORTS_AT_ONCE_MAX; place++) (await running.begin(`env_${place}`, endless)).resume();
  await t.rejects(running.begin('env_0', endless), { code: 'rate_limited' });
  await t.rejects(running.begin('env_more', endless), { code: 'service_unavailable' });
  for (const end of ends) end();
  await until(async () => {
    try {
      return await running.begin('env_0', async (lines) => lines('head\n'));
    } catch {
      return null;
    }
  }, 'the place to be free');
});

t.test('an export whose reader is slow leaves its place to others', async (t) => {
  const running = new RunningExports();
  const large = async (lines: (text: string) => Promise<void>) => {
    await lines('head\n');
    await lines('x'.repeat(100_000));
  };
  const unread = [];
  for (let place = 0; place < EXPORTS_SENT_AT_ONCE_MAX; place++) unread.push(await running.begin(`env_${place}`, large));
  await t.rejects(running.begin('env_more', large), { code: 'service_unavailable' }, 'those that wait are limited too');
  for (const stream of unread) stream.destroy();
});

t.test('a failure before the first line is told, and one after it breaks the stream', async (t) => {
  const running = new RunningExports();
  const failing = (lines: number) => async (write: (text: string) => Promise<void>) => {
    for (let line = 0; line < lines; line++) await write('line\n');
    await sleep(1);
    throw new Error('lost PostgreSQL');
  };
  for (const lines of [0, 1]) await t.rejects(running.begin(`env_${lines}`, failing(lines)), { message: 'lost PostgreSQL' });
  const stream = await running.begin('env_2', failing(2));
  await t.rejects(stream.toArray(), { message: 'lost PostgreSQL' });
});

t.test('a reader who leaves, or stops reading, ends the export', async (t) => {
  for (const leaves of [true, false]) {
    const running = new RunningExports(leaves ? 60_000 : 50);
    let failed: unknown;
    const stream = await running.begin('env_1', async (write) => {
      try {
        await write('head\n');
        for (;;) await write('x'.repeat(100_000));
      } catch (error) {
        failed = error;
        throw error;
      }
    });
    stream.on('error', () => {});
    if (leaves) stream.once('data', () => stream.destroy());
    await until(async () => failed !== undefined, 'the export to be given up');
    t.ok(failed instanceof Error);
    await until(
      async () => (await running.begin('env_1', async (write) => write('head\n')).catch(() => null)) !== null,
      'its place to be free',
    );
  }
});
