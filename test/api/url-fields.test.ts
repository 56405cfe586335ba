import t from 'tap';
import type { TSchema } from 'typebox';
import { blockLinksStep } from '../../control-plane/blocking/block-links.js';
import { importBlocklist } from '../../control-plane/blocklist/import.js';
import { ROUTES } from '../../shared/contract/routes.js';
import { send } from './api-client.js';
import { type ApiServer, startApiServer } from './api-server.js';

/** The ids of existing objects that a request refers to. */
interface Made {
  readonly link: string;
  readonly type: string;
  readonly template: string;
  readonly domain: string;
  readonly webhook: string;
}

/** The request that writes a URL into the named slot, or the named field of an app or of metadata. */
type Write = (made: Made, url: string, slot: string) => readonly [line: string, body: object];

const TEMPLATE = { path_pattern: '/q/{id}', id_format: { kind: 'preset', preset: 'numeric' }, deep_link_path: '/q/{id}' };
const ANDROID = { package_name: 'com.example.shop', sha256_cert_fingerprints: [Array(32).fill('AA').join(':')] };
const METADATA = { url_template: 'https://api.example.com/{id}', field_mapping: { title: 'title' } };

/** Every field that takes a URL which visitors are led to or shown. The last member of its pointer is `slot`. */
const WRITES: Readonly<Record<string, Write>> = {
  'createLink /destinations': (_, url, slot) => ['POST /links', { destinations: { [slot]: url } }],
  'createLinks /links/0/destinations': (_, url, slot) => ['POST /links/bulk', { links: [{ destinations: { [slot]: url } }] }],
  'updateLink /destinations': ({ link }, url, slot) => [`PATCH /links/${link}`, { destinations: { [slot]: url } }],
  'createLink /geo': (_, url, slot) => ['POST /links', { geo: { [slot]: url } }],
  'createLinks /links/0/geo': (_, url, slot) => ['POST /links/bulk', { links: [{ geo: { [slot]: url } }] }],
  'updateLink /geo': ({ link }, url, slot) => [`PATCH /links/${link}`, { geo: { [slot]: url } }],
  'createLink /card': (_, url, slot) => ['POST /links', { card: { [slot]: url } }],
  'createLinks /links/0/card': (_, url, slot) => ['POST /links/bulk', { links: [{ card: { [slot]: url } }] }],
  'updateLink /card': ({ link }, url, slot) => [`PATCH /links/${link}`, { card: { [slot]: url } }],
  'createUrlTemplate /redirects': ({ type }, url, slot) => [
    'POST /url-templates',
    { ...TEMPLATE, resource_type_id: type, redirects: { [slot]: url } },
  ],
  'updateUrlTemplate /redirects': ({ template }, url, slot) => [`PATCH /url-templates/${template}`, { redirects: { [slot]: url } }],
  'updateEnvironment /default_destinations': (_, url, slot) => ['PATCH /environment', { default_destinations: { [slot]: url } }],
  'updateEnvironment /ios_apps/0': (_, url, slot) => [
    'PATCH /environment',
    { ios_apps: [{ team_id: 'A1B2C3D4E5', bundle_id: 'com.example.shop', [slot]: url }] },
  ],
  'updateEnvironment /android_apps/0': (_, url, slot) => ['PATCH /environment', { android_apps: [{ ...ANDROID, [slot]: url }] }],
  'updateEnvironment /brand': (_, url, slot) => ['PATCH /environment', { brand: { [slot]: url } }],
  'updateDomain /redirects': ({ domain }, url, slot) => [`PATCH /domains/${domain}`, { redirects: { [slot]: url } }],
  'putMetadataApi /field_defaults': ({ type }, url, slot) => [
    `PUT /resource-types/${type}/metadata-api`,
    { ...METADATA, field_defaults: { [slot]: url } },
  ],
};

/** Fields whose names suggest URLs or hosts, but which lead no visitor anywhere. */
const NOT_LED_TO: Readonly<Record<string, string>> = {
  'createWebhook /url': 'the service calls it',
  'updateWebhook /url': 'the service calls it',
  'putMetadataApi /url_template': 'the service calls it',
  'putMetadataApi /allowed_image_hosts/0': 'a list that images are compared with',
  'putMetadataApi /field_mapping/image_url': 'a path into an answer',
  'putMetadataApi /field_mapping/canonical_url': 'a path into an answer',
  'putMetadataApi /field_mapping/web_fallback_url': 'a path into an answer',
  'updateEnvironment /web_origins/0': 'origins that may ask the API',
  'updateEnvironment /long_link_hosts/0': 'hosts that long links may lead to: each visit is judged',
  'updateEnvironment /open_host': 'a host below one of the environment',
  'updateEnvironment /ios_apps/0/uri_scheme': 'a scheme',
  'updateEnvironment /android_apps/0/uri_scheme': 'a scheme',
  'createLink /aliases/0/host': 'a host of the environment',
  'createLinks /links/0/aliases/0/host': 'a host of the environment',
  'updateLink /aliases/0/host': 'a host of the environment',
  'createDomain /hostname': 'a host that the environment shows to be its own',
  'resolveSdkUrl /url': 'a short URL that is looked up',
  'recordSdkOpen /opened_url': 'a short URL that is looked up',
  'createView /filters/host': 'a filter of figures',
  'createView /filters/referrer_host': 'a filter of figures',
  'updateView /filters/host': 'a filter of figures',
  'updateView /filters/referrer_host': 'a filter of figures',
};

/** Those of them that still hold a URL or an origin. */
const CALLED: Readonly<Record<string, Write>> = {
  'createWebhook /url': (_, url) => ['POST /webhooks', { url, events: ['link.created'] }],
  'updateWebhook /url': ({ webhook }, url) => [`PATCH /webhooks/${webhook}`, { url }],
  'putMetadataApi /url_template': ({ type }, url) => [
    `PUT /resource-types/${type}/metadata-api`,
    { ...METADATA, url_template: `${url}{type}/{id}` },
  ],
};

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
}

function* textFields(schema: Schema, pointer: string): Generator<string> {
  for (const one of schema.anyOf ?? []) yield* textFields(one, pointer);
  for (const [name, member] of Object.entries(schema.properties ?? {})) yield* textFields(member, `${pointer}/${name}`);
  if (schema.items !== undefined) yield* textFields(schema.items, `${pointer}/0`);
  // The customer names such members; here the name is that of a country.
  if (typeof schema.additionalProperties === 'object') yield* textFields(schema.additionalProperties, `${pointer}/DE`);
  if ([schema.type].flat().includes('string')) yield pointer;
}

/** Matches the name of such a field, or of the object that it is in. */
const MAY_BE_A_URL = /url|uri|host|origin|redirect|destination|image|href|website|geo/;

function urlFields(): readonly string[] {
  const fields = Object.entries(ROUTES).flatMap(([id, route]) => {
    const { body, items } = route as { body?: TSchema; items?: { member: string; schema: TSchema } };
    const bodies = body === undefined ? [] : [...textFields(body as Schema, '')];
    const inItems = items === undefined ? [] : [...textFields(items.schema as Schema, `/${items.member}/0`)];
    return [...bodies, ...inItems].map((pointer) => `${id} ${pointer}`);
  });
  return [...new Set(fields)].filter((field) => MAY_BE_A_URL.test(field.slice(field.indexOf(' '))));
}

const FIELDS = urlFields().filter((field) => NOT_LED_TO[field] === undefined);
const objectOf = (field: string) => field.slice(0, field.lastIndexOf('/'));
const slotOf = (field: string) => field.slice(field.lastIndexOf('/') + 1);

t.test('every field by which a URL enters is known here, and what is known here is a field', async (t) => {
  const known = new Set(Object.keys(WRITES));
  for (const field of FIELDS)
    t.ok(known.has(objectOf(field)), `${field}: add it to WRITES, or say in NOT_LED_TO why no visitor is led there`);
  for (const object of known)
    t.ok(
      FIELDS.some((field) => objectOf(field) === object),
      object,
    );
  for (const field of Object.keys(NOT_LED_TO)) t.ok(urlFields().includes(field), field);
});

const LISTED = 'listed.example\nb\u00fccher.example\n192.0.2.1\nhttps://mixed.example/bad-page\n';

const SPELLINGS = [
  'https://listed.example/',
  'HTTPS://www.LISTED.example.:8443/x?y#z',
  'https:/listed.example/',
  'https:\\\\listed.example/',
  'https:listed.example/',
  ' https://listed.example/',
  'https://lis\tted.example/',
  'https://user:pw@listed.example/',
  'https://%6cisted.example/',
  'https://\uff4cisted.example/',
  'https://B\u00dcCHER.example/\u00e4',
  'https://xn--bcher-kva.example/',
  'https://192.0.2.1/',
  'https://0xc0000201/',
  'https://3221225985/',
  'https://0300.0.513/',
  'https://mixed.example//%62ad-p%61ge',
];

async function makeAll(api: ApiServer): Promise<Made> {
  const make = async (line: string, body: object) => (await send(api.baseUrl, line, { key: api.liveKey, body })).json.id as string;
  const type = await make('POST /resource-types', { key: 'product', name: 'Product' });
  const template = await make('POST /url-templates', { ...TEMPLATE, path_pattern: '/p/{id}', resource_type_id: type });
  const domain = await make('POST /domains', { hostname: 'links.acme.org' });
  const webhook = await make('POST /webhooks', { url: 'https://hooks.example.com/', events: ['link.created'] });
  return { link: await make('POST /links', {}), type, template, domain, webhook };
}

const IDN = 'https://b\u00fccher.de:443/\u00e4/';
const IDN_IN_ASCII = 'https://xn--bcher-kva.de/%C3%A4/';

t.test('a URL of any field is stored in ASCII, its host and its path', async (t) => {
  const api = await startApiServer(t);
  const made = await makeAll(api);
  const stored = async (field: string, write: Write, url: string, ascii: string) => {
    const [line, body] = write(made, url, slotOf(field));
    const { status, json } = await send(api.baseUrl, line, { key: api.liveKey, body });
    const answer = JSON.stringify(json);
    t.ok(status === 200 || status === 201, `${field}: ${answer}`);
    t.ok(answer.includes(`"${ascii}`), `${field}: ${answer}`);
    t.notOk(/[^ -~]/.test(answer), `${field}: ${answer}`);
    // The next template has the same pattern.
    await api.database.query({ text: "UPDATE url_templates SET status = 'archived' WHERE path_pattern = '/q/{id}'", values: [] });
  };
  for (const field of FIELDS) await stored(field, WRITES[objectOf(field)] as Write, IDN, IDN_IN_ASCII);
  for (const [field, write] of Object.entries(CALLED)) {
    const path = field.startsWith('updateWebhook') ? 'other' : '';
    await stored(field, write, `${IDN}${path}`, `${IDN_IN_ASCII}${path}`);
  }
  const origins: Write = (_, origin) => ['PATCH /environment', { web_origins: [origin] }];
  await stored('updateEnvironment /web_origins/0', origins, 'http://b\u00fccher.de', 'http://xn--bcher-kva.de');
});

t.test('a URL of any field is accepted as it is shown, and refused if it is longer, whether or not it is escaped', async (t) => {
  const api = await startApiServer(t);
  const made = await makeAll(api);
  const errorsOf = async (field: string, write: Write, url: string) => {
    const [line, body] = write(made, url, slotOf(field));
    const { status, text, json } = await send(api.baseUrl, line, { key: api.liveKey, body });
    await api.database.query({ text: "UPDATE url_templates SET status = 'archived' WHERE path_pattern = '/q/{id}'", values: [] });
    if (status >= 400 && status !== 422 && status !== 409) throw new Error(`${field}: ${text}`);
    return (json.errors ?? json.results?.[0]?.error?.errors ?? []).filter(({ code }: { code: string }) => code !== 'taken');
  };
  // What a card shows by default has at most 2,048 characters as it is stored.
  const fields = FIELDS.filter((field) => !field.startsWith('putMetadataApi /field_defaults'));
  const writes = [...fields.map((field) => [field, WRITES[objectOf(field)] as Write] as const), ...Object.entries(CALLED)];
  for (const [field, write] of writes) {
    const written = `https://b\u00fccher.de/${field.replaceAll(/\W/g, '')}/a"b/`.padEnd(700, '\u3042').padEnd(2030, 'x');
    const { href } = new URL(written);
    t.ok(href.length > 3000);
    t.same(await errorsOf(field, write, written), [], `${field} as it is written`);
    t.same(await errorsOf(field, write, href), [], `${field} as it is stored`);
    for (const url of [`${written}${'x'.repeat(30)}`, `${href}${'x'.repeat(30)}`, `${href}${'%41'.repeat(30)}`])
      t.equal((await errorsOf(field, write, url)).length, 1, `${field} with ${url.length} characters`);
  }
});

t.test('a credential stays if the URL of the metadata API is sent as it is stored', async (t) => {
  const api = await startApiServer(t);
  const { type } = await makeAll(api);
  const put = (url_template: string, auth: object) =>
    send(api.baseUrl, `PUT /resource-types/${type}/metadata-api`, { key: api.liveKey, body: { ...METADATA, url_template, auth } });
  const { json } = await put(`https://api.example.com/${'\u3042'.repeat(400)}/{id}`, { type: 'bearer', secret: 'a-credential' });
  t.match(await put(json.url_template, { type: 'bearer' }), { status: 200, json: { ...json, updated_at: String } });
});

t.test('a listed host or page is refused in every field, whatever its spelling', async (t) => {
  const api = await startApiServer(t);
  const chunks = (async function* () {
    yield Buffer.from(LISTED);
  })();
  await importBlocklist(api.database, { name: 'test', format: 'plain', chunks, strict: true });
  const made = await makeAll(api);
  for (const field of FIELDS) {
    const write = WRITES[objectOf(field)] as Write;
    const statusOf = async (url: string) => {
      const [line, body] = write(made, url, slotOf(field));
      const { status, json } = await send(api.baseUrl, line, { key: api.liveKey, body });
      return (json.results?.[0]?.status as number | undefined) ?? status;
    };
    const statuses = await Promise.all(SPELLINGS.map(statusOf));
    t.strictSame(
      SPELLINGS.filter((_, index) => statuses[index] !== 422),
      [],
      field,
    );
    t.ok([200, 201, 409].includes(await statusOf('https://good.example/')), `${field} takes another host`);
  }
});

t.test('a host that is listed later is found in every field', async (t) => {
  const api = await startApiServer(t);
  const made = await makeAll(api);
  for (const [index, field] of FIELDS.entries()) {
    const url = `https://later-${index}.example/`;
    // A fresh link, because a blocked link takes no changes that leave it blocked.
    const { id: link } = (await send(api.baseUrl, 'POST /links', { key: api.liveKey, body: {} })).json;
    const [line, body] = (WRITES[objectOf(field)] as Write)({ ...made, link }, url, slotOf(field));
    const { status, json } = await send(api.baseUrl, line, { key: api.liveKey, body });
    t.ok(status === 200 || status === 201, `${field}: ${JSON.stringify(json)}`);
    const chunks = (async function* () {
      yield Buffer.from(`${new URL(url).hostname}\n`);
    })();
    await importBlocklist(api.database, { name: 'test', format: 'plain', chunks, strict: true });
    while ((await blockLinksStep(api.database, { scheme: 'https', port: 0 }, Date.now())).next === 'more');
    const { rows } = await api.database.query<{ what: string }>({
      text: `SELECT 'settings' AS what FROM (
               SELECT blocked_urls FROM environments UNION ALL SELECT blocked_urls FROM domains
               UNION ALL SELECT blocked_urls FROM url_templates UNION ALL SELECT blocked_urls FROM metadata_apis) AS object
             WHERE $1 = ANY (blocked_urls)
             UNION ALL SELECT 'link' FROM events WHERE type = 'link.blocked' AND body::json -> 'data' ->> 'blocked_destination' = $1`,
      values: [url],
    });
    t.strictSame(rows, [{ what: /Links? /.test(field) ? 'link' : 'settings' }], field);
    // The next template has the same pattern.
    await api.database.query({ text: "UPDATE url_templates SET status = 'archived' WHERE path_pattern = '/q/{id}'", values: [] });
  }
});

// The cells of a row have no schema of their own; the importers turn them into links.
t.test('a row of an import that leads to a listed host or page makes no link, whatever its spelling', async (t) => {
  const api = await startApiServer(t);
  const chunks = (async function* () {
    yield Buffer.from(LISTED);
  })();
  await importBlocklist(api.database, { name: 'test', format: 'plain', chunks, strict: true });
  const body = { source: 'csv', columns: ['path', 'web'], rows: SPELLINGS.map((url, index) => [`row-${index}`, url]) };
  const { status, json } = await send(api.baseUrl, 'POST /imports/links', { key: api.liveKey, body });
  t.equal(status, 200);
  const results = json.results as readonly { readonly outcome: string; readonly lost: readonly string[] }[];
  t.strictSame(
    SPELLINGS.filter((_, index) => results[index]?.outcome !== 'failed'),
    [],
  );
});
