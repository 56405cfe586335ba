import t from 'tap';
import { ENVIRONMENTS, readById, readPage } from '../../../engine/sync/sources.js';
import { type EnvironmentRow, environmentRecordFromRow } from '../../../shared/feed/codec.js';
import { configFixture } from './config-fixture.js';

t.test('both ways of reading an environment give the same record', async (t) => {
  const fixture = await configFixture(t, { assigning: false });
  const [id] = fixture.environmentIds;
  await fixture.pool.query(
    `UPDATE environments SET interstitial = false, default_destinations = '{"fallback":"https://f.example/"}',
       ios_apps = '[{"team_id":"T","bundle_id":"b","uri_scheme":"app"}]' WHERE id = $1`,
    [id],
  );
  const client = await fixture.pool.connect();
  t.teardown(() => client.release());
  const [byId] = await readById(client, ENVIRONMENTS, [id, 'env_none']);
  const scanned = await readPage(client, ENVIRONMENTS, null, 10);
  t.strictSame(
    scanned.rows.map((row) => row.number),
    [1, 2],
  );
  t.ok(byId);
  const expected = {
    id,
    number: 1,
    name: 'live',
    project_name: 'Project',
    link_host: 'live.localhost',
    open_host: 'open.live.localhost',
    alias_hosts: [],
    interstitial: false,
    default_destinations: { ios: null, android: null, web: null, desktop: null, fallback: 'https://f.example/' },
    ios_apps: [{ team_id: 'T', bundle_id: 'b', app_store_url: null, uri_scheme: 'app' }],
    android_apps: [],
    attribution_window_minutes: 120,
    append_click_id: false,
    brand: null,
    long_link_hosts: [],
    long_link_path: null,
  };
  for (const row of [byId, scanned.rows[0]]) t.strictSame(environmentRecordFromRow(row as EnvironmentRow), expected);
});
