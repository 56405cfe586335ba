import { Ajv } from 'ajv';
import t from 'tap';
import { appleAppSiteAssociation, assetLinks } from '../../../engine/visit/app-links.js';
import { APPS_MAX, FINGERPRINTS_MAX } from '../../../shared/base/limits.js';

const json = (file: Uint8Array | null) => JSON.parse(Buffer.from(file ?? 'null').toString());

const FINGERPRINT = Array.from({ length: 32 }, (_, index) => (index + 160).toString(16).toUpperCase()).join(':');
const IOS_APP = { team_id: 'A1B2C3D4E5', bundle_id: 'com.example.shop', app_store_url: null, uri_scheme: null };
const ANDROID_APP = { package_name: 'com.example.shop', sha256_cert_fingerprints: [FINGERPRINT], play_store_url: null, uri_scheme: null };

/**
 * Apple's format since iOS 13. The schema allows no other members, because a member that Apple does not know would be a typing
 * error of ours.
 */
const APPLE_SCHEMA = {
  type: 'object',
  required: ['applinks'],
  additionalProperties: false,
  properties: {
    applinks: {
      type: 'object',
      required: ['details'],
      additionalProperties: false,
      properties: {
        details: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            required: ['appIDs', 'components'],
            additionalProperties: false,
            properties: {
              appIDs: {
                type: 'array',
                minItems: 1,
                uniqueItems: true,
                items: { type: 'string', pattern: '^[A-Z0-9]{10}\\.[A-Za-z0-9.-]+$' },
              },
              components: {
                type: 'array',
                minItems: 1,
                items: {
                  type: 'object',
                  required: ['/'],
                  additionalProperties: false,
                  properties: {
                    '/': { type: 'string', pattern: '^/' },
                    '?': { anyOf: [{ type: 'string' }, { type: 'object', additionalProperties: { type: 'string' } }] },
                    exclude: { type: 'boolean' },
                    comment: { type: 'string' },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
};

const GOOGLE_SCHEMA = {
  type: 'array',
  minItems: 1,
  items: {
    type: 'object',
    required: ['relation', 'target'],
    additionalProperties: false,
    properties: {
      relation: { type: 'array', items: { const: 'delegate_permission/common.handle_all_urls' }, minItems: 1, maxItems: 1 },
      target: {
        type: 'object',
        required: ['namespace', 'package_name', 'sha256_cert_fingerprints'],
        additionalProperties: false,
        properties: {
          namespace: { const: 'android_app' },
          package_name: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_]*(\\.[A-Za-z][A-Za-z0-9_]*)+$' },
          sha256_cert_fingerprints: { type: 'array', minItems: 1, items: { type: 'string', pattern: '^[0-9A-F]{2}(:[0-9A-F]{2}){31}$' } },
        },
      },
    },
  },
};

const ajv = new Ajv({ allErrors: true });

t.test('without an app there is no file', async (t) => {
  t.equal(appleAppSiteAssociation([]), null);
  t.equal(assetLinks([]), null);
});

t.test("Apple's file has Apple's format and names every app", async (t) => {
  const file = json(appleAppSiteAssociation([IOS_APP, { ...IOS_APP, bundle_id: 'com.example.shop-beta' }]));
  t.ok(ajv.validate(APPLE_SCHEMA, file), ajv.errorsText());
  t.same(file.applinks.details[0].appIDs, ['A1B2C3D4E5.com.example.shop', 'A1B2C3D4E5.com.example.shop-beta']);
});

t.test('long links also open the app if the environment has them', async (t) => {
  const file = json(appleAppSiteAssociation([IOS_APP], true));
  t.ok(ajv.validate(APPLE_SCHEMA, file), ajv.errorsText());
  t.same(file.applinks.details[0].components[0], { '/': '/', '?': { link: '?*' } }, 'before the exclusion of /');
});

/** Whether the app opens. The first component that matches decides; `*` stands for any text and `?` for one character. */
function opens(path: string): boolean {
  const { components } = json(appleAppSiteAssociation([IOS_APP])).applinks.details[0];
  for (const component of components as { '/': string; exclude?: boolean }[]) {
    const pattern = component['/']
      .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.');
    if (new RegExp(`^${pattern}$`).test(path)) return component.exclude !== true;
  }
  return false;
}

t.test('the app opens for links and items, and not for addresses that the host itself answers', async (t) => {
  for (const path of ['/abc', '/abc/', '/apple', '/p/42', '/docs/en/item-7.html', '/robots']) t.ok(opens(path), path);
  for (const path of [
    '/',
    '/robots.txt',
    '/favicon.ico',
    '/apple-app-site-association',
    '/.well-known/apple-app-site-association',
    '/.well-known/assetlinks.json',
    '/health/live',
    '/health/ready',
  ])
    t.notOk(opens(path), path);
});

t.test("Google's file has Google's format and a statement for every app", async (t) => {
  const beta = {
    ...ANDROID_APP,
    package_name: 'com.example.shop.beta',
    sha256_cert_fingerprints: [FINGERPRINT, FINGERPRINT.replace('A0', '00')],
  };
  const file = json(assetLinks([ANDROID_APP, beta]));
  t.ok(ajv.validate(GOOGLE_SCHEMA, file), ajv.errorsText());
  t.same(
    file.map((statement: { target: { package_name: string } }) => statement.target.package_name),
    ['com.example.shop', 'com.example.shop.beta'],
  );
  t.same(file[1].target.sha256_cert_fingerprints, beta.sha256_cert_fingerprints);
});

t.test('with the largest number of apps both files stay below the 128 KB that Apple accepts', async (t) => {
  const ios = Array.from({ length: APPS_MAX }, () => ({ ...IOS_APP, bundle_id: 'b'.repeat(155) }));
  const android = Array.from({ length: APPS_MAX }, () => ({
    ...ANDROID_APP,
    package_name: 'p'.repeat(255),
    sha256_cert_fingerprints: Array.from({ length: FINGERPRINTS_MAX }, () => FINGERPRINT),
  }));
  for (const file of [appleAppSiteAssociation(ios), assetLinks(android)]) t.ok((file?.byteLength ?? Number.POSITIVE_INFINITY) < 128 * 1024);
});
