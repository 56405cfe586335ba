import t from 'tap';
import { importBlocklist } from '../../control-plane/blocklist/import.js';
import { ENVIRONMENT_RECORD_COLUMNS, type EnvironmentRow, environmentRecordFromRow } from '../../shared/feed/codec.js';
import { call } from './api-client.js';
import { startApiServer } from './api-server.js';

const api = await startApiServer(t);
const request = { key: api.liveKey };
const patch = (body: object, key = api.liveKey) => call(t, api.baseUrl, 'PATCH /environment', { key, body });
const read = async (key = api.liveKey) => (await call(t, api.baseUrl, 'GET /environment', { key })).json;
const NONE = { ios: null, android: null, web: null, desktop: null, fallback: null };

async function feedRows(): Promise<number> {
  const { rowCount } = await api.database.query({
    text: `SELECT 1 FROM config_feed WHERE kind = 'environment' AND object_id = $1`,
    values: [api.live.id],
  });
  return rowCount;
}

t.test('the environment of the key is shown with its project and every setting', async (t) => {
  t.match(await read(), {
    id: api.live.id,
    name: 'live',
    project: { id: /^prj_/, name: 'Demo', time_zone: 'Europe/Berlin' },
    link_host: 'go.example.com',
    open_host: 'open.go.example.com',
    interstitial: true,
    default_destinations: NONE,
    ios_apps: [],
    android_apps: [],
    web_origins: [],
    attribution_window_minutes: 120,
    append_click_id: false,
    brand: { name: null, color: null, logo: null, support_url: null },
    long_link_hosts: [],
    long_link_path: null,
  });
  t.match(await read(api.testKey), { name: 'test', link_host: 'test.example.com' });
});

t.test('every setting changes by itself, is stored in its normal form, and reaches the link hosts', async (t) => {
  const fingerprint = Array.from({ length: 32 }, (_, index) => index.toString(16).padStart(2, '0')).join(':');
  const before = await feedRows();
  const { status, json } = await patch({
    interstitial: false,
    default_destinations: { web: 'HTTPS://Shop.example{deep_link_path}', ios: 'https://apps.apple.com/app/id1', desktop: null },
    ios_apps: [{ team_id: 'A1B2C3D4E5', bundle_id: 'com.example.shop', uri_scheme: 'shop' }],
    android_apps: [
      {
        package_name: 'com.example.shop',
        sha256_cert_fingerprints: [fingerprint],
        play_store_url: 'https://play.google.com/store/apps/details?id=com.example.shop',
      },
    ],
    web_origins: ['https://www.example.com', 'http://localhost:5173', 'capacitor://localhost', 'ionic://localhost'],
    attribution_window_minutes: 10_080,
    append_click_id: true,
  });
  t.equal(status, 200);
  t.match(json, {
    interstitial: false,
    default_destinations: { ...NONE, web: 'https://shop.example{deep_link_path}', ios: 'https://apps.apple.com/app/id1' },
    ios_apps: [{ team_id: 'A1B2C3D4E5', bundle_id: 'com.example.shop', app_store_url: null, uri_scheme: 'shop' }],
    android_apps: [{ package_name: 'com.example.shop', sha256_cert_fingerprints: [fingerprint.toUpperCase()], uri_scheme: null }],
    web_origins: ['https://www.example.com', 'http://localhost:5173', 'capacitor://localhost', 'ionic://localhost'],
    attribution_window_minutes: 10_080,
    append_click_id: true,
  });
  t.same(await read(), json);
  t.equal(await feedRows(), before + 1);
  const { rows } = await api.database.query<EnvironmentRow>({
    text: `SELECT ${ENVIRONMENT_RECORD_COLUMNS} FROM environments JOIN projects ON projects.id = environments.project_id WHERE environments.id = $1`,
    values: [api.live.id],
  });
  const record = environmentRecordFromRow(rows[0] as EnvironmentRow);
  t.same(
    [record.default_destinations, record.ios_apps, record.android_apps, record.append_click_id],
    [json.default_destinations, json.ios_apps, json.android_apps, true],
  );
  const { json: slots } = await patch({ default_destinations: { web: null, fallback: 'https://shop.example/' } });
  t.same(slots.default_destinations, { ...NONE, ios: 'https://apps.apple.com/app/id1', fallback: 'https://shop.example/' });
  t.same((await patch({ default_destinations: null })).json.default_destinations, NONE);
  const { json: lists } = await patch({ ios_apps: [], android_apps: [], web_origins: [] });
  t.match(lists, { ios_apps: [], android_apps: [], web_origins: [] });
  const rowsBefore = await feedRows();
  t.same((await patch({ interstitial: false })).json, lists, 'what changes nothing leaves updated_at alone');
  t.equal(await feedRows(), rowsBefore);
});

t.test('every wrong value is named by its pointer, all at once', async (t) => {
  const { status, json } = await patch({
    open_host: 'not a host',
    default_destinations: {
      web: 'https://{deep_link_path}/',
      ios: 'javascript:alert(1)',
      desktop: 'shop:/',
      android: 'https://a.example/{id}',
      mac: 1,
    },
    ios_apps: [
      { team_id: 'short', bundle_id: 'a', uri_scheme: 'javascript' },
      { team_id: 'A1B2C3D4E5', bundle_id: 'a', app_store_url: 'http://apps.apple.com/' },
    ],
    android_apps: [{ package_name: 'single', sha256_cert_fingerprints: ['00:11'], uri_scheme: 'https' }, {}],
    web_origins: [
      'https://www.example.com/',
      'HTTPS://a.example',
      'ftp://a.example',
      'null',
      '*',
      'https://a.example',
      'https://a.example',
      'https://*.example.com',
      'https://www.*.com',
      'http://localhost:*',
      'capacitor://*',
      'capacitor://localhost/',
      'capacitor://elsewhere.example',
      'CAPACITOR://localhost',
      'shop://localhost',
    ],
    attribution_window_minutes: 0,
    link_host: 'other.example.com',
  });
  t.equal(status, 422);
  t.same(json.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`).sort(), [
    '/android_apps/0/package_name invalid_format',
    '/android_apps/0/sha256_cert_fingerprints/0 invalid_format',
    '/android_apps/0/uri_scheme scheme_not_allowed',
    '/android_apps/1/package_name required',
    '/android_apps/1/sha256_cert_fingerprints required',
    '/attribution_window_minutes too_small',
    '/default_destinations/android unknown_placeholder',
    '/default_destinations/desktop scheme_not_allowed',
    '/default_destinations/ios scheme_not_allowed',
    '/default_destinations/mac unknown_field',
    '/default_destinations/web misplaced_placeholder',
    '/ios_apps/0/team_id invalid_format',
    '/ios_apps/0/uri_scheme scheme_not_allowed',
    '/ios_apps/1/app_store_url invalid_url',
    '/ios_apps/1/bundle_id duplicate',
    '/link_host unknown_field',
    '/open_host invalid_format',
    '/web_origins/0 invalid_format',
    '/web_origins/1 invalid_format',
    '/web_origins/10 invalid_url',
    '/web_origins/11 invalid_url',
    '/web_origins/12 invalid_url',
    '/web_origins/13 invalid_url',
    '/web_origins/14 invalid_url',
    '/web_origins/2 invalid_url',
    '/web_origins/3 invalid_url',
    '/web_origins/4 invalid_url',
    '/web_origins/6 duplicate',
    '/web_origins/7 invalid_format',
    '/web_origins/8 invalid_format',
    '/web_origins/9 invalid_url',
  ]);
});

t.test('a default destination on the block list is refused, with a placeholder too', async (t) => {
  async function* chunks() {
    yield Buffer.from('bad.example');
  }
  await importBlocklist(api.database, { name: 'test', format: 'plain', chunks: chunks(), strict: true });
  for (const web of ['https://bad.example/', 'https://www.bad.example/x{deep_link_path}', 'https://bad.example{deep_link_path}'])
    t.match(
      await patch({ default_destinations: { web } }),
      {
        status: 422,
        json: { code: 'url_blocked', errors: [{ pointer: '/default_destinations/web', code: 'url_blocked' }] },
      },
      web,
    );
});

t.test('the open host is a name below a host that is shown to be the environment’s', async (t) => {
  t.equal((await patch({ open_host: 'App.Go.example.com' })).json.open_host, 'app.go.example.com');
  for (const host of ['other.example.com', 'go.example.com', 'xgo.example.com', 'example.com', 'links.acme.org', 'app.links.acme.org'])
    t.match(
      await patch({ open_host: host }),
      { status: 422, json: { errors: [{ pointer: '/open_host', code: 'host_not_allowed' }] } },
      host,
    );
  await api.database.query({
    text: `INSERT INTO domains (id, environment_id, hostname, status, txt_value, created_at, updated_at)
           VALUES (new_id('dom_', now()), $1, 'links.acme.org', 'verified', 'v', now(), now()),
                  (new_id('dom_', now()), $1, 'x.links.acme.org', 'verified', 'v', now(), now())`,
    values: [api.live.id],
  });
  t.equal((await patch({ open_host: 'app.links.acme.org' })).status, 200);
  t.match(await patch({ open_host: 'x.links.acme.org' }), { status: 409, json: { code: 'conflict' } }, 'it answers links already');
  await api.database.query({ text: `UPDATE environments SET open_host = 'taken.go.example.com' WHERE id = $1`, values: [api.test.id] });
  t.match(await patch({ open_host: 'taken.go.example.com' }), { status: 409, json: { code: 'conflict' } });
});

t.test('the settings of one environment are not those of the other', async (t) => {
  await patch({ attribution_window_minutes: 77 }, api.testKey);
  t.equal((await read()).attribution_window_minutes, 10_080);
  t.equal((await call(t, api.baseUrl, 'GET /environment', request)).json.name, 'live');
});
