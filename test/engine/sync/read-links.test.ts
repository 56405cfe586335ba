import t from 'tap';
import { readLinksByPath } from '../../../engine/read-through/sql.js';
import { LINKS, type NumberedLinkRow, type Page, type PageKey, readById, readPage } from '../../../engine/sync/sources.js';
import { linkRecordFromRow } from '../../../shared/feed/codec.js';
import { configFixture } from './config-fixture.js';

t.test('every way of reading a link gives the same record, in every column', async (t) => {
  const fixture = await configFixture(t, { assigning: false });
  const id = await fixture.createLink('path', '/deep', 1);
  await fixture.pool.query(
    `UPDATE links SET data = '{"b": 1, "a": {"ü": [1.50]}}', campaign = 'spring', utm_source = 'mail', allow_param_passthrough = true,
       destinations = '{"ios":"app://x","web":null}', expires_at = '2030-01-02T03:04:05.678Z', state = 'blocked',
       card = '{"title":"Spring","description":null,"image_url":null}' WHERE id = $1`,
    [id],
  );
  const client = await fixture.pool.connect();
  t.teardown(() => client.release());
  const [byId] = await readById(client, LINKS, [id, 'lnk_none']);
  const scanned = await readPage(client, LINKS, null, 10);
  const [byPath] = await readLinksByPath(client, [{ environmentId: fixture.environmentIds[1], path: 'path' }]);
  t.ok(byId && byPath && scanned.rows[0]);
  const expected = {
    id,
    state: 'blocked',
    expires_at_ms: Date.parse('2030-01-02T03:04:05.678Z'),
    deep_link_path: '/deep',
    data: '{"b": 1, "a": {"ü": [1.50]}}',
    campaign: 'spring',
    utm: { utm_source: 'mail', utm_medium: null, utm_campaign: null, utm_term: null, utm_content: null },
    allow_param_passthrough: true,
    destinations: { ios: 'app://x', android: null, web: null, desktop: null, fallback: null },
    card: '{"title":"Spring","description":null,"image_url":null}',
    rules: null,
  };
  for (const row of [byId, scanned.rows[0], byPath]) t.strictSame(row && linkRecordFromRow(row), expected);
  t.equal(byId?.environment_number, 2);
  t.strictSame(await readById(client, LINKS, []), []);
  t.strictSame(
    await readLinksByPath(client, [{ environmentId: fixture.environmentIds[0], path: 'path' }]),
    [],
    'no link of another environment is found',
  );
});

t.test('pages are in the order of environment and path by bytes, and each continues where the previous one ended', async (t) => {
  const fixture = await configFixture(t, { assigning: false });
  for (const path of ['b', 'B', '_', '-', '0', 'a']) await fixture.createLink(path);
  await fixture.createLink('a', '/', 1);
  const client = await fixture.pool.connect();
  t.teardown(() => client.release());
  for (const limit of [1, 2, 3, 7, 8]) {
    const keys: string[] = [];
    let pages = 0;
    for (let last: PageKey | null = null; pages === 0 || last !== null; pages++) {
      const page: Page<NumberedLinkRow> = await readPage(client, LINKS, last, limit);
      t.ok(page.rows.length <= limit);
      keys.push(...page.rows.map((row) => `${row.environment_number}/${row.path}`));
      last = page.last;
    }
    t.strictSame(keys, ['1/-', '1/0', '1/B', '1/_', '1/a', '1/b', '2/a'], `${limit} a page`);
    t.equal(pages, Math.floor(7 / limit) + 1);
  }
});

t.test('reading a page near the end of the links uses an index and does not scan the table', async (t) => {
  const fixture = await configFixture(t, { assigning: false });
  await fixture.pool.query(
    `INSERT INTO links (id, environment_id, path, deep_link_path, created_at, updated_at)
     SELECT new_id('lnk_', now()), $1, lpad(n::text, 6, '0'), '/', now(), now() FROM generate_series(1, 20000) AS n`,
    [fixture.environmentIds[0]],
  );
  const client = await fixture.pool.connect();
  t.teardown(() => client.release());
  await client.query('ANALYZE links');
  // The generic plan, which PostgreSQL uses for a named statement after some pages.
  await client.query('SET plan_cache_mode = force_generic_plan');
  const { last } = await readPage(client, LINKS, [fixture.environmentIds[0], '019000'], 100);
  t.strictSame(last, [fixture.environmentIds[0], '019100']);
  const explained = await client.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN ANALYZE EXECUTE read_page_of_links (100, '${fixture.environmentIds[0]}', '019000')`,
  );
  const plan = explained.rows.map((row) => row['QUERY PLAN']).join('\n');
  t.match(plan, /Index Scan using links_environment_id_path_key/);
  t.notMatch(plan, /Seq Scan on links\b/);
});
