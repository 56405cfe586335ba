import t from 'tap';
import { readLinksByPath } from '../../../engine/read-through/sql.js';
import { readLinksById, SCAN_LINKS } from '../../../engine/sync/sql.js';
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
  const [byId] = await readLinksById(client, [id, 'lnk_none']);
  const scanned = await client.query(SCAN_LINKS);
  const [byPath] = await readLinksByPath(client, [{ environmentId: fixture.environmentIds[1], path: 'path' }]);
  t.ok(byId && byPath);
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
  for (const row of [byId, scanned.rows[0], byPath]) t.strictSame(linkRecordFromRow(row), expected);
  t.equal(byId?.environment_number, 2);
  t.strictSame(await readLinksById(client, []), []);
  t.strictSame(await readLinksByPath(client, [{ environmentId: fixture.environmentIds[0], path: 'path' }]), [], 'of another environment');
});

t.test('a scan comes by environment and path, byte by byte', async (t) => {
  const fixture = await configFixture(t, { assigning: false });
  for (const path of ['b', 'B', '_', '-', '0', 'a']) await fixture.createLink(path);
  await fixture.createLink('a', '/', 1);
  const { rows } = await fixture.pool.query<{ environment_id: string; path: string }>(SCAN_LINKS);
  const keys = rows.map((row) => `${row.environment_id}/${row.path}`);
  t.strictSame(keys, [...keys].sort());
  t.equal(keys.length, 7);
});
