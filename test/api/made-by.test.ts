import t from 'tap';
import { call, send } from './api-client.js';
import { startApiServer } from './api-server.js';

const api = await startApiServer(t);
const { key: shop } = await api.makeKey('live', ['links:write']);
const ask = (line: string, options: object = {}) => call(t, api.baseUrl, line, { key: shop, ...options });

await api.database.query({ text: `UPDATE api_keys SET name = 'Shop' WHERE scopes = '{links:write}'`, values: [] });

t.test('a link names the key that made it, whichever way it is made, and keeps it', async (t) => {
  const one = (await ask('POST /links', { body: { path: 'made-one' } })).json;
  const bulk = (await ask('POST /links/bulk', { body: { links: [{ path: 'made-bulk' }] } })).json.results[0].link;
  const rows = [['made-imported', 'https://shop.example/']];
  t.match((await ask('POST /imports/links', { body: { source: 'csv', columns: ['path', 'web'], rows } })).json, { created: 1 });
  t.equal(one.created_by, 'Shop');
  t.equal(bulk.created_by, 'Shop');
  const listed = (await ask('GET /links?path=made-')).json.data;
  t.same(
    listed.map((link: { created_by: string }) => link.created_by),
    ['Shop', 'Shop', 'Shop'],
  );
  t.equal((await ask(`PATCH /links/${one.id}`, { key: api.liveKey, body: { title: 'Changed' } })).json.created_by, 'Shop');
  t.equal((await ask(`GET /links/${one.id}`)).json.created_by, 'Shop');
  const { rows: events } = await api.database.query<{ maker: string }>({
    text: `SELECT body::json #>> '{data,created_by}' AS maker FROM events WHERE body::json #>> '{data,id}' = ANY ($1::text[])`,
    values: [listed.map(({ id }: { id: string }) => id)],
  });
  t.same(
    events.map(({ maker }) => maker),
    ['Shop', 'Shop', 'Shop', 'Shop'],
  );
});

t.test('nobody sets who made a link', async (t) => {
  const link = (await ask('POST /links', { body: {} })).json;
  const refused = { in: 'body', code: 'unknown_field' };
  for (const line of ['POST /links', `PATCH /links/${link.id}`])
    t.match(await send(api.baseUrl, line, { key: shop, body: { created_by: 'Somebody' } }), {
      status: 422,
      json: { errors: [{ ...refused, pointer: '/created_by' }] },
    });
  const { json } = await send(api.baseUrl, 'POST /links/bulk', { key: shop, body: { links: [{ created_by: 'Somebody' }] } });
  t.match(json.results, [{ status: 422, error: { errors: [{ ...refused, pointer: '/links/0/created_by' }] } }]);
});

t.test('a link of before names nobody, and files that are imported again lose nothing by it', async (t) => {
  await api.database.query({ text: `UPDATE links SET created_by = NULL WHERE path = 'made-bulk'`, values: [] });
  t.equal((await ask('GET /links?path=made-bulk')).json.data[0].created_by, null);
  const text = async (format: string) => (await ask(`GET /exports/links?path=made-&format=${format}`)).text;
  const lines = (await text('ndjson')).split('\n').filter(Boolean);
  t.same(
    lines.map((line) => JSON.parse(line).created_by),
    ['Shop', null, 'Shop'],
  );
  const [columns = [], ...cells] = (await text('csv'))
    .split('\r\n')
    .filter(Boolean)
    .map((line) => line.split(','));
  t.same(
    cells.map((row) => row[columns.indexOf('created_by')]),
    ['Shop', '', 'Shop'],
  );
  for (const body of [
    { source: 'ndjson', rows: lines },
    { source: 'csv', columns, rows: cells },
  ]) {
    const { json } = await ask('POST /imports/links', { key: api.testKey, body: { ...body, dry_run: true } });
    t.match(json, { created: 3, with_losses: 0 });
  }
});
