import { randomUUID } from 'node:crypto';
import t from 'tap';
import type { Database } from '../../control-plane/db/database.js';
import { createLinks, type NewLinks } from '../../control-plane/links/bulk.js';
import { call, send } from './api-client.js';
import { startApiServer } from './api-server.js';

const api = await startApiServer(t);
const request = { key: api.liveKey };

async function count(table: string, where = 'true'): Promise<number> {
  const { rows } = await api.database.query<{ count: number }>({
    text: `SELECT count(*)::integer AS count FROM ${table} WHERE ${where}`,
    values: [],
  });
  return rows[0]?.count ?? 0;
}

const FORM = { scheme: 'https', port: 0 } as const;

/** Links as the operation makes them. */
function linksOfLive(items: readonly object[]): NewLinks {
  const { id, name, link_host: linkHost } = api.live;
  return { items, environment: { id, name, linkHost }, createdBy: 'k', requestId: 'r', nowMs: Date.now(), dryRun: false, form: FORM };
}

/** The database, with `before` called before each of its statements. */
function interposed(database: Database, before: (statement: { readonly name?: string; readonly text: string }) => Promise<void>): Database {
  return {
    async query(statement) {
      await before(statement);
      return database.query(statement);
    },
    transaction: (work) => database.transaction((transaction) => work(interposed(transaction, before))),
    copyOut: (text, take) => database.copyOut(text, take),
  };
}

t.test('a dry run answers what would become of each link, and makes none', async (t) => {
  await call(t, api.baseUrl, 'POST /links', { ...request, body: { path: 'tried_taken' } });
  const links = [{ path: 'tried' }, { path: 'tried' }, { path: 'tried_taken' }, { path: 'no path' }, {}, { data: { a: 1 } }];
  const figures = async () => [await count('links'), await count('events'), await count('config_feed'), api.pokes()];
  const before = await figures();
  const tried = await call(t, api.baseUrl, 'POST /links/bulk', { ...request, body: { links, dry_run: true } });
  t.strictSame(await figures(), before);
  const made = await call(t, api.baseUrl, 'POST /links/bulk', { ...request, body: { links, dry_run: false } });
  const outcomes = (json: { results: { index: number; status: number; error?: { detail: string } }[] }) =>
    json.results.map(({ index, status, error }) => [index, status, error?.detail]);
  t.strictSame(outcomes(tried.json), outcomes(made.json));
  t.match(
    [tried.json, made.json],
    [
      { created: 3, failed: 3 },
      { created: 3, failed: 3 },
    ],
  );
});

t.test('each link of a call succeeds or fails by itself, with its index and a whole problem', async (t) => {
  const taken = await call(t, api.baseUrl, 'POST /links', { ...request, body: { path: 'taken' } });
  t.equal(taken.status, 201);
  const links = [
    { path: 'one', data: { z: 1, a: 'a\u0000"\\é' }, destinations: { web: 'HTTPS://Example.com' }, expires_at: '2040-01-01T00:00:00Z' },
    { path: 'no path', nope: 1, destinations: { web: 'javascript:alert(1)', mac: 1 }, campaign: 'none' },
    {},
    { path: 'one' },
    { path: 'taken' },
    17,
    null,
    [],
    { path: 'two', domain: 'nobody.example.com' },
    { path: 'two', utm_source: 'print' },
    { path: 'apple-app-site-association' },
  ];
  const pokes = api.pokes();
  const events = await count('events', `type = 'link.created'`);
  const { status, json } = await call(t, api.baseUrl, 'POST /links/bulk', { ...request, body: { links } });
  t.equal(status, 200);
  t.same(
    json.results.map((result: { index: number; status: number }) => [result.index, result.status]),
    [201, 422, 201, 409, 409, 422, 422, 422, 422, 201, 422].map((expected, index) => [index, expected]),
  );
  t.match(json, { created: 3, failed: 8 });
  t.match(json.results[0].link, { path: 'one', url: 'https://go.example.com/one', destinations: { web: 'https://example.com/' } });
  t.equal(JSON.stringify(json.results[0].link.data), JSON.stringify({ z: 1, a: 'a\u0000"\\é' }), 'data is kept as it was sent');
  t.match(json.results[2].link.path, /^[A-Za-z0-9]{7}$/);
  t.match(json.results[9].link, { path: 'two', utm_source: 'print' }, 'the path of a link that was refused is still free');
  const pointersOf = (index: number) => json.results[index].error.errors.map((error: { pointer: string }) => error.pointer).sort();
  t.same(pointersOf(1), ['/links/1/campaign', '/links/1/destinations/mac', '/links/1/destinations/web', '/links/1/nope', '/links/1/path']);
  for (const index of [5, 6, 7]) t.same(pointersOf(index), [`/links/${index}`]);
  t.same(pointersOf(8), ['/links/8/domain']);
  t.same(pointersOf(10), ['/links/10/path']);
  t.match(json.results[3].error, {
    type: 'urn:problem:conflict',
    title: 'Conflict',
    status: 409,
    code: 'conflict',
    detail: /"one".*earlier/,
  });
  t.match(json.results[4].error, { code: 'conflict', detail: /"taken"/, instance: /^urn:request:/ });
  for (const index of [0, 2, 9]) {
    const { link } = json.results[index];
    t.same((await call(t, api.baseUrl, `GET /links/${link.id}`, request)).json, link);
    t.equal(await count('config_feed', `object_id = '${link.id}' AND object_key = '${link.path}'`), 1);
    t.equal(await count('events', `type = 'link.created' AND body LIKE '%"path":"${link.path}"%'`), 1);
  }
  t.equal(await count('events', `type = 'link.created'`), events + 3, 'no event for what was not made');
  t.equal(api.pokes(), pokes + 1);
});

t.test('the links of a call are listed in its order, the last one first', async (t) => {
  const links = Array.from({ length: 30 }, (_, index) => ({ path: `ordered-${index}` }));
  await call(t, api.baseUrl, 'POST /links/bulk', { ...request, body: { links } });
  const { json } = await call(t, api.baseUrl, 'GET /links?path=ordered-&limit=100', request);
  t.same(
    json.data.map((link: { path: string }) => link.path),
    links.map(({ path }) => path).reverse(),
  );
});

t.test('between one and a thousand links are taken', async (t) => {
  for (const [links, code] of [
    [[], 'too_few'],
    [Array.from({ length: 1001 }, () => ({})), 'too_many'],
  ] as const) {
    const { status, json } = await call(t, api.baseUrl, 'POST /links/bulk', { ...request, body: { links } });
    t.equal(status, 422);
    t.match(json.errors, [{ pointer: '/links', code }]);
  }
});

t.test('the same call with its Idempotency-Key makes nothing again', async (t) => {
  const body = { links: [{ path: 'once' }, {}, { path: 'once' }] };
  const headers = { 'idempotency-key': randomUUID() };
  const first = await call(t, api.baseUrl, 'POST /links/bulk', { ...request, body, headers });
  t.match(first.json, { created: 2, failed: 1 });
  const links = await count('links');
  const again = await call(t, api.baseUrl, 'POST /links/bulk', { ...request, body, headers });
  t.equal(again.text, first.text);
  t.equal(again.headers.get('idempotent-replayed'), 'true');
  t.equal(await count('links'), links);
});

t.test('a path past its reservation is free again, one within it is not', async (t) => {
  const paths = ['past', 'within'];
  for (const path of paths) {
    const { json } = await call(t, api.baseUrl, 'POST /links', { ...request, body: { path } });
    await call(t, api.baseUrl, `DELETE /links/${json.id}`, request);
  }
  await api.database.query({ text: `UPDATE links SET deleted_at = now() - interval '91 days' WHERE path = 'past'`, values: [] });
  const { json } = await call(t, api.baseUrl, 'POST /links/bulk', { ...request, body: { links: paths.map((path) => ({ path })) } });
  t.match(json.results, [{ status: 201 }, { status: 409 }]);
});

t.test('a dry run leaves a link whose reservation has ended as it is', async (t) => {
  const alias = { host: api.live.link_host, path: 'ended/alias' };
  const { json: ended } = await call(t, api.baseUrl, 'POST /links', { ...request, body: { path: 'ended', aliases: [alias] } });
  await call(t, api.baseUrl, `DELETE /links/${ended.id}`, request);
  await api.database.query({ text: `UPDATE links SET deleted_at = now() - interval '91 days' WHERE id = $1`, values: [ended.id] });
  const stored = async () => {
    const text = `SELECT (SELECT count(*) FROM links WHERE id = $1)::integer AS links,
                    (SELECT count(*) FROM config_feed WHERE object_id = $1)::integer AS fed`;
    return (await api.database.query<{ links: number; fed: number }>({ text, values: [ended.id] })).rows[0];
  };
  const links = [{ path: 'ended' }, { aliases: [alias] }];
  for (const tried of links) {
    const { json } = await call(t, api.baseUrl, 'POST /links/bulk', { ...request, body: { dry_run: true, links: [tried] } });
    t.match(json.results, [{ status: 201 }]);
    t.same(await stored(), { links: 1, fed: 2 });
  }
  const { json } = await call(t, api.baseUrl, 'POST /links/bulk', { ...request, body: { links } });
  t.match(json.results, [{ status: 201 }, { status: 201 }]);
  t.same(await stored(), { links: 0, fed: 3 }, 'hosts learn that it is gone');
});

t.test('calls that want the same paths in different orders share them out, and none fails', async (t) => {
  const paths = Array.from({ length: 200 }, (_, index) => `shared-${index}`);
  const shuffled = Array.from({ length: 8 }, (_, turn) =>
    paths.toSorted((a, b) => ((a.length * 7 + turn * 13) % 5) - (b.length % 5) || (turn % 2 ? 1 : -1) * a.localeCompare(b)),
  );
  const answers = await Promise.all(
    shuffled.map((wanted) => send(api.baseUrl, 'POST /links/bulk', { ...request, body: { links: wanted.map((path) => ({ path })) } })),
  );
  t.same(
    answers.map(({ status }) => status),
    shuffled.map(() => 200),
  );
  t.equal(
    answers.reduce((sum, { json }) => sum + json.created, 0),
    paths.length,
  );
});

t.test('links made in bulk call the endpoints subscribed to them', async (t) => {
  const { json: webhook } = await call(t, api.baseUrl, 'POST /webhooks', {
    ...request,
    body: { url: 'https://hooks.example.com/bulk', events: ['link.created'] },
  });
  await call(t, api.baseUrl, 'POST /links/bulk', { ...request, body: { links: Array.from({ length: 25 }, () => ({})) } });
  t.equal(await count('webhook_deliveries', `webhook_id = '${webhook.id}' AND event_type = 'link.created'`), 25);
});

t.test('a thousand links take a handful of statements', async (t) => {
  const statements: string[] = [];
  const database = interposed(api.database, async ({ name, text }) => void statements.push(name ?? text));
  const links = Array.from({ length: 1000 }, (_, index) => ({ ...(index % 2 ? { path: `many-${index}` } : {}), data: { index } }));
  const make = async (links: readonly object[]) => {
    statements.length = 0;
    const { result: made } = await createLinks(linksOfLive(links), database);
    t.match(made, { created: links.length, failed: 0 });
  };
  await make(links);
  const inserted = ['insert_links', ...Array(4).fill('insert_events')];
  t.same(statements, ['address_owners', 'lock_addresses', ...inserted]);
  const tagged = links.map(({ data }) => ({ data, tags: [`kind ${data.index % 10}`, 'all'] }));
  await make(tagged);
  t.same(
    statements,
    ['count_tags', 'lock_addresses', 'read_tag_numbers', 'make_tags', 'read_tag_numbers', ...inserted],
    'tags that are new',
  );
  await make(tagged);
  t.same(statements, ['count_tags', 'lock_addresses', 'read_tag_numbers', ...inserted], 'tags that are there');
});

t.test('a link whose path is taken leaves its alias to the next one', async (t) => {
  await call(t, api.baseUrl, 'POST /links', { ...request, body: { path: 'occupied' } });
  const aliases = [{ host: api.live.link_host, path: 'shared/alias' }];
  const links = [
    { path: 'occupied', aliases },
    { path: 'unoccupied', aliases },
  ];
  for (const dry_run of [true, false]) {
    const { json } = await call(t, api.baseUrl, 'POST /links/bulk', { ...request, body: { links, dry_run } });
    t.match(json.results, [{ status: 409 }, { status: 201 }]);
  }
});

t.test('an alias that another call takes meanwhile fails its own link alone', async (t) => {
  const alias = (path: string) => [{ host: api.live.link_host, path }];
  const links = [{ path: 'raced-1', aliases: alias('raced/1') }, { path: 'raced-2', aliases: alias('raced/2') }, { path: 'raced-3' }];
  let raced = false;
  // Just before the addresses are locked, which is after the aliases have been looked up.
  const database = interposed(api.database, async ({ name }) => {
    if (raced || name !== 'lock_addresses') return;
    raced = true;
    await call(t, api.baseUrl, 'POST /links', { ...request, body: { path: 'faster', aliases: alias('raced/2') } });
  });
  const { result } = await createLinks(linksOfLive(links), database);
  t.ok(raced);
  t.match(result.results, [{ status: 201 }, { status: 409, error: { detail: /raced\/2 is taken/ } }, { status: 201 }]);
});

t.test('a link that is refused for its alias leaves its path to the next one', async (t) => {
  const aliases = [{ host: api.live.link_host, path: 'held/alias' }];
  await call(t, api.baseUrl, 'POST /links', { ...request, body: { path: 'alias-holder', aliases } });
  const links = [{ path: 'left-over', aliases }, { path: 'left-over' }, { path: 'left-over' }];
  for (const dry_run of [true, false]) {
    const { json } = await call(t, api.baseUrl, 'POST /links/bulk', { ...request, body: { links, dry_run } });
    t.match(json.results, [{ status: 409 }, { status: 201 }, { status: 409, error: { detail: /earlier link of this call/ } }]);
  }
});

t.test('a link whose data would reach a prototype fails alone', async (t) => {
  const rawBody = `{"links":[{"data":{"a":[{"__proto__":1}]}},{"data":{"constructor":{"prototype":{}}}},{"__proto__":{"path":"x"}},
    {"data":{"constructor":"Ferrari","prototype":1}}]}`;
  const { status, json } = await call(t, api.baseUrl, 'POST /links/bulk', { ...request, rawBody });
  t.equal(status, 200);
  const wrong = (pointer: string, code: string) => ({ status: 422, error: { errors: [{ pointer, code }] } });
  t.match(json.results, [
    wrong('/links/0/data/a/0/__proto__', 'reserved'),
    wrong('/links/1/data/constructor', 'reserved'),
    wrong('/links/2/__proto__', 'unknown_field'),
    { status: 201, link: { data: { constructor: 'Ferrari', prototype: 1 } } },
  ]);
  t.equal(Reflect.get({}, 'path'), undefined);
});
