import t from 'tap';
import { appleAppSiteAssociation, assetLinks } from '../../../engine/http/app-links.js';

const json = (file: Uint8Array | null) => JSON.parse(Buffer.from(file ?? 'null').toString());

t.test('without an app there is no file', async (t) => {
  t.equal(appleAppSiteAssociation([]), null);
  t.equal(assetLinks([]), null);
});

t.test("Apple's file names every app and leaves out what is no link", async (t) => {
  const app = { team_id: 'A1', bundle_id: 'com.a', app_store_url: null, uri_scheme: null };
  const { applinks } = json(appleAppSiteAssociation([app, { ...app, team_id: 'B2', bundle_id: 'com.b' }]));
  t.equal(applinks.details.length, 1);
  t.same(applinks.details[0].appIDs, ['A1.com.a', 'B2.com.b']);
  const components = applinks.details[0].components;
  t.same(components.at(-1), { '/': '/*' });
  t.ok(components.slice(0, -1).every((component: { exclude?: boolean }) => component.exclude === true));
});

t.test("Google's file has a statement for every app", async (t) => {
  const app = { package_name: 'com.a', sha256_cert_fingerprints: ['AA:BB', 'CC:DD'], play_store_url: null, uri_scheme: null };
  t.same(json(assetLinks([app])), [
    {
      relation: ['delegate_permission/common.handle_all_urls'],
      target: { namespace: 'android_app', package_name: 'com.a', sha256_cert_fingerprints: ['AA:BB', 'CC:DD'] },
    },
  ]);
});
