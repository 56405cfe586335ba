import { PNG } from 'pngjs';
import t from 'tap';
import { call, send } from './api-client.js';
import { startApiServer } from './api-server.js';

/** Decision 4: every offending field is reported at once, not the first alone. */

const records = new Map<string, string>();
const api = await startApiServer(t, {
  lookUpTxt: async (name) => (records.has(name) ? { kind: 'answered', records: [records.get(name) as string] } : { kind: 'none' }),
});
const request = { key: api.liveKey };
const ask = async (line: string, body?: object) => {
  const { status, text, json } = await send(api.baseUrl, line, { ...request, ...(body === undefined ? {} : { body }) });
  if (status >= 300) throw new Error(`${line}: ${text}`);
  return json;
};

async function verifiedDomain(hostname: string) {
  const domain = await ask('POST /domains', { hostname });
  records.set(domain.dns_record.name, domain.dns_record.value);
  await ask(`POST /domains/${domain.id}/verify`);
  return domain;
}

const { link_host } = await ask('GET /environment');
const domain = await verifiedDomain('all.acme.org');
await ask(`PATCH /domains/${domain.id}`, { qr_style: { foreground: '#666666' } });
const link = await ask('POST /links', { path: 'all', domain: 'all.acme.org' });
const campaign = await ask('POST /campaigns', {
  key: 'all',
  name: 'All',
  starts_at: '2026-05-01T00:00:00Z',
  ends_at: '2026-06-01T00:00:00Z',
});
const type = await ask('POST /resource-types', { key: 'all', name: 'All' });
const template = await ask('POST /url-templates', {
  resource_type_id: type.id,
  path_pattern: '/all/{id}',
  id_format: { kind: 'preset', preset: 'numeric' },
  deep_link_path: '/all/{id}',
});
const webhook = await ask('POST /webhooks', { url: 'https://hooks.example.com/all', events: ['link.created'] });
const view = await ask('POST /views', { name: 'All' });
const metadataApi = `PUT /resource-types/${type.id}/metadata-api`;
const { id: keptType } = await ask('POST /resource-types', { key: 'kept', name: 'Kept' });
const keptApi = `PUT /resource-types/${keptType}/metadata-api`;
await ask(keptApi, {
  url_template: 'https://api.example.com/{id}',
  auth: { type: 'api_key_header', header_name: 'X-Key', secret: 'a-credential' },
  field_mapping: { title: 'name' },
});

/** A PNG whose header is right and whose picture is cut off. */
const cutOff = PNG.sync
  .write(new PNG({ width: 8, height: 8 }))
  .subarray(0, 50)
  .toString('base64');
const template4 = {
  resource_type_id: type.id,
  path_pattern: '/p/{id}',
  id_format: { kind: 'preset', preset: 'uuid' },
  deep_link_path: '/p',
};
const long = `https://example.com/${'{id}'.repeat(300)}`;

/** Rules that no schema expresses, each with a request that breaks nothing else. */
const RULES: readonly (readonly [line: string, body: object | null, errors: readonly string[]])[] = [
  ['GET /stats/clicks?from=2026-11-10&to=2026-11-01', null, ['query /from invalid_range']],
  ['GET /stats/clicks?from=9999-01-01', null, ['query /from invalid_range']],
  ['GET /stats/clicks?from=2000-01-01', null, ['query /from invalid_range']],
  ['GET /stats/clicks?to=2000-01-01', null, ['query /to invalid_range']],
  ['GET /stats/clicks?to=2026-02-30', null, ['query /to invalid_format']],
  ['GET /stats/clicks?link=x', null, ['query /link invalid_format']],
  ['GET /stats/clicks?range=today&from=2026-11-10&to=2026-11-01', null, ['query /from invalid_range', 'query /range invalid_range']],
  ['GET /stats/conversions?from=2026-11-10&to=2026-11-01', null, ['query /from invalid_range']],
  ['GET /stats/conversions?to=2000-01-01', null, ['query /to invalid_range']],
  ['GET /exports/clicks?from=2026-11-10&to=2026-11-01', null, ['query /from invalid_range']],
  ['GET /exports/clicks?from=2000-01-01', null, ['query /from invalid_range']],
  ['GET /exports/links?created_from=2026-02-01T00:00:00Z&created_to=2026-01-01T00:00:00Z', null, ['query /created_from invalid_range']],
  ['GET /links?status=deleted&sort=clicks&archived=true', null, ['query /archived invalid_value', 'query /sort invalid_value']],
  ['GET /links?cursor=x', null, ['query /cursor invalid_cursor']],
  [
    'GET /events?cursor=x&from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z',
    null,
    ['query /cursor invalid_cursor', 'query /from invalid_range'],
  ],
  ['PATCH /environment', { open_host: 'evil.example' }, ['body /open_host host_not_allowed']],
  ['PATCH /environment', { default_destinations: { web: 'javascript:1' } }, ['body /default_destinations/web scheme_not_allowed']],
  ['PATCH /environment', { long_link_hosts: ['a.example'] }, ['body /long_link_path required']],
  [`GET /links/${link.id}/qr?frame_text=%E6%97%A5`, null, ['query /frame_text invalid_value']],
  [`GET /links/${link.id}/qr?foreground=ffffff`, null, ['query /foreground invalid_value']],
  [`GET /links/${link.id}/qr?background=777777`, null, ['query /background invalid_value']],
  [`POST /links/${link.id}/qr`, { frame_text: '日' }, ['body /frame_text invalid_value']],
  [`POST /links/${link.id}/qr`, { logo: cutOff, frame_text: '日' }, ['body /frame_text invalid_value', 'body /logo invalid_value']],
  [`POST /links/${link.id}/qr`, { logo: 'AAAA' }, ['body /logo invalid_value']],
  [`PATCH /domains/${domain.id}`, { qr_style: { frame_text: '日' } }, ['body /qr_style/frame_text invalid_value']],
  [`PATCH /domains/${domain.id}`, { qr_style: { foreground: 'ffffff' } }, ['body /qr_style/foreground invalid_value']],
  ['POST /domains', { hostname: link_host }, ['body /hostname reserved']],
  ['POST /links', { aliases: [{ host: 'nope.example', path: 'a' }] }, ['body /aliases/0/host unknown_domain']],
  ['POST /links', { aliases: [{ host: link_host, path: 'a//b' }] }, ['body /aliases/0/path invalid_format']],
  ['POST /links', { campaign: 'unknown', domain: 'nope.example' }, ['body /campaign unknown_campaign', 'body /domain unknown_domain']],
  [`PATCH /links/${link.id}`, { aliases: [{ host: 'nope.example', path: 'a' }] }, ['body /aliases/0/host unknown_domain']],
  [
    'POST /campaigns',
    { key: 'k', name: 'K', starts_at: '2026-02-01T00:00:00Z', ends_at: '2026-01-01T00:00:00Z' },
    ['body /ends_at invalid_range'],
  ],
  [`PATCH /campaigns/${campaign.id}`, { ends_at: '2026-04-01T00:00:00Z' }, ['body /ends_at invalid_range']],
  [`PATCH /campaigns/${campaign.id}`, { starts_at: '2026-07-01T00:00:00Z' }, ['body /starts_at invalid_range']],
  [
    metadataApi,
    { url_template: 'https://api.example.com/{id}', field_mapping: {}, auth: { type: 'bearer' } },
    ['body /auth/secret required'],
  ],
  [metadataApi, { url_template: 'http://api.example.com/{id}', field_mapping: {} }, ['body /url_template scheme_not_allowed']],
  [`POST /resource-types/${type.id}/metadata-api/test`, { id: '.' }, ['body /id dot_segment']],
  ['POST /url-templates', { ...template4, redirects: { web: long } }, ['body /redirects/web too_long']],
  ['POST /url-templates', { ...template4, data: { a: '{x}' } }, ['body /data/a unknown_placeholder']],
  [`PATCH /url-templates/${template.id}`, { redirects: { web: 'javascript:1' } }, ['body /redirects/web scheme_not_allowed']],
  ['POST /url-templates/test', { path: 'x' }, ['body /path invalid_format']],
  ['POST /resources/invalidate', { resource_type: 'unknown', ids: ['1'] }, ['body /resource_type unknown_resource_type']],
  ['POST /webhooks', { url: 'http://hooks.example.com', events: ['link.created'] }, ['body /url scheme_not_allowed']],
  [`PATCH /webhooks/${webhook.id}`, { url: 'http://hooks.example.com' }, ['body /url scheme_not_allowed']],
  [`POST /webhooks/${webhook.id}/test`, { event_type: 'link.updated' }, ['body /event_type invalid_value']],
  ['POST /views', { name: 'X', from: '2026-02-30' }, ['body /from invalid_format', 'body /to required']],
  [
    `PATCH /views/${view.id}`,
    { from: '2026-02-30', to: '2026-02-01', range: 'today' },
    ['body /from invalid_format', 'body /range invalid_range'],
  ],
  [`POST /views/${view.id}/share`, { expires_at: '2020-01-01T00:00:00Z' }, ['body /expires_at too_small']],
  [
    'POST /imports/links',
    { source: 'csv', rows: [['a']], domains: [{ from: 'a.example', to: 'nope.example' }] },
    ['body /columns required', 'body /domains/0/to unknown_domain'],
  ],
  ['POST /events', { name: 'x', currency: 'EUR', click_id: 'x' }, ['body /click_id invalid_format', 'body /value required']],
];

async function errorsOf(line: string, body: object | null, headers: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const { status, json, text } = await call(t, api.baseUrl, line, { ...request, headers, ...(body === null ? {} : { body }) });
  t.equal(status, 422, `${line} ${text.slice(0, 200)}`);
  return (json.errors ?? [])
    .map((error: { in: string; pointer: string; code: string }) => `${error.in} ${error.pointer} ${error.code}`)
    .sort();
}

const HEADERS = {
  POST: ['idempotency-key', 'header /Idempotency-Key invalid_format'],
  PATCH: ['if-match', 'header /If-Match invalid_format'],
  PUT: ['if-match', 'header /If-Match invalid_format'],
} as const;

for (const [line, body, errors] of RULES)
  t.test(`${line} is told of ${errors.join(' and ')}, whatever else is wrong`, async (t) => {
    const withQuery = `${line}${line.includes('?') ? '&' : '?'}unknown=1`;
    t.same(await errorsOf(line, body), errors);
    t.same(await errorsOf(withQuery, body), [...errors, 'query /unknown unknown_field'].sort());
    if (body === null) return;
    t.same(await errorsOf(line, { ...body, unknown: 1 }), [...errors, 'body /unknown unknown_field'].sort());
    const [header, error] = HEADERS[line.split(' ')[0] as keyof typeof HEADERS];
    t.same(await errorsOf(line, body, { [header]: 'x' }), [...errors, error].sort());
  });

/** Requests with several wrong fields, and all of their errors. */
for (const [line, body, errors] of [
  [
    'GET /stats/clicks?from=2026-11-10&to=2026-11-01&link=x&interval=year',
    null,
    ['query /from invalid_range', 'query /interval invalid_value', 'query /link invalid_format'],
  ],
  [
    'GET /stats/clicks?range=last_90_days&compare=true&interval=year',
    null,
    ['query /interval invalid_value', 'query /range invalid_range'],
  ],
  ['GET /stats/conversions?from=2026-11-10&to=2026-11-01&limit=0', null, ['query /from invalid_range', 'query /limit too_small']],
  ['GET /exports/clicks?from=2026-11-10&to=2026-11-01&format=xml', null, ['query /format invalid_value', 'query /from invalid_range']],
  ['GET /links?sort=size&cursor=x', null, ['query /cursor invalid_cursor', 'query /sort invalid_value']],
  [
    'PATCH /environment',
    { open_host: 'evil.example', default_destinations: { web: 'javascript:1' }, long_link_hosts: ['a.example', 1] },
    [
      'body /default_destinations/web scheme_not_allowed',
      'body /long_link_hosts/1 wrong_type',
      'body /long_link_path required',
      'body /open_host host_not_allowed',
    ],
  ],
  [
    `GET /links/${link.id}/qr?foreground=ffffff&frame_text=%E6%97%A5%E6%9C%AC&size=1`,
    null,
    ['query /foreground invalid_value', 'query /frame_text invalid_value', 'query /size too_small'],
  ],
  [
    `POST /links/${link.id}/qr`,
    { size: 1, logo: 'AAAA', frame_text: '日' },
    ['body /frame_text invalid_value', 'body /logo invalid_value', 'body /size too_small'],
  ],
  [
    `POST /links/${link.id}/qr`,
    { size: 1, logo: cutOff, background: '777777' },
    ['body /background invalid_value', 'body /logo invalid_value', 'body /size too_small'],
  ],
  [
    `PATCH /domains/${domain.id}`,
    { qr_style: { foreground: 'ffffff', frame_text: '日' } },
    ['body /qr_style/foreground invalid_value', 'body /qr_style/frame_text invalid_value'],
  ],
  [
    'POST /links',
    { aliases: [{ host: 'nope.example' }, { path: '..' }] },
    [
      'body /aliases/0/host unknown_domain',
      'body /aliases/0/path required',
      'body /aliases/1/host required',
      'body /aliases/1/path invalid_format',
    ],
  ],
  [
    `PATCH /links/${link.id}`,
    { aliases: [{ host: 'nope.example' }] },
    ['body /aliases/0/host unknown_domain', 'body /aliases/0/path required'],
  ],
  [
    `PATCH /campaigns/${campaign.id}`,
    { ends_at: '2026-04-01T00:00:00Z', name: '' },
    ['body /ends_at invalid_range', 'body /name too_short'],
  ],
  [
    metadataApi,
    { field_mapping: {}, auth: { header_name: '\0', secret: '\0' } },
    [
      'body /auth/header_name invalid_format',
      'body /auth/secret invalid_format',
      'body /auth/type required',
      'body /url_template required',
    ],
  ],
  [
    metadataApi,
    { auth: { type: 'api_key_header', header_name: 'a b' }, headers: { 'x y': 'z' } },
    [
      'body /auth/header_name invalid_format',
      'body /auth/secret required',
      'body /field_mapping required',
      'body /headers/x y invalid_format',
      'body /url_template required',
    ],
  ],
  [
    metadataApi,
    { auth: { type: 'api_key_header', header_name: 'X-Key', secret: '\0' }, headers: { 'x-key': 'z' } },
    ['body /auth/secret invalid_format', 'body /field_mapping required', 'body /headers/x-key duplicate', 'body /url_template required'],
  ],
  [
    keptApi,
    { url_template: 'https://api.example.com/{id}', auth: { type: 'api_key_header' } },
    ['body /auth/header_name required', 'body /field_mapping required'],
  ],
  [
    keptApi,
    { url_template: 'https://other.example.com/{id}', headers: { 'x-key': 'z' } },
    ['body /auth/secret required', 'body /field_mapping required', 'body /headers/x-key duplicate'],
  ],
  [
    'POST /url-templates',
    { ...template4, path_pattern: 'p', redirects: { web: long, ios: 'data:x' }, data: { [`k${'k'.repeat(64)}`]: 1, a: '{x}' } },
    [
      `body /data/${`k${'k'.repeat(64)}`} key_too_long`,
      'body /data/a unknown_placeholder',
      'body /path_pattern invalid_format',
      'body /redirects/ios scheme_not_allowed',
      'body /redirects/web too_long',
    ],
  ],
  [
    'POST /url-templates',
    { ...template4, id_format: { kind: 'x', charset: 1, min_length: 0, preset: 'x', other: 1 } },
    [
      'body /id_format/charset wrong_type',
      'body /id_format/kind invalid_value',
      'body /id_format/min_length too_small',
      'body /id_format/other unknown_field',
      'body /id_format/preset invalid_value',
    ],
  ],
] as const)
  t.test(`${line} is told of ${errors.join(' and ')}`, async (t) => {
    t.same(await errorsOf(line, body), [...errors].sort());
  });

t.test('a link of a bulk call is told of all errors', async (t) => {
  const { json } = await call(t, api.baseUrl, 'POST /links/bulk', {
    ...request,
    body: { links: [{ aliases: [{ host: 'nope.example' }], campaign: 'unknown' }] },
  });
  t.same(json.results[0].error.errors.map((error: { pointer: string; code: string }) => `${error.pointer} ${error.code}`).sort(), [
    '/links/0/aliases/0/host unknown_domain',
    '/links/0/aliases/0/path required',
    '/links/0/campaign unknown_campaign',
  ]);
});

t.test('an alias without a path is not blamed for a host that the link has and that is verified no more', async (t) => {
  const { id } = await verifiedDomain('lost.acme.org');
  const { id: linkId } = await ask('POST /links', { aliases: [{ host: 'lost.acme.org', path: 'a' }] });
  await api.database.query({ text: `UPDATE domains SET status = 'failed' WHERE id = $1`, values: [id] });
  t.same(await errorsOf(`PATCH /links/${linkId}`, { aliases: [{ host: 'lost.acme.org' }] }), ['body /aliases/0/path required']);
});
