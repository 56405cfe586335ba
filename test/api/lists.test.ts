import t from 'tap';
import { call, send } from './api-client.js';
import { type ApiServer, startApiServer } from './api-server.js';

type Ids = string[];

async function walk(api: ApiServer, path: string, between: (page: number) => Promise<void> = async () => {}): Promise<Ids> {
  const ids: Ids = [];
  let cursor: string | null = null;
  for (let page = 0; page < 100; page++) {
    const suffix: string = cursor === null ? '' : `&cursor=${cursor}`;
    const answer = await send(api.baseUrl, `GET ${path}${suffix}`, { key: api.liveKey });
    ids.push(...answer.json.data.map((item: { id: string }) => item.id));
    cursor = answer.json.next_cursor;
    if (cursor === null) return ids;
    await between(page);
  }
  throw new Error('the list does not end');
}

async function createLinks(api: ApiServer, count: number, body: (index: number) => object = () => ({})): Promise<Ids> {
  const ids: Ids = [];
  for (let index = 0; index < count; index++)
    ids.push((await send(api.baseUrl, 'POST /links', { key: api.liveKey, body: body(index) })).json.id);
  return ids;
}

const newestFirst = (ids: Ids) => [...ids].sort().reverse();

t.test('pages hold every link once, newest first, while links are made and deleted', async (t) => {
  const api = await startApiServer(t);
  const ids = await createLinks(api, 25);
  t.same(await walk(api, '/links?limit=7'), newestFirst(ids));
  t.same(await walk(api, '/links?limit=25'), newestFirst(ids));
  t.equal((await call(t, api.baseUrl, 'GET /links', { key: api.liveKey })).json.data.length, 20, 'twenty where nothing is asked');
  const seen = await walk(api, '/links?limit=4', async (page) => {
    await createLinks(api, 2);
    // Deletes the row that the cursor names, and then a row of a later page.
    const sorted = newestFirst(ids);
    if (page === 0) await send(api.baseUrl, `DELETE /links/${sorted[3]}`, { key: api.liveKey });
    if (page === 1) await send(api.baseUrl, `DELETE /links/${sorted[20]}`, { key: api.liveKey });
  });
  const expected = newestFirst(ids);
  t.same(
    seen,
    expected.filter((id) => id !== expected[20]),
  );
});

t.test('a cursor belongs to one list of one environment, and cannot be altered', async (t) => {
  const api = await startApiServer(t);
  await createLinks(api, 3);
  const { next_cursor: cursor } = (await call(t, api.baseUrl, 'GET /links?limit=1', { key: api.liveKey })).json;
  t.match(cursor, /^[A-Za-z0-9_-]+$/);
  const refused = async (line: string, key: string) => {
    const answer = await call(t, api.baseUrl, line, { key });
    t.match(answer, { status: 422, json: { errors: [{ in: 'query', pointer: '/cursor', code: 'invalid_cursor' }] } }, line);
  };
  await refused(`GET /links?cursor=${cursor}`, api.testKey);
  await refused(`GET /webhooks?cursor=${cursor}`, api.liveKey);
  for (let at = 0; at < cursor.length; at++) {
    const other = cursor[at] === 'A' ? 'B' : 'A';
    await refused(`GET /links?cursor=${cursor.slice(0, at)}${other}${cursor.slice(at + 1)}`, api.liveKey);
  }
  await refused(`GET /links?cursor=${cursor}A`, api.liveKey);
  await refused(`GET /links?cursor=${cursor}%3D`, api.liveKey);
  t.equal((await call(t, api.baseUrl, `GET /links?cursor=${cursor}`, { key: api.liveKey })).json.data.length, 2);
});

t.test('a cursor belongs to one order of links, and to the deleted ones or the others', async (t) => {
  const api = await startApiServer(t);
  const ids = await createLinks(api, 6);
  for (const id of ids.slice(0, 3)) await send(api.baseUrl, `DELETE /links/${id}`, { key: api.liveKey });
  const list = (query: string) => call(t, api.baseUrl, `GET /links?limit=1${query}`, { key: api.liveKey });
  /** Two queries of one row are about the same list. */
  const lists = [
    ['', '&sort=created_at', '&order=desc', '&status=active', '&path=a'],
    ['&order=asc', '&sort=created_at&order=asc'],
    ['&sort=name', '&sort=name&order=asc'],
    ['&sort=name&order=desc'],
    ['&sort=clicks', '&sort=clicks&order=desc&include=clicks'],
    ['&sort=clicks&order=asc'],
    ['&status=deleted'],
    ['&status=deleted&order=asc'],
    ['&status=deleted&sort=name'],
  ];
  for (const [row, [query = '']] of lists.entries()) {
    const { next_cursor: cursor } = (await list(query)).json;
    t.type(cursor, 'string', query);
    for (const [other, queries] of lists.entries())
      for (const asked of queries) {
        const { status, json } = await list(`${asked}&cursor=${cursor}`);
        t.equal(status, row === other ? 200 : 422, `the cursor of "${query}" with "${asked}"`);
        if (row !== other) t.match(json.errors, [{ in: 'query', pointer: '/cursor', code: 'invalid_cursor' }]);
      }
    for (const [name, wrong] of [
      ['sort', query.replace(/&sort=\w+|$/, '&sort=size')],
      ['order', query.replace(/&order=\w+|$/, '&order=up')],
      ['status', query.replace(/&status=\w+|$/, '&status=gone')],
    ] as const) {
      const { json } = await list(`${wrong}&cursor=${cursor}`);
      t.same(
        json.errors.map(({ pointer }: { pointer: string }) => pointer),
        [`/${name}`],
        `the cursor of "${query}" is not blamed for "${wrong}"`,
      );
    }
  }
});

t.test('links are filtered by status, path prefix and time of creation', async (t) => {
  const api = await startApiServer(t);
  const ids = await createLinks(api, 6, (index) => ({ path: `${index % 2 === 0 ? 'even' : 'odd'}_${index}` }));
  await createLinks(api, 1, () => ({ path: 'Even_8' }));
  await send(api.baseUrl, `PATCH /links/${ids[0]}`, { key: api.liveKey, body: { status: 'disabled' } });
  const list = async (query: string) => (await call(t, api.baseUrl, `GET /links?${query}`, { key: api.liveKey })).json.data;
  t.same(
    (await list('path=even')).map((link: { path: string }) => link.path),
    ['even_4', 'even_2', 'even_0'],
  );
  t.same(await walk(api, '/links?path=even&limit=1'), newestFirst([ids[0], ids[2], ids[4]] as Ids));
  t.same((await list('path=even_')).length, 3, 'an underscore stands for itself');
  t.same(
    (await list('status=disabled')).map((link: { id: string }) => link.id),
    [ids[0]],
  );
  t.equal((await list('status=active')).length, 6);
  t.equal((await list('status=blocked')).length, 0);
  t.equal((await list('status=active&path=odd&limit=100')).length, 3);
  const all = (await list('limit=100')) as { id: string; created_at: string }[];
  const at = (all[2] as { created_at: string }).created_at;
  t.same(
    await list(`created_from=${at}`),
    all.filter((link) => link.created_at >= at),
  );
  t.same(
    await list(`created_to=${at}`),
    all.filter((link) => link.created_at <= at),
  );
  t.equal(
    (
      await list(
        `created_from=${encodeURIComponent('2020-01-01T00:00:00+14:00')}&created_to=${encodeURIComponent('2021-01-01T00:00:00-0230')}`,
      )
    ).length,
    0,
  );
  t.equal((await list('created_from=0001-01-01T00:00:00Z')).length, 7);
  const wrong = await call(t, api.baseUrl, 'GET /links?created_from=2026-01-02T00:00:00Z&created_to=2026-01-01T00:00:00Z', {
    key: api.liveKey,
  });
  t.match(wrong.json.errors, [{ pointer: '/created_from', code: 'invalid_range' }]);
});
