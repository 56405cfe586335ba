import t from 'tap';

import { type ApiReply, compileMapping, readReply } from '../../../shared/metadata/answer.js';
import { METADATA_FIELDS, type MetadataConfiguration, NUMBER_BOUNDS } from '../../../shared/metadata/configuration.js';
import { parseFieldPath, valueAt } from '../../../shared/metadata/field-path.js';
import { compileBlot } from '../../../shared/secrets/blot.js';
import fc from '../../support/properties.js';

const base: MetadataConfiguration = {
  status: 'active',
  url_template: 'https://api.shop.example/{id}',
  auth: { type: 'none', header_name: null },
  headers: {},
  timeout_ms: NUMBER_BOUNDS.timeout_ms.fallback,
  ttl_seconds: 60,
  negative_ttl_seconds: 60,
  stale_if_error_seconds: 60,
  max_concurrency: 1,
  max_requests_per_minute: 1,
  field_mapping: {
    title: 'title',
    description: '/texts/long~1form',
    image_url: 'images.0.url',
    canonical_url: 'url',
    deep_link_path: 'route',
    web_fallback_url: 'fallback',
    resource_status: 'state',
  },
  field_defaults: {},
  required_fields: [],
  status_values: { published: ['live', 'true', '1'], unpublished: ['draft'], deleted: ['gone'] },
  allowed_image_hosts: [],
};

const full = {
  title: '  A\n lamp ',
  texts: { 'long/form': 'It shines.' },
  images: [{ url: 'https://img.example/ä.png' }],
  url: 'https://shop.example/lamp',
  route: '/product/1',
  fallback: 'https://shop.example/f',
  state: 'live',
};

function answered(body: unknown, status = 200): ApiReply {
  const bytes = body instanceof Uint8Array ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return { kind: 'answered', status, body: bytes, truncated: false };
}

function read(body: unknown, change: Partial<MetadataConfiguration> = {}) {
  return readReply(compileMapping({ ...base, ...change }, compileBlot(null)), answered(body));
}

const notes = (list: readonly { field: string; code: string }[]) => list.map(({ field, code }) => `${field} ${code}`);

t.test('a complete answer gives the seven mapped fields', async (t) => {
  t.same(read(full), {
    outcome: 'ok',
    reason: null,
    status: 200,
    metadata: {
      title: 'A lamp',
      description: 'It shines.',
      image_url: 'https://img.example/%C3%A4.png',
      canonical_url: 'https://shop.example/lamp',
      deep_link_path: '/product/1',
      web_fallback_url: 'https://shop.example/f',
      resource_status: 'live',
    },
    meaning: 'published',
    warnings: [],
    issues: [],
  });
});

t.test('outcome and reason follow from status and body', async (t) => {
  const mapping = compileMapping({ ...base, required_fields: ['title'] }, compileBlot(null));
  const big = Buffer.alloc(256 * 1024 + 1, ' ');
  const table: [string, ApiReply, string, string | null, number | null][] = [
    ['200', answered(full), 'ok', null, 200],
    ['201', answered(full, 201), 'ok', null, 201],
    ['299', answered(full, 299), 'ok', null, 299],
    ['404', answered('nothing here', 404), 'missing', null, 404],
    ['410', answered('', 410), 'missing', null, 410],
    ['404 without end', { kind: 'answered', status: 404, body: big, truncated: true }, 'missing', null, 404],
    ['400', answered(full, 400), 'error', 'http_status', 400],
    ['500', answered(full, 500), 'error', 'http_status', 500],
    ['302', answered(full, 302), 'error', 'redirect', 302],
    ['304', answered('', 304), 'error', 'redirect', 304],
    ['199', answered(full, 199), 'error', 'http_status', 199],
    ['204', answered('', 204), 'invalid', 'not_json', 204],
    ['HTML', answered('<html>'), 'invalid', 'not_json', 200],
    ['half a JSON', answered('{"title": "x'), 'invalid', 'not_json', 200],
    ['no UTF-8', answered(Buffer.from([0x7b, 0xff, 0x7d])), 'invalid', 'not_json', 200],
    ['a byte order mark', answered(`\ufeff${JSON.stringify(full)}`), 'ok', null, 200],
    ['a list', answered([full]), 'invalid', 'not_an_object', 200],
    ['null', answered('null'), 'invalid', 'not_an_object', 200],
    ['a text', answered('"x"'), 'invalid', 'not_an_object', 200],
    ['an empty object', answered({}), 'invalid', 'missing_required_field', 200],
    ['truncated', { kind: 'answered', status: 200, body: Buffer.from('{}'), truncated: true }, 'invalid', 'too_large', 200],
    ['too large', answered(big), 'invalid', 'too_large', 200],
    ['as large as may be', answered(JSON.stringify({ title: 'x' }).padEnd(256 * 1024)), 'ok', null, 200],
    ['deeply nested', answered(`{"title":"x","deep":${'['.repeat(120_000)}${']'.repeat(120_000)}}`), 'ok', null, 200],
    ...(['timeout', 'dns', 'connect', 'tls', 'blocked_address'] as const).map((error): [string, ApiReply, string, string, null] => [
      error,
      { kind: 'failed', status: null, error },
      'error',
      error,
      null,
    ]),
    ['a broken connection', { kind: 'failed', status: null, error: 'connection_lost' }, 'error', 'connect', null],
    ['a success without its end', { kind: 'failed', status: 200, error: 'timeout' }, 'error', 'timeout', null],
    ...(['timeout', 'connection_lost', 'invalid_response'] as const).flatMap(
      (error): [string, ApiReply, string, string | null, number][] => [
        [`404 with a body without end: ${error}`, { kind: 'failed', status: 404, error }, 'missing', null, 404],
        [`410 with a body without end: ${error}`, { kind: 'failed', status: 410, error }, 'missing', null, 410],
        [`500 with a body without end: ${error}`, { kind: 'failed', status: 500, error }, 'error', 'http_status', 500],
        [`302 with a body without end: ${error}`, { kind: 'failed', status: 302, error }, 'error', 'redirect', 302],
      ],
    ),
  ];
  for (const [name, reply, outcome, reason, status] of table) t.match(readReply(mapping, reply), { outcome, reason, status }, name);
});

t.test('strings, numbers and booleans become text, and other values do not', async (t) => {
  const table: [unknown, string | null, string[]][] = [
    ['x', 'x', []],
    [0, '0', []],
    [1.5, '1.5', []],
    [true, 'true', []],
    ['', null, []],
    [' \n', null, []],
    ['\u0000', null, []],
    [null, null, ['title wrong_type']],
    [[], null, ['title wrong_type']],
    [{ a: 1 }, null, ['title wrong_type']],
    ['a\ud800b', 'a\ufffdb', []],
    ['a\u0007b', 'a b', []],
  ];
  for (const [value, text, issues] of table) {
    const answer = read({ ...full, title: value });
    t.equal(answer.metadata?.title, text, JSON.stringify(value));
    t.same(notes(answer.issues), issues, JSON.stringify(value));
  }
  t.same(read({}).issues, [], 'an absent value is no issue');
  for (const digits of ['9007199254740993', '-9007199254740993', '1000000000000000000000'])
    t.equal(read(`{"title":${digits}}`).metadata?.title, digits, 'an integer keeps its digits');
});

t.test('titles and descriptions are shortened between characters, and the answer says so', async (t) => {
  const answer = read({ ...full, title: '😀'.repeat(301), texts: { 'long/form': 'd'.repeat(1001) } });
  t.equal(answer.metadata?.title, `${'😀'.repeat(299)}…`);
  t.equal(answer.metadata?.description, `${'d'.repeat(999)}…`);
  t.same(notes(answer.warnings), ['title shortened', 'description shortened']);
  const whole = read({ ...full, title: '😀'.repeat(300), texts: { 'long/form': 'd'.repeat(1000) } });
  t.equal(whole.metadata?.title, '😀'.repeat(300));
  t.same(whole.warnings, []);
});

t.test('URLs must be absolute, https and of limited length', async (t) => {
  const table: [string, string | null, string[]][] = [
    ['https://img.example/a.png', 'https://img.example/a.png', []],
    [' https://IMG.example/a b.png ', 'https://img.example/a%20b.png', []],
    ['http://img.example/a.png', null, ['not_https']],
    ['//img.example/a.png', null, ['invalid_url']],
    ['/a.png', null, ['invalid_url']],
    ['javascript:alert(1)', null, ['not_https']],
    ['data:image/png;base64,AA', null, ['not_https']],
    ['https://', null, ['invalid_url']],
    ['https://u:p@img.example/', null, ['invalid_url']],
    [`https://img.example/${'a'.repeat(2029)}`, null, ['too_long']],
    [`https://img.example/${'a'.repeat(2028)}`, `https://img.example/${'a'.repeat(2028)}`, []],
    [`https://img.example/${'ä'.repeat(1000)}`, null, ['too_long']],
  ];
  for (const [url, wanted, codes] of table)
    for (const [field, member] of [
      ['canonical_url', 'url'],
      ['web_fallback_url', 'fallback'],
    ] as const) {
      const answer = read({ ...full, [member]: url });
      t.equal(answer.metadata?.[field], wanted, `${field} ${url.slice(0, 60)}`);
      t.same(
        notes(answer.issues),
        codes.map((code) => `${field} ${code}`),
        `${field} ${url.slice(0, 60)}`,
      );
    }
});

t.test('an image on a host that is not allowed is left out', async (t) => {
  const hosts = { allowed_image_hosts: ['img.example'] };
  const at = (url: string) => read({ ...full, images: [{ url }] }, hosts);
  t.equal(at('https://IMG.example/a').metadata?.image_url, 'https://img.example/a');
  for (const url of ['https://a.img.example/a', 'https://img.example.evil/a', 'https://evil/img.example']) {
    t.equal(at(url).metadata?.image_url, null, url);
    t.same(notes(at(url).issues), ['image_url image_host_not_allowed'], url);
  }
  t.equal(at('https://other.example/a').outcome, 'ok');
});

t.test('an in-app route starts with a slash and has no control characters', async (t) => {
  for (const [route, wanted, codes] of [
    ['/x', '/x', []],
    ['x', null, ['deep_link_path invalid_path']],
    ['https://x/', null, ['deep_link_path invalid_path']],
    ['/a\nb', null, ['deep_link_path invalid_path']],
    [`/${'a'.repeat(2048)}`, null, ['deep_link_path too_long']],
  ] as const) {
    const answer = read({ ...full, route });
    t.equal(answer.metadata?.deep_link_path, wanted);
    t.same(notes(answer.issues), codes);
  }
});

t.test('an answer is invalid if a required field has neither a usable value nor a default', async (t) => {
  const change = { required_fields: ['title', 'image_url'] as const, field_defaults: { description: 'Default' } };
  const lacking = read({ ...full, title: undefined, images: [{ url: 'http://img.example/' }] }, change);
  t.match(lacking, { outcome: 'invalid', reason: 'missing_required_field', status: 200 });
  t.same(notes(lacking.issues), ['image_url not_https', 'title missing_required_field', 'image_url missing_required_field']);
  t.equal(read(full, change).outcome, 'ok');
  const filled = read({}, { ...change, field_defaults: { title: 'Default', image_url: 'https://img.example/' } });
  t.match(filled, { outcome: 'ok', reason: null, metadata: { title: 'Default', image_url: 'https://img.example/' }, issues: [] });
});

t.test('a default replaces a value that is missing or unusable', async (t) => {
  const field_defaults = { title: 'Default', canonical_url: 'https://shop.example/' };
  const answer = read({ title: [], url: 'x' }, { field_defaults });
  t.match(answer.metadata, { title: 'Default', canonical_url: 'https://shop.example/', description: null });
  t.equal(answer.outcome, 'ok');
  t.equal(read(full, { field_defaults }).metadata?.title, 'A lamp');
  t.equal(read({}, { field_defaults, field_mapping: {} }).metadata?.title, 'Default', 'also for a field that is not mapped');
});

t.test('resource_status is read by status_values, and case counts', async (t) => {
  const table: [unknown, string, string[]][] = [
    ['live', 'published', []],
    [true, 'published', []],
    [1, 'published', []],
    ['draft', 'unpublished', []],
    [' gone ', 'deleted', []],
    ['Draft', 'published', ['resource_status unknown_status']],
    ['new', 'published', ['resource_status unknown_status']],
    [undefined, 'published', []],
    [{}, 'published', []],
  ];
  for (const [state, meaning, warnings] of table) {
    const answer = read({ ...full, state });
    t.equal(answer.meaning, meaning, JSON.stringify(state));
    t.same(notes(answer.warnings), warnings, JSON.stringify(state));
  }
  t.same(notes(read({ ...full, state: 'x'.repeat(101) }).issues), ['resource_status too_long']);
});

t.test('paths find only what the answer itself contains', async (t) => {
  const root = JSON.parse('{"a":{"b":[10,{"c":"x"}]},"":{"":1},"a.b":2,"a/b":3,"m~n":4,"__proto__":{"p":5},"0":6}');
  const table: [string, unknown][] = [
    ['a.b.0', 10],
    ['/a/b/0', 10],
    ['a.b.1.c', 'x'],
    ['/a/b/1/c', 'x'],
    ['a.b.00', undefined],
    ['a.b.-1', undefined],
    ['/a/b/-', undefined],
    ['a.b.length', undefined],
    ['a.b.2', undefined],
    ['a.b.0.x', undefined],
    ['/a.b', 2],
    ['/a~1b', 3],
    ['/m~0n', 4],
    ['//', 1],
    ['/', root['']],
    ['0', 6],
    ['constructor', undefined],
    ['a.constructor', undefined],
    ['a.toString', undefined],
    ['__proto__.p', 5],
    ['a.__proto__', undefined],
  ];
  for (const [text, wanted] of table) {
    const path = parseFieldPath(text);
    t.ok(path, `${text} is a path`);
    t.same(path && valueAt(root, path), wanted, text);
  }
  for (const text of ['', '.', 'a.', '.a', 'a..b', '/~', '/a~2', 'a'.repeat(256)]) t.equal(parseFieldPath(text), null, text);
});

t.test('any JSON gives an answer whose texts keep their limits', async () => {
  const value = fc.oneof(
    fc.jsonValue(),
    fc.webUrl(),
    fc.webUrl({ validSchemes: ['https'] }),
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc.webPath(),
  );
  const body = fc.record(
    {
      title: value,
      texts: fc.record({ 'long/form': value }),
      images: fc.array(fc.record({ url: value })),
      url: value,
      route: value,
      fallback: value,
      state: value,
    },
    { requiredKeys: [] },
  );
  const bounds = {
    title: 300,
    description: 1000,
    image_url: 2048,
    canonical_url: 2048,
    deep_link_path: 2048,
    web_fallback_url: 2048,
    resource_status: 100,
  };
  fc.assert(
    fc.property(body, (body) => {
      const answer = read(body);
      for (const field of METADATA_FIELDS) {
        const text = answer.metadata?.[field];
        if (text === undefined) throw new Error(`no ${field}`);
        if (text === null) continue;
        if (text === '' || Array.from(text).length > bounds[field] || /[\p{Cc}\p{Surrogate}]/u.test(text))
          throw new Error(`${field}: ${text}`);
        if (field.endsWith('_url') && !text.startsWith('https://')) throw new Error(`${field}: ${text}`);
      }
    }),
    { numRuns: 3000 },
  );
});
