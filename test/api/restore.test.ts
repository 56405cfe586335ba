import { randomUUID } from 'node:crypto';
import t from 'tap';
import { importBlocklist } from '../../control-plane/blocklist/import.js';
import { call } from './api-client.js';
import { startApiServer } from './api-server.js';

const api = await startApiServer(t);
const request = { key: api.liveKey };
const { json: environment } = await call(t, api.baseUrl, 'GET /environment', request);

const create = async (body: object) => (await call(t, api.baseUrl, 'POST /links', { ...request, body })).json;
const ask = (line: string, options: object = {}) => call(t, api.baseUrl, line, { ...request, ...options });
const restore = (id: string, options: object = {}) => ask(`POST /links/${id}/restore`, options);

const run = (text: string, values: readonly unknown[]) => api.database.query({ text, values });

async function eventsOf(linkId: string): Promise<unknown[]> {
  const { rows } = await api.database.query<{ type: string; data: { status: string; changed_fields?: string[]; reason?: string } }>({
    text: `SELECT type, body::json -> 'data' AS data FROM events WHERE body::json #>> '{data,id}' = $1 ORDER BY created_at, id`,
    values: [linkId],
  });
  return rows.map(({ type, data }) => [type, data.status, data.reason ?? data.changed_fields ?? null]);
}

t.test('a deleted link comes back as it was', async (t) => {
  const { updated_at, ...link } = await create({
    path: 'undone',
    title: 'Undone',
    tags: ['kept', 'dropped'],
    aliases: [{ host: environment.link_host, path: 'undone/too' }],
    destinations: { web: 'https://example.com/undone' },
    max_clicks: 3,
  });
  await run('INSERT INTO link_uses (link_id, used, granted) VALUES ($1, 2, 2)', [link.id]);
  const [tag] = (await ask('GET /tags?search=dropped')).json.data;
  t.equal((await ask(`DELETE /links/${link.id}`)).status, 204);
  t.equal((await ask(`DELETE /tags/${tag.id}`)).status, 204);
  const pokes = api.pokes();
  const answer = await restore(link.id);
  t.equal(answer.status, 200);
  t.match(answer.json, { ...link, tags: ['kept'] });
  t.ok(answer.json.updated_at >= updated_at);
  t.equal(api.pokes(), pokes + 1, 'engines are told');
  const read = await ask(`GET /links/${link.id}`);
  t.same([read.text, read.headers.get('etag')], [answer.text, answer.headers.get('etag')]);
  const { rows } = await api.database.query<{ kind: string; object_key: string }>({
    text: 'SELECT kind, object_key FROM config_feed WHERE object_id = $1 ORDER BY id',
    values: [link.id],
  });
  t.same(
    rows.map(({ kind, object_key }) => `${kind} ${object_key}`),
    ['link undone', 'link undone', 'link undone'],
  );
  t.same(await eventsOf(link.id), [
    ['link.created', 'active', null],
    ['link.disabled', 'disabled', 'deleted'],
    ['link.updated', 'active', ['status']],
  ]);
  const alias = await ask('POST /links/test', { body: { path: '/undone/too' } });
  t.match(alias.json, { link_id: link.id });
  t.same(
    (await api.database.query<{ used: number }>({ text: 'SELECT used::integer FROM link_uses WHERE link_id = $1', values: [link.id] }))
      .rows,
    [{ used: 2 }],
  );
});

t.test('a link comes back in the state that it had, or disabled if nobody noted it', async (t) => {
  const disabled = await create({});
  await ask(`PATCH /links/${disabled.id}`, { body: { status: 'disabled' } });
  const blocked = await create({});
  await run(`UPDATE links SET state = 'blocked' WHERE id = $1`, [blocked.id]);
  const old = await create({});
  for (const { id } of [disabled, blocked, old]) await ask(`DELETE /links/${id}`);
  t.same((await eventsOf(blocked.id)).at(-1), ['link.disabled', 'disabled', 'deleted'], 'a blocked link is not disabled');
  t.same((await eventsOf(disabled.id)).slice(1), [
    ['link.disabled', 'disabled', 'disabled'],
    ['link.disabled', 'disabled', 'deleted'],
  ]);
  await run('UPDATE links SET state_before_deletion = NULL WHERE id = $1', [old.id]);
  t.equal((await restore(disabled.id)).json.status, 'disabled');
  t.equal((await restore(blocked.id)).json.status, 'blocked');
  t.equal((await restore(old.id)).json.status, 'disabled');
});

t.test('a link whose destination was put on the block list meanwhile comes back blocked', async (t) => {
  const link = await create({ destinations: { web: 'https://listed-later.example.com/' } });
  await ask(`DELETE /links/${link.id}`);
  const chunks = (async function* () {
    yield Buffer.from('listed-later.example.com\n');
  })();
  await importBlocklist(api.database, { name: 'later', format: 'plain', chunks, strict: false });
  t.equal((await restore(link.id)).json.status, 'blocked');
  t.match((await eventsOf(link.id)).at(-1), ['link.blocked', 'blocked']);
});

t.test('what cannot be restored is refused', async (t) => {
  const link = await create({ path: 'restored-once' });
  t.match(await restore(link.id), { status: 409, json: { code: 'conflict', detail: 'The link is not deleted.' } });
  await ask(`DELETE /links/${link.id}`);
  t.match(await restore('lnk_01jd4v6xq8e5s0m3k7n9p2r4tw'), { status: 404 });
  t.match(await restore('%00'), { status: 404 });
  t.match(await ask(`POST /links/${link.id}/restore`, { key: api.testKey }), { status: 404 });
  const key = { headers: { 'idempotency-key': randomUUID() } };
  t.equal((await restore(link.id, key)).status, 200);
  t.equal((await restore(link.id, key)).headers.get('idempotent-replayed'), 'true');
  await ask(`DELETE /links/${link.id}`);
  const racing = await Promise.all(Array.from({ length: 4 }, () => restore(link.id)));
  t.same(racing.map(({ status }) => status).sort(), [200, 409, 409, 409]);
  await ask(`DELETE /links/${link.id}`);
  await run(`UPDATE links SET deleted_at = now() - interval '90 days' WHERE id = $1`, [link.id]);
  t.equal((await restore(link.id)).status, 404);
});

/** The rows of all pages of deleted links. */
async function deletedLinks(query = '', options: object = {}): Promise<{ id: string; status: string; deleted_at: string; path: string }[]> {
  const rows = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, json } = await ask(`GET /links?status=deleted&limit=2${query}${cursor === '' ? '' : `&cursor=${cursor}`}`, options);
    t.equal(status, 200);
    rows.push(...json.data);
    cursor = json.next_cursor;
  }
  return rows;
}

t.test('deleted links are listed, newest first and page by page, until they are restored or their time is over', async (t) => {
  const made = [];
  for (const n of [1, 2, 3, 4, 5]) made.push(await create({ path: `listed-${n}`, title: `Listed ${n}` }));
  const kept = await create({ path: 'listed-kept' });
  const ids = made.map(({ id }) => id);
  await ask(`PATCH /links/${ids[1]}`, { body: { archived: true } });
  await ask(`PATCH /links/${ids[2]}`, { body: { status: 'disabled' } });
  for (const id of ids) await ask(`DELETE /links/${id}`);
  const listed = await deletedLinks('&path=listed-');
  t.same(
    listed.map(({ id }) => id),
    [...ids].reverse(),
    'archived and disabled ones too',
  );
  t.ok(listed.every(({ status, deleted_at }) => status === 'deleted' && Math.abs(Date.parse(deleted_at) - Date.now()) < 60_000));
  const { id, url, created_at, title } = made[0];
  t.match(listed.at(-1), { id, url, created_at, title, created_by: 'key' });
  const others = (await ask('GET /links?path=listed-')).json.data;
  t.same(
    others.map((link: { id: string; deleted_at?: string }) => [link.id, link.deleted_at]),
    [[kept.id, undefined]],
    'no other list has them, and none says when a link was deleted',
  );
  t.equal((await ask(`GET /links/${id}`)).status, 404);
  t.same(await deletedLinks('&path=listed-', { key: api.testKey }), []);
  t.equal((await restore(id)).json.status, 'active');
  await run(`UPDATE links SET deleted_at = now() - interval '90 days' WHERE id = $1`, [ids[4]]);
  t.same(
    (await deletedLinks('&path=listed-')).map(({ path }) => path),
    ['listed-4', 'listed-3', 'listed-2'],
  );
});

t.test('deleted links are searched, filtered and sorted, and what no index has is refused', async (t) => {
  await ask('POST /campaigns', { body: { key: 'gone', name: 'Gone' } });
  const bodies = [
    { path: 'searched-a', title: 'Zebra', campaign: 'gone', tags: ['striped'] },
    { path: 'searched-b', title: 'Ant', destinations: { web: 'https://burrow.example/' }, geo: { DE: 'https://bau.example/' } },
    { path: 'searched-c', title: 'Zebu', tags: ['horned'] },
  ];
  for (const body of bodies) await ask(`DELETE /links/${(await create(body)).id}`);
  const found = async (query: string) => (await deletedLinks(query)).map(({ path }) => path.replace('searched-', '')).join('');
  t.equal(await found('&search=burrow'), 'b');
  t.equal(await found('&search=bau.example'), 'b');
  t.equal(await found('&search=striped'), 'a');
  t.equal(await found('&search=ze'), 'ca');
  t.equal(await found('&tag=horned'), 'c');
  t.equal(await found('&campaign=gone'), 'a');
  t.equal(await found('&path=searched&sort=name'), 'bac');
  t.equal(await found('&path=searched&sort=name&order=desc'), 'cab');
  t.equal(await found('&path=searched&order=asc&include=clicks'), 'abc');
  for (const [query, pointer] of [
    ['archived=false', '/archived'],
    ['archived=true', '/archived'],
    ['sort=clicks', '/sort'],
  ])
    t.match(await ask(`GET /links?status=deleted&${query}`), {
      status: 422,
      json: { errors: [{ in: 'query', pointer, code: 'invalid_value' }] },
    });
  t.match(await ask('GET /exports/links?status=deleted'), { status: 422, json: { errors: [{ pointer: '/status' }] } }, 'files have none');
});
