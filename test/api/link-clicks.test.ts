import t from 'tap';
import { clickHouseClicks } from '../../control-plane/click-store/clickhouse/clickhouse-store.js';
import { daysOfRange } from '../../shared/base/day-ranges.js';
import { idToUuid } from '../../shared/base/ids.js';
import { ClickHouse } from '../../shared/clickhouse/connection.js';
import { call } from './api-client.js';
import { startApiServer } from './api-server.js';

const api = await startApiServer(t);
const request = { key: api.liveKey };

/** Clicks of links by path. The test writes the sums that the counting thread would add up. */
const CLICKS: Readonly<Record<string, number>> = { a: 5, b: 0, c: 70_000, d: 5, e: 0, f: 1, g: 12 };

async function setClicks(path: string, human: number): Promise<void> {
  const { rowCount } = await api.database.query({
    text: 'UPDATE link_clicks SET human = $2 WHERE link_id = (SELECT id FROM links WHERE path = $1)',
    values: [path, human],
  });
  if (rowCount !== 1) throw new Error(`the link ${path} has no row for its clicks`);
}

t.test('every link has a row for its clicks from the moment it is made', async (t) => {
  const links = Object.keys(CLICKS).map((path) => ({ path, tags: path < 'd' ? ['early'] : [] }));
  const { json } = await call(t, api.baseUrl, 'POST /links/bulk', { ...request, body: { links } });
  t.equal(json.created, links.length);
  for (const [path, clicks] of Object.entries(CLICKS)) await setClicks(path, clicks);
});

async function pathsOf(query: string, between: (page: number) => Promise<void> = async () => {}): Promise<string> {
  const paths: string[] = [];
  for (let cursor = '', page = 0; ; page++) {
    const { status, json } = await call(t, api.baseUrl, `GET /links?${query}${cursor}`, request);
    t.equal(status, 200, query);
    paths.push(...json.data.map(({ path }: { path: string }) => path));
    if (json.next_cursor === null) return paths.join('');
    cursor = `&cursor=${json.next_cursor}`;
    await between(page);
  }
}

t.test('links are sorted by clicks, most first, and by age where they have as many; over pages, with filters', async (t) => {
  for (const limit of [1, 2, 3, 7, 100]) {
    t.equal(await pathsOf(`sort=clicks&limit=${limit}`), 'cgdafeb');
    t.equal(await pathsOf(`sort=clicks&order=asc&limit=${limit}`), 'befadgc');
    t.equal(await pathsOf(`sort=clicks&tag=early&limit=${limit}`), 'cab');
    t.equal(await pathsOf(`sort=clicks&status=disabled&limit=${limit}`), '');
  }
});

t.test('a link whose clicks change between two pages takes no other from its place', async (t) => {
  const seen = await pathsOf('sort=clicks&limit=2', async (page) => {
    // First a later row moves to the top, then the last row seen moves to the end.
    if (page === 0) await setClicks('g', 1_000_000);
    if (page === 1) await setClicks('a', 0);
  });
  t.equal(seen, 'cgdafeba', 'each that did not change once; the one that fell behind the page is met again');
  await setClicks('g', 12);
  await setClicks('a', 5);
});

t.test('each link shows its clicks if they are asked for, however the list is sorted', async (t) => {
  for (const query of ['sort=clicks', 'sort=name', 'order=asc', 'search=a']) {
    const { json } = await call(t, api.baseUrl, `GET /links?include=clicks&${query}`, request);
    t.ok(json.data.length > 0);
    for (const { path, clicks } of json.data) t.equal(clicks, CLICKS[path], `${query} ${path}`);
  }
  for (const query of ['', '?sort=clicks']) {
    const { json } = await call(t, api.baseUrl, `GET /links${query}`, request);
    t.notOk(json.data.some((link: object) => 'clicks' in link));
  }
  const { json } = await call(t, api.baseUrl, 'GET /links?include=card', request);
  t.match(json.errors, [{ in: 'query', pointer: '/include', code: 'invalid_value' }]);
});

t.test('each link shows its clicks of each of 30 days in the project’s zone, by one statement over the sums', async (t) => {
  const { json: listed } = await call(t, api.baseUrl, 'GET /links?search=c&limit=1', request);
  const [{ id }] = listed.data;
  const { from, to } = daysOfRange('last_30_days', 'Europe/Berlin', Date.now());
  const before = new Date(Date.parse(from) - 86_400_000).toISOString().slice(0, 10);
  for (const [day, human] of [
    [before, 1000],
    [from, 3],
    [to, 4],
  ] as const) {
    await api.database.query({ text: `SELECT ensure_day_partition('click_figures', $1::date)`, values: [day] });
    await api.database.query({
      text: `INSERT INTO click_figures (environment_number, day, dimension, campaign, subject_id, value, clicks, human, visitors)
             SELECT number, $3::date, 'link', '', $2::uuid, '', 9, $4, 1 FROM environments WHERE id = $1`,
      values: [api.live.id, idToUuid('link', id), day, human],
    });
  }
  const days = (query: string) => call(t, api.baseUrl, `GET /links?${query}`, request);
  for (const query of ['search=c&limit=1', 'sort=clicks&limit=1', 'sort=name&search=c&limit=1']) {
    const [link] = (await days(`include=daily_clicks&${query}`)).json.data;
    t.same([link.clicks, link.daily_clicks], [70_000, [3, ...Array(28).fill(0), 4]], query);
  }
  const { data } = (await days('include=daily_clicks&limit=100')).json;
  t.same(data.filter((link: { id: string }) => link.id !== id)[0].daily_clicks, Array(30).fill(0));
  t.notOk((await days('include=clicks')).json.data.some((link: object) => 'daily_clicks' in link));
});

t.test('a cursor belongs to the list by clicks or to the others', async (t) => {
  const cursorOf = async (query: string) => (await call(t, api.baseUrl, `GET /links?limit=1${query}`, request)).json.next_cursor;
  for (const [sort, cursor] of [
    ['&sort=clicks', await cursorOf('')],
    ['', await cursorOf('&sort=clicks')],
    ['&sort=name', await cursorOf('&sort=clicks')],
  ]) {
    const { json } = await call(t, api.baseUrl, `GET /links?limit=1${sort}&cursor=${cursor}`, request);
    t.match(json.errors, [{ in: 'query', pointer: '/cursor', code: 'invalid_cursor' }], sort);
  }
});

t.test('links of a tag are listed by clicks, whatever becomes of their tags', async (t) => {
  const make = async (path: string, tags: readonly string[]) =>
    (await call(t, api.baseUrl, 'POST /links', { key: api.liveKey, body: { path, tags } })).json.id;
  const [first, second] = [await make('tagged-1', ['a-tag']), await make('tagged-2', [])];
  for (const [path, clicks] of [
    ['tagged-1', 7],
    ['tagged-2', 9],
  ] as const)
    await api.database.query({
      text: 'UPDATE link_clicks SET human = $2 WHERE link_id = (SELECT id FROM links WHERE path = $1)',
      values: [path, clicks],
    });
  const listed = async () =>
    (await call(t, api.baseUrl, 'GET /links?sort=clicks&tag=a-tag', { key: api.liveKey })).json.data.map(
      ({ path }: { path: string }) => path,
    );
  const tag = (id: string, tags: readonly string[]) => call(t, api.baseUrl, `PATCH /links/${id}`, { key: api.liveKey, body: { tags } });
  t.same(await listed(), ['tagged-1']);
  await tag(second, ['other', 'a-tag']);
  t.same(await listed(), ['tagged-2', 'tagged-1']);
  await tag(first, []);
  t.same(await listed(), ['tagged-2']);
  await call(t, api.baseUrl, `DELETE /links/${second}`, { key: api.liveKey });
  t.same(await listed(), []);
});

t.test('while ClickHouse is away, links are listed without their clicks of each day', async (t) => {
  const clickHouse = new ClickHouse({ url: 'http://127.0.0.1:1', timeoutMs: 1_000, application: 'test' });
  const away = await startApiServer(t, { clickStore: clickHouseClicks(clickHouse) });
  t.teardown(() => clickHouse.close());
  const asked = { key: away.liveKey };
  await call(t, away.baseUrl, 'POST /links', { ...asked, body: { path: 'there' } });
  const { status, json } = await call(t, away.baseUrl, 'GET /links?include=daily_clicks', asked);
  t.equal(status, 200);
  t.match(json.data, [{ path: 'there', clicks: 0, daily_clicks: undefined }]);
  t.equal((await call(t, away.baseUrl, 'GET /stats', asked)).status, 503);
});
