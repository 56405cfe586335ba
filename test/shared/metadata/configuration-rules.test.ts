import t from 'tap';
import { secretHint } from '../../../shared/metadata/auth-rules.js';
import { NUMBER_BOUNDS } from '../../../shared/metadata/configuration.js';
import { type ConfigurationContext, checkConfiguration } from '../../../shared/metadata/configuration-rules.js';

const first: ConfigurationContext = { allow: [], stored: null };
const least = { url_template: 'https://api.shop.example.com/items/{id}?type={type}', field_mapping: { title: 'name' } };

function faults(input: unknown, context = first): string[] {
  const checked = checkConfiguration(input, context);
  return checked.ok ? [] : checked.issues.map((issue) => `${issue.pointer} ${issue.code}`);
}

t.test('a minimal configuration gets every default', async (t) => {
  t.same(checkConfiguration(least, first), {
    ok: true,
    value: {
      configuration: {
        status: 'active',
        ...least,
        auth: { type: 'none', header_name: null },
        headers: {},
        timeout_ms: 1500,
        ttl_seconds: 3600,
        negative_ttl_seconds: 300,
        stale_if_error_seconds: 86_400,
        max_concurrency: 10,
        max_requests_per_minute: 600,
        field_defaults: {},
        required_fields: [],
        status_values: { published: ['published'], unpublished: ['unpublished'], deleted: ['deleted'] },
        allowed_image_hosts: [],
      },
      credential: { kind: 'clear' },
    },
  });
});

t.test('a full configuration is accepted unchanged', async (t) => {
  const full = {
    ...least,
    status: 'disabled',
    auth: { type: 'api_key_header', header_name: 'X-Api-Key', secret: 'abc def' },
    headers: { 'X-Tenant': '7' },
    timeout_ms: 100,
    ttl_seconds: 10,
    negative_ttl_seconds: 0,
    stale_if_error_seconds: 0,
    max_concurrency: 1,
    max_requests_per_minute: 1,
    field_mapping: { title: '/name', resource_status: 'state' },
    field_defaults: { title: 'Shop', image_url: 'https://img.example/logo.png' },
    required_fields: ['title'],
    status_values: { deleted: ['gone'] },
    allowed_image_hosts: ['IMG.example', 'bücher.example'],
  };
  const checked = checkConfiguration(full, first);
  t.match(checked, { ok: true, value: { credential: { kind: 'set', secret: 'abc def' } } });
  if (!checked.ok) return;
  t.match(checked.value.configuration, {
    ...full,
    auth: { type: 'api_key_header', header_name: 'X-Api-Key' },
    status_values: { published: [], unpublished: [], deleted: ['gone'] },
    allowed_image_hosts: ['img.example', 'xn--bcher-kva.example'],
  });
  t.notMatch(JSON.stringify(checked.value.configuration), /abc def/, 'the credential is not part of it');
});

t.test('the normalised values are stored: URLs in normal form, and defaults as values of an answer are read', async (t) => {
  const checked = checkConfiguration(
    {
      url_template: 'HTTPS://API.Bücher.de:443/ä/../{type}?id={id}',
      field_mapping: { title: 'name' },
      field_defaults: { title: 'Our \n shop', deep_link_path: ' /start', image_url: 'https://IMG.bücher.de/ä b.png' },
      allowed_image_hosts: ['img.bücher.de'],
    },
    first,
  );
  t.match(checked, {
    ok: true,
    value: {
      configuration: {
        url_template: 'https://api.xn--bcher-kva.de/{type}?id={id}',
        field_defaults: { title: 'Our shop', deep_link_path: '/start', image_url: 'https://img.xn--bcher-kva.de/%C3%A4%20b.png' },
      },
    },
  });
});

t.test('each field has its rules and its pointer', async (t) => {
  const url = (url_template: unknown) => ({ ...least, url_template });
  const table: [Record<string, unknown>, string[]][] = [
    [{}, ['/url_template required', '/field_mapping required']],
    [{ ...least, colour: 1 }, ['/colour unknown_field']],
    [url(7), ['/url_template wrong_type']],
    [url(''), ['/url_template invalid_url', '/url_template missing_placeholder']],
    [url('http://api.shop.example.com/{id}'), ['/url_template scheme_not_allowed']],
    [url('ftp://api.shop.example.com/{id}'), ['/url_template scheme_not_allowed']],
    [url('https://localhost/{id}'), ['/url_template host_not_public']],
    [url('https://192.0.2.1/{id}'), ['/url_template host_not_public']],
    [url('https://2130706433/{id}'), ['/url_template host_not_public']],
    [url('https://[::1]/{id}'), ['/url_template host_not_public']],
    [url('https://api/{id}'), ['/url_template host_not_public']],
    [url('https://api.shop.local/{id}'), ['/url_template host_not_public']],
    [url('https://user@api.shop.example.com/{id}'), ['/url_template invalid_url']],
    [url('https://{id}.example.com/'), ['/url_template misplaced_placeholder']],
    [url('https://{type}.example.com/{id}'), ['/url_template misplaced_placeholder']],
    [url('https://example.com:{id}/'), ['/url_template misplaced_placeholder']],
    [url('https://example.com{id}'), ['/url_template misplaced_placeholder']],
    [url('{id}'), ['/url_template misplaced_placeholder']],
    [url('https://example.com/#{id}'), ['/url_template invalid_format']],
    [url('https://example.com/{sku}'), ['/url_template unknown_placeholder', '/url_template missing_placeholder']],
    [url('https://example.com/items'), ['/url_template missing_placeholder']],
    [url('https://example.com/%2{id}'), ['/url_template invalid_format']],
    [url('https://example.com/{id}/../x'), ['/url_template misplaced_placeholder']],
    [url('https://bücher.de/ä/{id}'), []],
    [url('https://example.com?{id}'), []],
    [{ ...least, status: 'paused' }, ['/status invalid_value']],
    [{ ...least, headers: [] }, ['/headers wrong_type']],
    [
      { ...least, headers: { 'X Y': 'a', Host: 'a', 'x-a': 'a\r\nb', 'x-b': 7, Authorization: 'a', 'x-c': ' a', 'x-d': 'ä' } },
      [
        '/headers/X Y invalid_format',
        '/headers/Host reserved',
        '/headers/x-a invalid_format',
        '/headers/x-b wrong_type',
        '/headers/Authorization reserved',
        '/headers/x-c invalid_format',
        '/headers/x-d invalid_format',
      ],
    ],
    [{ ...least, headers: { 'X-A': 'a', 'x-a': 'a' } }, ['/headers/x-a duplicate']],
    [{ ...least, headers: Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`x-${index}`, 'a'])) }, ['/headers too_many']],
    [
      { ...least, headers: Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`x-${index}`, index === 3 ? 'ä' : 'a'])) },
      ['/headers too_many', '/headers/x-3 invalid_format'],
    ],
    [
      { ...least, allowed_image_hosts: ['a b', ...Array.from({ length: 50 }, (_, index) => `h${index}.example`)] },
      ['/allowed_image_hosts too_many', '/allowed_image_hosts/0 invalid_format'],
    ],
    [
      { ...least, headers: { 'X-Key': 'a' }, auth: { type: 'api_key_header', header_name: 'x-key', secret: 's' } },
      ['/headers/X-Key duplicate'],
    ],
    [
      { ...least, field_mapping: { title: '', colour: 'x', description: 7, image_url: '/~' } },
      [
        '/field_mapping/colour unknown_field',
        '/field_mapping/title invalid_format',
        '/field_mapping/description wrong_type',
        '/field_mapping/image_url invalid_format',
      ],
    ],
    [{ ...least, field_mapping: { title: 'a'.repeat(256) } }, ['/field_mapping/title too_long']],
    [
      {
        ...least,
        field_mapping: { title: 'a\u0000b' },
        field_defaults: { title: 'a\u0000b', description: 'a\ud800', canonical_url: 'https://a\u0001' },
      },
      [
        '/field_mapping/title control_character',
        '/field_defaults/title control_character',
        '/field_defaults/description control_character',
        '/field_defaults/canonical_url control_character',
      ],
    ],
    [
      {
        ...least,
        field_defaults: {
          title: '',
          resource_status: 'x',
          image_url: 'http://a.example/',
          canonical_url: 'x',
          deep_link_path: 'x',
          description: 'd'.repeat(1001),
        },
      },
      [
        '/field_defaults/resource_status unknown_field',
        '/field_defaults/title invalid_value',
        '/field_defaults/image_url scheme_not_allowed',
        '/field_defaults/canonical_url invalid_url',
        '/field_defaults/deep_link_path invalid_format',
        '/field_defaults/description too_long',
      ],
    ],
    [
      { ...least, field_defaults: { canonical_url: 'https:a.example/', web_fallback_url: 'https:///a.example', image_url: ' ' } },
      [
        '/field_defaults/canonical_url invalid_url',
        '/field_defaults/web_fallback_url invalid_url',
        '/field_defaults/image_url invalid_value',
      ],
    ],
    [
      { ...least, field_defaults: { image_url: 'https://a.example/' }, allowed_image_hosts: ['b.example'] },
      ['/field_defaults/image_url host_not_allowed'],
    ],
    [
      { ...least, required_fields: ['title', 'title', 'resource_status', 'description', 7] },
      ['/required_fields/1 duplicate', '/required_fields/2 invalid_value', '/required_fields/4 wrong_type'],
    ],
    [
      { ...least, status_values: { deleted: ['a', 'a'], published: ['a', ''], hidden: [], unpublished: 'x' } },
      [
        '/status_values/hidden unknown_field',
        '/status_values/published/1 invalid_format',
        '/status_values/unpublished wrong_type',
        '/status_values/deleted/0 duplicate',
        '/status_values/deleted/1 duplicate',
      ],
    ],
    [
      { ...least, allowed_image_hosts: ['https://a.example', 'a.example:80', 'a/b', '', '*.example', 7, 'ok.example'] },
      [
        '/allowed_image_hosts/0 invalid_format',
        '/allowed_image_hosts/1 invalid_format',
        '/allowed_image_hosts/2 invalid_format',
        '/allowed_image_hosts/3 invalid_format',
        '/allowed_image_hosts/4 invalid_format',
        '/allowed_image_hosts/5 wrong_type',
      ],
    ],
  ];
  for (const [input, wanted] of table) t.same(faults(input), wanted, JSON.stringify(input).slice(0, 120));
  t.same(faults(null), [' wrong_type']);
});

t.test('a placeholder in the host is not sent on to the fragment, which is refused too', (t) => {
  const checked = checkConfiguration({ ...least, url_template: 'https://{id}.example.com/' }, first);
  t.same(checked.ok ? [] : checked.issues.map(({ detail }) => detail), ['A placeholder must come after scheme and host.']);
  t.end();
});

t.test('every number has its limits', async (t) => {
  for (const [field, { min, max }] of Object.entries(NUMBER_BOUNDS)) {
    t.same(faults({ ...least, [field]: min }), [], `${field} ${min}`);
    t.same(faults({ ...least, [field]: max }), [], `${field} ${max}`);
    t.same(faults({ ...least, [field]: min - 1 }), [`/${field} too_small`]);
    t.same(faults({ ...least, [field]: max + 1 }), [`/${field} too_large`]);
    for (const wrong of [min + 0.5, '7', null, true])
      t.same(faults({ ...least, [field]: wrong }), [`/${field} wrong_type`], `${field} ${wrong}`);
  }
});

t.test('an allowed origin may be http and need not be public', async (t) => {
  const input = { ...least, url_template: 'http://127.0.0.1:4000/{id}' };
  t.same(faults(input), ['/url_template scheme_not_allowed']);
  t.same(faults(input, { ...first, allow: ['http://127.0.0.1:4000'] }), []);
});

t.test('the stored credential is kept if none is sent and its target stays the same, and is removed with type none', async (t) => {
  const { url_template } = least;
  const stored = { status: 'active', url_template, auth: { type: 'bearer', header_name: null }, secret_set: true } as const;
  const key = { type: 'api_key_header', header_name: 'X-Key' } as const;
  const keyed = { ...stored, auth: key };
  const elsewhere = { ...stored, url_template: 'https://elsewhere.example.com/{id}' };
  const table: [unknown, ConfigurationContext['stored'], unknown][] = [
    [undefined, null, { auth: { type: 'none' }, credential: { kind: 'clear' } }],
    [undefined, stored, { auth: { type: 'bearer', header_name: null }, credential: { kind: 'keep' } }],
    [{ type: 'bearer' }, stored, { auth: { type: 'bearer' }, credential: { kind: 'keep' } }],
    [{ ...key, header_name: 'x-key' }, keyed, { auth: { header_name: 'x-key' }, credential: { kind: 'keep' } }],
    [key, stored, ['/auth/secret required']],
    [{ type: 'bearer' }, keyed, ['/auth/secret required']],
    [{ ...key, header_name: 'X-Other' }, keyed, ['/auth/secret required']],
    [undefined, elsewhere, ['/auth/secret required']],
    [{ type: 'bearer' }, elsewhere, ['/auth/secret required']],
    [{ type: 'bearer', secret: 's' }, elsewhere, { credential: { kind: 'set', secret: 's' } }],
    [{ type: 'none' }, elsewhere, { credential: { kind: 'clear' } }],
    [undefined, { ...elsewhere, secret_set: false }, { credential: { kind: 'clear' } }],
    [{ type: 'none' }, stored, { auth: { type: 'none', header_name: null }, credential: { kind: 'clear' } }],
    [{ type: 'bearer', secret: 's' }, null, { auth: { type: 'bearer', header_name: null }, credential: { kind: 'set', secret: 's' } }],
    [{ type: 'bearer' }, null, ['/auth/secret required']],
    [key, null, ['/auth/secret required']],
    [{ type: 'api_key_header', secret: 's' }, null, ['/auth/header_name required']],
    [{ type: 'api_key_header', header_name: 'Host', secret: 's' }, null, ['/auth/header_name reserved']],
    [{ type: 'api_key_header', header_name: 'Authorization', secret: 's' }, null, { credential: { kind: 'set' } }],
    [{ type: 'api_key_header', header_name: 7, secret: 's' }, null, ['/auth/header_name wrong_type']],
    [{ type: 'bearer', header_name: 'X', secret: 's' }, null, ['/auth/header_name unknown_field']],
    [{ type: 'none', secret: 's' }, null, ['/auth/secret unknown_field']],
    [{ type: 'bearer', secret: '' }, stored, ['/auth/secret invalid_format']],
    [{ type: 'bearer', secret: 'a\r\nX: y' }, stored, ['/auth/secret invalid_format']],
    [{ type: 'bearer', secret: 'ä' }, stored, ['/auth/secret invalid_format']],
    [{ type: 'bearer', secret: null }, stored, ['/auth/secret wrong_type']],
    [{ type: 'bearer', secret: 'a'.repeat(4097) }, stored, ['/auth/secret too_long']],
    [{ type: 'basic' }, stored, ['/auth/type invalid_value']],
    [
      { type: 'basic', header_name: 'Host', secret: '' },
      stored,
      ['/auth/type invalid_value', '/auth/header_name reserved', '/auth/secret invalid_format'],
    ],
    [{ header_name: 7, secret: 's', user: 'u' }, null, ['/auth/type required', '/auth/user unknown_field', '/auth/header_name wrong_type']],
    [{ type: 'api_key_header' }, null, ['/auth/header_name required', '/auth/secret required']],
    [{ type: 'api_key_header' }, keyed, ['/auth/header_name required']],
    [{ type: 'api_key_header', header_name: 'a b' }, keyed, ['/auth/header_name invalid_format']],
    [{}, stored, ['/auth/type required']],
    [null, stored, ['/auth wrong_type']],
  ];
  for (const [auth, before, wanted] of table) {
    const input = { ...least, ...(auth === undefined ? {} : { auth }) };
    const checked = checkConfiguration(input, { ...first, stored: before });
    if (Array.isArray(wanted)) t.same(faults(input, { ...first, stored: before }), wanted, JSON.stringify(auth)?.slice(0, 80));
    else
      t.match(
        checked.ok && { auth: checked.value.configuration.auth, credential: checked.value.credential },
        wanted as object,
        JSON.stringify(auth),
      );
  }
});

t.test('a hint never shows more than a third of a credential', async (t) => {
  for (const [secret, hint] of [
    ['ab', null],
    ['abc', 'c'],
    ['abcdefgh', 'gh'],
    ['a-long-token-1234', '1234'],
  ] as const)
    t.equal(secretHint(secret), hint);
});
