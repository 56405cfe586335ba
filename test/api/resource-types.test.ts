import t from 'tap';
import { call, send } from './api-client.js';
import { type ApiServer, startApiServer } from './api-server.js';

const create = (api: ApiServer, body: unknown, key = api.liveKey) => send(api.baseUrl, 'POST /resource-types', { key, body });
const patch = (api: ApiServer, id: string, body: unknown) => send(api.baseUrl, `PATCH /resource-types/${id}`, { key: api.liveKey, body });

async function feedRows(api: ApiServer, id: string): Promise<readonly unknown[]> {
  const { rows } = await api.database.query({
    text: 'SELECT kind, environment_id, object_key FROM config_feed WHERE object_id = $1',
    values: [id],
  });
  return rows;
}

t.test('a resource type is made, renamed and archived, and each change is fed to the engines', async (t) => {
  const api = await startApiServer(t);
  const made = await call(t, api.baseUrl, 'POST /resource-types', { key: api.liveKey, body: { key: 'product', name: 'Products' } });
  t.equal(made.status, 201);
  t.match(made.json, { id: /^rt_/, key: 'product', name: 'Products', status: 'active' });
  t.equal(made.json.created_at, made.json.updated_at);
  t.equal(made.headers.get('location'), `/v1/resource-types/${made.json.id}`);
  t.same((await call(t, api.baseUrl, `GET /resource-types/${made.json.id}`, { key: api.liveKey })).json, made.json);
  const renamed = await patch(api, made.json.id, { name: 'Goods' });
  t.match(renamed.json, { name: 'Goods', key: 'product', status: 'active' });
  t.ok(renamed.json.updated_at >= made.json.updated_at);
  t.equal(api.pokes(), 2);
  const feed = { kind: 'resource_type', environment_id: api.live.id, object_key: made.json.id };
  t.same(await feedRows(api, made.json.id), [feed, feed]);
});

t.test('a request that changes nothing is 200, leaves updated_at alone and feeds nothing', async (t) => {
  const api = await startApiServer(t);
  const { json: made } = await create(api, { key: 'product', name: 'Products' });
  for (const body of [{}, { name: 'Products' }, { status: 'active' }, { name: 'Products', status: 'active' }]) {
    const answer = await patch(api, made.id, body);
    t.equal(answer.status, 200);
    t.same(answer.json, made);
  }
  t.equal((await feedRows(api, made.id)).length, 1);
});

t.test('archived is final: archiving again is 200, any other change 409', async (t) => {
  const api = await startApiServer(t);
  const { json: made } = await create(api, { key: 'product', name: 'Products' });
  const archived = await patch(api, made.id, { status: 'archived', name: 'Old' });
  t.match(archived.json, { status: 'archived', name: 'Old' }, 'renamed and archived in one request');
  for (const body of [{ status: 'archived' }, {}, { name: 'Old' }, { status: 'archived', name: 'Old' }])
    t.same((await patch(api, made.id, body)).json, archived.json, JSON.stringify(body));
  for (const body of [{ status: 'active' }, { name: 'New' }, { status: 'archived', name: 'New' }])
    t.match(await patch(api, made.id, body), { status: 409, json: { code: 'conflict' } }, JSON.stringify(body));
  t.same((await send(api.baseUrl, `GET /resource-types/${made.id}`, { key: api.liveKey })).json, archived.json, 'it can still be read');
});

t.test('a key cannot change, and is never free again, but belongs to its environment', async (t) => {
  const api = await startApiServer(t);
  const { json: made } = await create(api, { key: 'product', name: 'Products' });
  const changed = await patch(api, made.id, { key: 'goods' });
  t.match(changed, { status: 422, json: { errors: [{ pointer: '/key', code: 'unknown_field' }] } });
  t.match(await create(api, { key: 'product', name: 'Again' }), { status: 409, json: { detail: /product/ } });
  await patch(api, made.id, { status: 'archived' });
  t.equal((await create(api, { key: 'product', name: 'Again' })).status, 409);
  t.equal((await create(api, { key: 'product', name: 'Test' }, api.testKey)).status, 201);
  for (const key of ['Product', '1a', '_a', 'a b', 'ä', 'a'.repeat(65), ''])
    t.match(await create(api, { key, name: 'x' }), { status: 422, json: { errors: [{ pointer: '/key' }] } }, key);
  for (const key of ['a', 'a-b_1', 'a'.repeat(64)]) t.equal((await create(api, { key, name: 'x' })).status, 201, key);
});

t.test('the list leaves archived types out unless they are asked for', async (t) => {
  const api = await startApiServer(t);
  const ids: string[] = [];
  for (const key of ['a', 'b', 'c']) ids.unshift((await create(api, { key, name: key })).json.id);
  await patch(api, ids[1] as string, { status: 'archived' });
  const list = async (query = '') =>
    (await call(t, api.baseUrl, `GET /resource-types${query}`, { key: api.liveKey })).json.data.map((type: { id: string }) => type.id);
  t.same(await list(), [ids[0], ids[2]]);
  t.same(await list('?status=active'), [ids[0], ids[2]]);
  t.same(await list('?status=archived'), [ids[1]]);
  const first = await call(t, api.baseUrl, 'GET /resource-types?limit=1', { key: api.liveKey });
  t.same(await list(`?cursor=${first.json.next_cursor}`), [ids[2]]);
  t.same((await send(api.baseUrl, 'GET /resource-types', { key: api.testKey })).json.data, [], 'the other environment has its own');
});

t.test('of 40 parallel creations an environment takes 20, and an archived one makes room', async (t) => {
  const api = await startApiServer(t);
  const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => create(api, { key: `type-${index}`, name: 'x' })));
  const statuses = answers.map(({ status }) => status);
  t.equal(statuses.filter((status) => status === 201).length, 20);
  t.equal(statuses.filter((status) => status === 409).length, 20);
  t.match(answers.find(({ status }) => status === 409)?.json, { code: 'conflict', detail: /at most 20/ });
  const made = answers.find(({ status }) => status === 201);
  await patch(api, made?.json.id, { status: 'archived' });
  const again = await Promise.all(Array.from({ length: 10 }, (_, index) => create(api, { key: `late-${index}`, name: 'x' })));
  t.equal(again.filter(({ status }) => status === 201).length, 1);
});

t.test('of 40 parallel creations with one key one is taken', async (t) => {
  const api = await startApiServer(t);
  const answers = await Promise.all(Array.from({ length: 40 }, () => create(api, { key: 'product', name: 'x' })));
  t.equal(answers.filter(({ status }) => status === 201).length, 1);
  t.equal(answers.filter(({ status }) => status === 409).length, 39);
});
