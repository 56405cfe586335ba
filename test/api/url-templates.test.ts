import t from 'tap';
import { call, send } from './api-client.js';
import { type ApiServer, startApiServer } from './api-server.js';

type Body = Readonly<Record<string, unknown>>;

async function makeType(api: ApiServer, key = 'product'): Promise<string> {
  return (await send(api.baseUrl, 'POST /resource-types', { key: api.liveKey, body: { key, name: key } })).json.id;
}

const NUMERIC = { kind: 'preset', preset: 'numeric' };

function bodyOf(typeId: string, changes: Body = {}): Body {
  return { resource_type_id: typeId, path_pattern: '/p/{id}', id_format: NUMERIC, deep_link_path: '/{type}/{id}', ...changes };
}

const create = (api: ApiServer, body: Body, key = api.liveKey) => send(api.baseUrl, 'POST /url-templates', { key, body });
const patch = (api: ApiServer, id: string, body: Body) => send(api.baseUrl, `PATCH /url-templates/${id}`, { key: api.liveKey, body });
const pointers = (answer: { json: { errors?: { pointer: string; code: string }[] } }) =>
  (answer.json.errors ?? []).map(({ pointer, code }) => [pointer, code]).sort();

async function count(api: ApiServer, table: string): Promise<number> {
  return (await api.database.query({ text: `SELECT 1 FROM ${table}`, values: [] })).rowCount;
}

t.test('a template is made with every field, read and listed, and fed to the engines', async (t) => {
  const api = await startApiServer(t);
  const type = await makeType(api);
  const body = bodyOf(type, {
    path_pattern: '/docs/v-{id}.html',
    id_format: { max_length: 9, kind: 'charset', charset: 'a-z-', min_length: 1 },
    data: { z: '{id}', a: { type: '{type}' } },
    redirects: { web: 'http://shop.example.com:8080/{id}', ios: null },
    allow_param_passthrough: true,
  });
  const made = await call(t, api.baseUrl, 'POST /url-templates', { key: api.liveKey, body });
  t.equal(made.status, 201);
  const { warnings, ...template } = made.json;
  t.match(template, {
    id: /^tpl_/,
    resource_type_id: type,
    resource_type: 'product',
    path_pattern: '/docs/v-{id}.html',
    url_example: 'https://go.example.com/docs/v-{id}.html',
    deep_link_path: '/{type}/{id}',
    allow_param_passthrough: true,
    status: 'active',
  });
  t.strictSame(template.redirects, { ios: null, android: null, web: 'http://shop.example.com:8080/{id}', desktop: null, fallback: null });
  t.strictSame(template.id_format, { kind: 'charset', charset: 'a-z-', min_length: 1, max_length: 9 });
  t.equal(JSON.stringify(template.data), '{"z":"{id}","a":{"type":"{type}"}}', 'members keep their order');
  t.match(warnings, [{ code: 'destination_suspicious', pointer: '/redirects/web', reasons: ['unusual_port', 'insecure_http'] }]);
  t.equal(made.headers.get('location'), `/v1/url-templates/${template.id}`);
  t.strictSame((await call(t, api.baseUrl, `GET /url-templates/${template.id}`, { key: api.liveKey })).json, template, 'without warnings');
  t.strictSame((await call(t, api.baseUrl, 'GET /url-templates', { key: api.liveKey })).json.data, [template]);
  const { rows } = await api.database.query({
    text: 'SELECT kind, environment_id, object_id, object_key FROM config_feed WHERE object_id = $1',
    values: [template.id],
  });
  t.same(rows, [{ kind: 'url_template', environment_id: api.live.id, object_id: template.id, object_key: template.id }]);
});

t.test('what is left out is null or false, and null says the same', async (t) => {
  const api = await startApiServer(t);
  const type = await makeType(api);
  const bare = await create(api, bodyOf(type));
  t.match(bare.json, { data: null, allow_param_passthrough: false, warnings: [] });
  t.same(Object.values(bare.json.redirects), [null, null, null, null, null]);
  const nulls = await create(api, bodyOf(type, { path_pattern: '/q/{id}', data: null, redirects: null }));
  t.match(nulls.json, { data: null, redirects: bare.json.redirects });
});

t.test('every offending field is named at once', async (t) => {
  const api = await startApiServer(t);
  const wrong = await create(api, {
    resource_type_id: 'rt_01jd4v6xq8e5s0m3k7n9p2r4tw',
    path_pattern: '/{id}/{sku}',
    id_format: { kind: 'preset', preset: 'roman', charset: 'a' },
    deep_link_path: 'p/{sku}',
    data: { ['k'.repeat(65)]: 1, text: '{sku}' },
    redirects: { web: 'javascript:alert(1)', desktop: 'https://{id}.example.com/', tv: 'https://a.example/', ios: 7 },
    allow_param_passthrough: 'yes',
    path: '/x',
  });
  t.equal(wrong.status, 422);
  t.equal(wrong.json.code, 'validation_failed');
  t.same(
    pointers(wrong).map(([pointer]) => pointer),
    [
      '/allow_param_passthrough',
      `/data/${'k'.repeat(65)}`,
      '/data/text',
      '/deep_link_path',
      '/id_format/charset',
      '/id_format/preset',
      '/path',
      '/path_pattern',
      '/redirects/desktop',
      '/redirects/ios',
      '/redirects/tv',
      '/redirects/web',
      '/resource_type_id',
    ],
  );
  t.same(pointers(await create(api, {})), [
    ['/deep_link_path', 'required'],
    ['/id_format', 'required'],
    ['/path_pattern', 'required'],
    ['/resource_type_id', 'required'],
  ]);
  t.equal(await count(api, 'url_templates'), 0);
  t.equal(await count(api, `config_feed WHERE kind = 'url_template'`), 0);
});

t.test('patterns, formats, destinations and placeholders are refused by the rules of the engine', async (t) => {
  const api = await startApiServer(t);
  const type = await makeType(api);
  const cases: [Body, string][] = [
    ...[
      '/{id}',
      'p/{id}',
      '/p/x',
      '/p/{id}/{id}',
      '/p//{id}',
      '/p/{id}/',
      '/p/../{id}',
      '/p/a b{id}',
      '/health/{id}',
      '/.well-known/{id}',
    ].map((path_pattern): [Body, string] => [{ path_pattern }, '/path_pattern']),
    [{ path_pattern: `/${'a'.repeat(250)}/{id}` }, '/path_pattern'],
    [{ path_pattern: `${'/a'.repeat(8)}/{id}` }, '/path_pattern'],
    [{ id_format: { kind: 'charset', charset: 'a-', min_length: 2, max_length: 1 } }, '/id_format/min_length'],
    [{ id_format: { kind: 'charset', charset: 'z-a', min_length: 1, max_length: 1 } }, '/id_format/charset'],
    [{ id_format: { kind: 'charset', charset: 'a', min_length: 1, max_length: 257 } }, '/id_format/max_length'],
    [{ id_format: {} }, '/id_format/kind'],
    [{ data: { text: '{word}' } }, '/data/text'],
    [{ data: { big: 'x'.repeat(4090) } }, '/data'],
    [{ redirects: { web: 'https://a.example/%{id}' } }, '/redirects/web'],
    [{ redirects: { web: 'shop://item/{id}' } }, '/redirects/web'],
    [{ redirects: { web: 'java\tscript:alert(1)' } }, '/redirects/web'],
    [{ deep_link_path: `/${'{id}'.repeat(100)}`, id_format: { kind: 'preset', preset: 'base64url' } }, '/deep_link_path'],
  ];
  for (const [changes, pointer] of cases)
    t.match(
      await create(api, bodyOf(type, changes)),
      { status: 422, json: { errors: [{ in: 'body', pointer }] } },
      JSON.stringify(changes),
    );
  t.equal(await count(api, 'url_templates'), 0);
});

t.test('a custom scheme must be one that an app of the environment names, and one that no app names any more stays', async (t) => {
  const api = await startApiServer(t);
  const type = await makeType(api);
  const shop = bodyOf(type, { redirects: { ios: 'shop://item/{id}' } });
  const nameScheme = (scheme: string) =>
    api.database.query({
      text: `UPDATE environments SET ios_apps = json_build_array(json_build_object('team_id', 'T', 'bundle_id', 'b', 'uri_scheme', $2::text)) WHERE id = $1`,
      values: [api.live.id, scheme],
    });
  t.same(pointers(await create(api, shop)), [['/redirects/ios', 'scheme_not_allowed']]);
  await nameScheme('shop');
  const made = await create(api, shop);
  t.equal(made.status, 201);
  await nameScheme('store');
  t.same(pointers(await create(api, { ...shop, path_pattern: '/q/{id}' })), [['/redirects/ios', 'scheme_not_allowed']]);
  t.equal((await patch(api, made.json.id, { status: 'disabled' })).status, 200, 'what was stored before is not a fault of this request');
  t.equal((await patch(api, made.json.id, { redirects: { ios: 'shop://new/{id}' } })).status, 422);
  t.equal((await patch(api, made.json.id, { redirects: { ios: 'store://item/{id}' } })).status, 200);
});

t.test('a pattern that overlaps another is 409 and names it, until that one is archived', async (t) => {
  const api = await startApiServer(t);
  const [type, other] = [await makeType(api), await makeType(api, 'other')];
  const first = (await create(api, bodyOf(type, { path_pattern: '/p/item-{id}' }))).json;
  for (const path_pattern of ['/p/item-{id}', '/p/{id}', '/p/item-{id}.html', '/p/it{id}']) {
    const refused = await create(api, bodyOf(other, { path_pattern, id_format: { kind: 'preset', preset: 'uuid' } }));
    t.match(refused, { status: 409, json: { code: 'conflict' } }, path_pattern);
    for (const named of [path_pattern, '"/p/item-{id}"', first.id]) t.ok(refused.json.detail.includes(named), refused.json.detail);
  }
  for (const path_pattern of ['/p/{id}/x', '/q/{id}', '/p/Item-{id}'])
    t.equal((await create(api, bodyOf(other, { path_pattern }))).status, 201);
  t.equal((await create(api, bodyOf(type, { path_pattern: '/p/it{id}' }))).status, 409);
  await patch(api, first.id, { status: 'disabled' });
  t.equal((await create(api, bodyOf(type, { path_pattern: '/p/it{id}' }))).status, 409, 'a disabled one keeps its pattern');
  await send(api.baseUrl, `PATCH /resource-types/${type}`, { key: api.liveKey, body: { status: 'archived' } });
  t.equal((await create(api, bodyOf(other, { path_pattern: '/p/it{id}' }))).status, 409, 'and so does one of an archived type');
  t.equal((await patch(api, first.id, { status: 'archived' })).status, 200, 'which can be archived itself');
  t.equal((await create(api, bodyOf(other, { path_pattern: '/p/item-{id}' }))).status, 201, 'the pattern is free');
});

t.test('of 30 parallel creations with overlapping patterns one is taken', async (t) => {
  const api = await startApiServer(t);
  const types = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((key) => makeType(api, key)));
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      create(api, bodyOf(types[index % 6] as string, { path_pattern: index % 2 === 0 ? '/p/{id}' : '/{id}/x' })),
    ),
  );
  const made = answers.filter(({ status }) => status === 201);
  t.equal(made.length, 1, 'both patterns match /p/x');
  const taken = made[0]?.json;
  for (const { status, json } of answers) if (status !== 201) t.ok(status === 409 && json.detail.includes(taken.id), json.detail);
  t.equal(await count(api, 'url_templates'), 1);
  const test = await send(api.baseUrl, 'POST /resource-types', { key: api.testKey, body: { key: 'a', name: 'a' } });
  t.equal((await create(api, bodyOf(test.json.id), api.testKey)).status, 201, 'the other environment has its own patterns');
});

t.test('of 30 parallel creations a type takes 5, and an archived one makes room', async (t) => {
  const api = await startApiServer(t);
  const type = await makeType(api);
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) => create(api, bodyOf(type, { path_pattern: `/p${index}/{id}` }))),
  );
  t.equal(answers.filter(({ status }) => status === 201).length, 5);
  t.match(answers.find(({ status }) => status === 409)?.json, { code: 'conflict', detail: /at most 5/ });
  const made = answers.find(({ status }) => status === 201)?.json;
  t.equal((await patch(api, made.id, { status: 'disabled' })).status, 200);
  t.equal((await create(api, bodyOf(type, { path_pattern: '/new/{id}' }))).status, 409, 'a disabled one counts');
  t.equal((await patch(api, made.id, { status: 'archived' })).status, 200);
  t.equal((await create(api, bodyOf(type, { path_pattern: '/new/{id}' }))).status, 201);
});

t.test('an archived type takes no template, also while it is being archived', async (t) => {
  const api = await startApiServer(t);
  for (let round = 0; round < 5; round++) {
    const type = await makeType(api, `round-${round}`);
    const [archived, made] = await Promise.all([
      send(api.baseUrl, `PATCH /resource-types/${type}`, { key: api.liveKey, body: { status: 'archived' } }),
      create(api, bodyOf(type, { path_pattern: `/r${round}/{id}` })),
    ]);
    t.equal(archived.status, 200);
    t.ok(made.status === 201 || made.status === 409);
    const late = await create(api, bodyOf(type, { path_pattern: `/late${round}/{id}` }));
    t.match(late, { status: 409, json: { detail: /archived/ } });
  }
});

t.test('PATCH tells absent, null and value apart', async (t) => {
  const api = await startApiServer(t);
  const type = await makeType(api);
  const body = bodyOf(type, { data: { a: '{id}', b: 1 }, redirects: { web: 'https://a.example/{id}', ios: 'https://i.example/' } });
  const made = (await create(api, body)).json;
  for (const change of [
    {},
    { redirects: {} },
    { redirects: { web: 'https://a.example/{id}', android: null } },
    { data: { b: 1, a: '{id}' }, id_format: { preset: 'numeric', kind: 'preset' }, status: 'active' },
  ])
    t.strictSame((await patch(api, made.id, change)).json, made, JSON.stringify(change));
  t.equal(await count(api, `config_feed WHERE kind = 'url_template'`), 1, 'no change, no feed row');
  const changed = await call(t, api.baseUrl, `PATCH /url-templates/${made.id}`, {
    key: api.liveKey,
    body: {
      redirects: { web: null, desktop: 'https://d.example/{id}' },
      id_format: { kind: 'preset', preset: 'uuid' },
      deep_link_path: '/n/{id}',
    },
  });
  t.match(changed.json, {
    data: { a: '{id}', b: 1 },
    deep_link_path: '/n/{id}',
    id_format: { kind: 'preset', preset: 'uuid' },
    redirects: { ios: 'https://i.example/', web: null, desktop: 'https://d.example/{id}' },
    path_pattern: '/p/{id}',
  });
  const cleared = await patch(api, made.id, { data: null, redirects: null });
  t.match(cleared.json, { data: null, warnings: [] });
  t.same(Object.values(cleared.json.redirects), [null, null, null, null, null]);
  for (const change of [{ deep_link_path: null }, { id_format: null }, { allow_param_passthrough: null }, { status: null }])
    t.equal((await patch(api, made.id, change)).status, 422, JSON.stringify(change));
  t.same(pointers(await patch(api, made.id, { path_pattern: '/q/{id}', resource_type_id: type })), [
    ['/path_pattern', 'unknown_field'],
    ['/resource_type_id', 'unknown_field'],
  ]);
});

t.test('a change is judged together with what is stored, and with a change made at the same time', async (t) => {
  const api = await startApiServer(t);
  const type = await makeType(api);
  const made = (await create(api, bodyOf(type, { deep_link_path: `/${'{id}'.repeat(70)}` }))).json;
  const long = { id_format: { kind: 'charset', charset: 'a', min_length: 1, max_length: 256 } };
  t.same(pointers(await patch(api, made.id, long)), [['/deep_link_path', 'too_long']], 'with 256 characters the route would be too long');
  const shorter = (await create(api, bodyOf(type, { path_pattern: '/q/{id}' }))).json;
  for (let round = 0; round < 5; round++) {
    const statuses = await Promise.all([patch(api, shorter.id, long), patch(api, shorter.id, { deep_link_path: made.deep_link_path })]);
    t.same(statuses.map(({ status }) => status).sort(), [200, 422], 'anyone who comes second is told');
    await patch(api, shorter.id, { id_format: NUMERIC, deep_link_path: '/{id}' });
  }
});

t.test('a template is disabled, enabled and archived, and archived is final', async (t) => {
  const api = await startApiServer(t);
  const type = await makeType(api);
  const made = (await create(api, bodyOf(type))).json;
  for (const status of ['disabled', 'disabled', 'active', 'disabled', 'archived'])
    t.match(await patch(api, made.id, { status }), { status: 200, json: { status } });
  const archived = (await send(api.baseUrl, `GET /url-templates/${made.id}`, { key: api.liveKey })).json;
  for (const change of [{ status: 'archived' }, {}, { deep_link_path: made.deep_link_path }]) {
    const { warnings, ...again } = (await patch(api, made.id, change)).json;
    t.strictSame(again, archived);
    t.same(warnings, []);
  }
  for (const change of [{ status: 'active' }, { status: 'disabled' }, { status: 'archived', data: {} }, { deep_link_path: '/x' }])
    t.match(await patch(api, made.id, change), { status: 409, json: { code: 'conflict' } }, JSON.stringify(change));
});

t.test('the list is filtered by type and status, archived ones left out unless asked for', async (t) => {
  const api = await startApiServer(t);
  const [type, other] = [await makeType(api), await makeType(api, 'other')];
  const ids: string[] = [];
  for (const [index, of] of [type, type, other, other].entries())
    ids.push((await create(api, bodyOf(of, { path_pattern: `/p${index}/{id}` }))).json.id);
  await patch(api, ids[0] as string, { status: 'archived' });
  await patch(api, ids[1] as string, { status: 'disabled' });
  const list = async (query: string) =>
    (await call(t, api.baseUrl, `GET /url-templates?${query}`, { key: api.liveKey })).json.data.map(({ id }: { id: string }) => id);
  t.same(await list(''), [ids[3], ids[2], ids[1]]);
  t.same(await list('status=archived'), [ids[0]]);
  t.same(await list('status=disabled'), [ids[1]]);
  t.same(await list(`resource_type_id=${other}`), [ids[3], ids[2]]);
  t.same(await list(`resource_type_id=${type}&status=active`), []);
  t.same(await list(`resource_type_id=${type}&status=archived`), [ids[0]]);
  t.same(await list('resource_type_id=rt_of_nobody'), []);
  t.equal((await call(t, api.baseUrl, 'GET /url-templates?resource_type_id=%00', { key: api.liveKey })).status, 422);
  const first = await call(t, api.baseUrl, 'GET /url-templates?limit=2', { key: api.liveKey });
  t.same(await list(`limit=2&cursor=${first.json.next_cursor}`), [ids[1]]);
});

t.test('a destination on the block list is url_blocked, and other faults go first', async (t) => {
  const api = await startApiServer(t);
  const type = await makeType(api);
  await api.database.query({
    text: `WITH list AS (INSERT INTO blocklist_lists (name, format, entries, imported_at) VALUES ('l', 'plain', 2, now()))
           INSERT INTO blocklist_entries (key, list) VALUES ('bad.example', 'l'), ('host.example/exact', 'l')`,
    values: [],
  });
  const redirects = { web: 'https://www.bad.example/{id}', ios: 'https://good.example/{id}', desktop: 'http://host.example/exact' };
  const refused = await call(t, api.baseUrl, 'POST /url-templates', { key: api.liveKey, body: bodyOf(type, { redirects }) });
  t.match(refused, { status: 422, json: { code: 'url_blocked' } });
  t.same(pointers(refused), [
    ['/redirects/desktop', 'url_blocked'],
    ['/redirects/web', 'url_blocked'],
  ]);
  const both = await create(api, bodyOf(type, { redirects, deep_link_path: 'x' }));
  t.equal(both.json.code, 'validation_failed');
  t.equal(both.json.errors.length, 3, 'all are named');
  const made = (await create(api, bodyOf(type, { redirects: { web: 'https://host.example/other' } }))).json;
  t.equal((await patch(api, made.id, { redirects: { ios: 'https://bad.example/' } })).json.code, 'url_blocked');
  await api.database.query({ text: `INSERT INTO blocklist_entries (key, list) VALUES ('host.example', 'l')`, values: [] });
  t.equal((await patch(api, made.id, { status: 'disabled' })).status, 200, 'what is stored is not asked for again');
});

t.test('an id of the other environment is none of this one', async (t) => {
  const api = await startApiServer(t);
  const type = await makeType(api);
  const made = (await create(api, bodyOf(type))).json;
  t.same(pointers(await create(api, bodyOf(type), api.testKey)), [['/resource_type_id', 'unknown_resource_type']]);
  for (const method of ['GET', 'PATCH'])
    t.equal(
      (await send(api.baseUrl, `${method} /url-templates/${made.id}`, { key: api.testKey, ...(method === 'PATCH' ? { body: {} } : {}) }))
        .status,
      404,
    );
  const elsewhere = await send(api.baseUrl, 'POST /url-templates/test', { key: api.testKey, body: { path: '/p/1' } });
  t.equal(elsewhere.json.result, 'no_template');
});
