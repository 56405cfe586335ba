import t from 'tap';
import { honoursIfMatch } from '../../shared/contract/routes/route.js';
import { OPERATION_IDS, type OperationId, routeOf } from '../../shared/contract/routes.js';
import { call } from './api-client.js';
import { startApiServer } from './api-server.js';
import { contentHash, EXAMPLES, keyFor, pathOf } from './examples.js';

/** Tests promise A13 for every row of the route table: a change that is meant for another state changes nothing. */

const api = await startApiServer(t);

const TAG = /^"[\w-]{22}"$/;

/** The operation that reads what the given one changes. */
function readerOf(id: OperationId): OperationId {
  const { path } = routeOf(id);
  const reader = OPERATION_IDS.find((other) => routeOf(other).path === path && routeOf(other).method === 'GET');
  if (reader === undefined) throw new Error(`${path} cannot be read`);
  return reader;
}

async function prepare(id: OperationId) {
  const { params, body } = await EXAMPLES[id](api);
  const path = pathOf(routeOf(id), params);
  const key = keyFor(api, routeOf(id));
  const ask = (t: Parameters<typeof call>[0], ifMatch?: string) =>
    call(t, api.baseUrl, `${routeOf(id).method} ${path}`, {
      key,
      ...(body === undefined ? {} : { body }),
      ...(ifMatch === undefined ? {} : { headers: { 'if-match': ifMatch } }),
    });
  const tag = async (t: Parameters<typeof call>[0]) =>
    (await call(t, api.baseUrl, `GET ${path}`, { key: keyFor(api, routeOf(readerOf(id))) })).headers.get('etag') ?? '';
  return { ask, tag };
}

for (const id of OPERATION_IDS) {
  const { response } = routeOf(id);

  t.test(`${id} answers ${response.etag === true ? 'an' : 'no'} ETag`, async (t) => {
    const { ask } = await prepare(id);
    const { status, headers } = await ask(t);
    t.equal(status, response.status);
    if (response.etag === true) t.match(headers.get('etag'), TAG);
    else t.equal(headers.get('etag'), null);
  });

  if (!honoursIfMatch(routeOf(id))) continue;

  t.test(`${id} changes nothing of another state than If-Match names`, async (t) => {
    const { ask, tag } = await prepare(id);
    const current = await tag(t);
    t.match(current, TAG);
    t.equal(await tag(t), current, 'the same state has the same tag');
    const before = await contentHash(api.database);
    for (const stale of ['"stale"', '""', `W/${current}`, `"stale", W/${current},"a,b"`]) {
      const answer = await ask(t, stale);
      t.equal(answer.status, 412, stale);
      t.equal(answer.json.code, 'precondition_failed');
    }
    for (const malformed of ['stale', '"stale', current.slice(1), '', ',', `* , ${current}`, `${current} "stale"`, 'W/']) {
      const answer = await ask(t, malformed);
      t.equal(answer.status, 422, JSON.stringify(malformed));
      t.match(answer.json.errors, [{ in: 'header', pointer: '/If-Match', code: 'invalid_format' }]);
    }
    t.equal(await contentHash(api.database), before);
    t.equal((await ask(t, `"stale" ,\t${current}`)).status, response.status);
  });

  t.test(`${id} takes any state for *`, async (t) => {
    const { ask } = await prepare(id);
    t.equal((await ask(t, '*')).status, response.status);
  });
}

t.test('what is made has the tag that it is read with', async (t) => {
  for (const id of OPERATION_IDS.filter((one) => routeOf(one).method === 'POST' && routeOf(one).response.etag === true)) {
    const { ask } = await prepare(id);
    const made = await ask(t);
    const path = made.headers.get('location')?.replace(/^\/v1/, '');
    if (path === undefined) continue;
    const read = await call(t, api.baseUrl, `GET ${path}`, { key: api.liveKey });
    t.equal(read.headers.get('etag'), made.headers.get('etag'), id);
  }
});

t.test('a metadata API that there is not yet has no state to match', async (t) => {
  const fresh = await startApiServer(t);
  // The example archives the existing types.
  const { body } = await EXAMPLES.putMetadataApi(fresh);
  const type = await call(t, fresh.baseUrl, 'POST /resource-types', { key: fresh.liveKey, body: { key: 'product', name: 'Product' } });
  t.equal(type.status, 201);
  const put = (headers: Readonly<Record<string, string>>) =>
    call(t, fresh.baseUrl, `PUT /resource-types/${type.json.id}/metadata-api`, { key: fresh.liveKey, body, headers });
  for (const ifMatch of ['*', '"stale"']) t.equal((await put({ 'if-match': ifMatch })).status, 412);
  t.equal((await put({})).status, 200);
});

t.test('of many changes that were made of one state at once one is made', async (t) => {
  const link = await call(t, api.baseUrl, 'POST /links', { key: api.liveKey, body: { destinations: { web: 'https://shop.example/' } } });
  const headers = { 'if-match': link.headers.get('etag') ?? '' };
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, number) =>
      call(t, api.baseUrl, `PATCH /links/${link.json.id}`, { key: api.liveKey, body: { comments: `change ${number}` }, headers }),
    ),
  );
  t.same(answers.map(({ status }) => status).toSorted(), [200, ...Array(9).fill(412)]);
  const read = await call(t, api.baseUrl, `GET /links/${link.json.id}`, { key: api.liveKey });
  t.equal(read.headers.get('etag'), answers.find(({ status }) => status === 200)?.headers.get('etag'), 'and it answers the new tag');
  t.not(read.headers.get('etag'), headers['if-match']);
});
