import t from 'tap';
import { compileContent, renderContent } from '../../../shared/resolve/render.js';
import { checkTemplate, type TemplateInput } from '../../../shared/resolve/template-rules.js';
import fc from '../../support/properties.js';

const schemes = { ios: ['shop'], android: [] };

const good: TemplateInput = {
  path_pattern: '/p/{id}',
  id_format: { kind: 'preset', preset: 'numeric' },
  deep_link_path: '/{type}/{id}',
  data: { id: '{id}', nested: [{ text: 'a {type} {id}!' }, 1, null, true] },
  redirects: { web: 'https://shop.example/{type}/{id}?ref={id}#{id}', ios: 'shop://item/{id}', desktop: null },
  allow_param_passthrough: true,
};

function faults(input: TemplateInput): string[] {
  const checked = checkTemplate(input, 'product', schemes);
  return checked.ok ? [] : checked.issues.map((issue) => `${issue.pointer} ${issue.code}`);
}

t.test('a valid template is accepted with every field in its place', async (t) => {
  const checked = checkTemplate(good, 'product', schemes);
  t.match(checked, {
    ok: true,
    value: {
      pattern: { text: '/p/{id}' },
      id_format: { kind: 'preset', preset: 'numeric' },
      deep_link_path: '/{type}/{id}',
      data: good.data,
      redirects: {
        web: 'https://shop.example/{type}/{id}?ref={id}#{id}',
        ios: 'shop://item/{id}',
        desktop: null,
        android: null,
        fallback: null,
      },
      allow_param_passthrough: true,
    },
  });
  const least = checkTemplate({ path_pattern: '/p/{id}', id_format: good.id_format, deep_link_path: '/' }, 'product', schemes);
  t.match(least, {
    ok: true,
    value: {
      data: null,
      redirects: { ios: null, android: null, web: null, desktop: null, fallback: null },
      allow_param_passthrough: false,
    },
  });
});

t.test('all wrong fields are reported at once, each with its pointer', async (t) => {
  t.same(
    faults({
      path_pattern: 7,
      id_format: { kind: 'x' },
      deep_link_path: 'x',
      data: [],
      redirects: { web: 1, tv: 'x' },
      allow_param_passthrough: 'yes',
    }),
    [
      '/path_pattern wrong_type',
      '/id_format/kind invalid_value',
      '/deep_link_path invalid_format',
      '/data wrong_type',
      '/redirects/tv unknown_field',
      '/redirects/web wrong_type',
      '/allow_param_passthrough wrong_type',
    ],
  );
  t.same(faults({ path_pattern: undefined, id_format: undefined, deep_link_path: undefined }), [
    '/path_pattern required',
    '/id_format required',
    '/deep_link_path required',
  ]);
});

t.test('each field has its own rules', async (t) => {
  const charset256 = { kind: 'charset', charset: '😀', min_length: 1, max_length: 256 };
  const table: [Partial<TemplateInput>, string[]][] = [
    [{ deep_link_path: '/{name}' }, ['/deep_link_path unknown_placeholder']],
    [{ deep_link_path: '/{deep_link_path}' }, ['/deep_link_path unknown_placeholder']],
    [{ deep_link_path: '/{ID}' }, ['/deep_link_path unknown_placeholder']],
    [{ deep_link_path: '/{}/{ }' }, []],
    [{ deep_link_path: `/${'a'.repeat(2048)}` }, ['/deep_link_path too_long']],
    [{ deep_link_path: `/${'ä'.repeat(2047)}` }, []],
    [{ deep_link_path: '/a\nb' }, ['/deep_link_path control_character']],
    [{ deep_link_path: '/a\ud800' }, ['/deep_link_path control_character']],
    [{ deep_link_path: null }, ['/deep_link_path wrong_type']],
    [{ data: null }, ['/data wrong_type']],
    [{ data: {} }, []],
    [{ data: { a: { 'b/c': ['x', '{name}'] } } }, ['/data/a/b~1c/1 unknown_placeholder']],
    [{ data: { '{name}': 1 } }, []],
    [{ data: { a: 'x'.repeat(4088) } }, []],
    [{ data: { a: 'x'.repeat(4089) } }, ['/data too_large']],
    [{ data: { a: 'ä'.repeat(2045) } }, ['/data too_large']],
    [{ data: { ['k'.repeat(65)]: { ['😀'.repeat(64)]: 1 } } }, [`/data/${'k'.repeat(65)} key_too_long`]],
    [{ data: { a: 'x\u0000' } }, []],
    [{ data: { a: 'line\nbreak' } }, []],
    [{ data: { a: '{id}'.repeat(1000) }, redirects: null, id_format: charset256 }, ['/data too_large']],
    [{ redirects: null }, []],
    [{ redirects: [] }, ['/redirects wrong_type']],
    [{ redirects: { web: 'https://{id}.example/' } }, ['/redirects/web misplaced_placeholder']],
    [{ redirects: { web: 'https://shop.example{id}' } }, ['/redirects/web misplaced_placeholder']],
    [{ redirects: { web: 'https://shop.example:{id}/' } }, ['/redirects/web misplaced_placeholder']],
    [{ redirects: { web: 'https://{id}@shop.example/' } }, ['/redirects/web misplaced_placeholder']],
    [{ redirects: { web: 'https://{type}.example/{id}' } }, ['/redirects/web misplaced_placeholder']],
    [{ redirects: { web: '{id}://shop.example/' } }, ['/redirects/web misplaced_placeholder']],
    [{ redirects: { web: '{id}' } }, ['/redirects/web misplaced_placeholder']],
    [{ redirects: { web: 'http{id}' } }, ['/redirects/web misplaced_placeholder']],
    [{ redirects: { web: 'https:{id}' } }, ['/redirects/web invalid_url']],
    [{ redirects: { web: 'https:/{id}' } }, ['/redirects/web invalid_url']],
    [{ redirects: { web: 'https:\\\\{id}' } }, ['/redirects/web invalid_url']],
    [{ redirects: { web: 'https://shop.example\\@{id}/' } }, ['/redirects/web invalid_url']],
    [{ redirects: { ios: 'shop://{id}' } }, []],
    [{ redirects: { ios: 'shop://{type}/{id}' } }, []],
    [{ redirects: { ios: 'SHOP://{type}-{id}.item/?x#y' } }, []],
    [{ redirects: { ios: 'shop://item:{id}/' } }, ['/redirects/ios invalid_url']],
    [{ redirects: { ios: '{type}://shop/' } }, ['/redirects/ios misplaced_placeholder']],
    [{ redirects: { ios: 'itms-apps://{id}/' } }, ['/redirects/ios misplaced_placeholder']],
    [{ redirects: { android: 'market://{type}/{id}' } }, ['/redirects/android misplaced_placeholder']],
    [{ redirects: { ios: 'shop:{id}' } }, []],
    [{ redirects: { ios: 'SHOP:///{id}' } }, []],
    [{ redirects: { ios: 'other://item/{id}' } }, ['/redirects/ios scheme_not_allowed']],
    [{ redirects: { android: 'any://item/{id}' } }, ['/redirects/android scheme_not_allowed']],
    [{ redirects: { ios: 'intent://item/{id}' } }, ['/redirects/ios scheme_not_allowed']],
    [{ redirects: { ios: 'googlechromes://shop.example/' } }, ['/redirects/ios scheme_not_allowed']],
    [{ redirects: { android: 'itms-services://?url={id}' } }, ['/redirects/android scheme_not_allowed']],
    [{ redirects: { web: 'https:/shop.example/' } }, ['/redirects/web invalid_url']],
    [{ redirects: { web: 'shop://item/{id}' } }, ['/redirects/web scheme_not_allowed']],
    [{ redirects: { ios: 'javascript:alert({id})' } }, ['/redirects/ios scheme_not_allowed']],
    [{ redirects: { ios: 'JavaScript:alert(1)' } }, ['/redirects/ios scheme_not_allowed']],
    [{ redirects: { ios: 'data:text/html,x' } }, ['/redirects/ios scheme_not_allowed']],
    [{ redirects: { web: 'java\tscript:alert(1)' } }, ['/redirects/web control_character']],
    [{ redirects: { web: 'https://shop.example/a b' } }, []],
    [{ redirects: { web: 'https://shop.example/%2{id}' } }, ['/redirects/web invalid_format']],
    [{ redirects: { web: 'https://shop.example/%{id}' } }, ['/redirects/web invalid_format']],
    [{ redirects: { web: 'https://shop.example/{id}?{sku}' } }, ['/redirects/web unknown_placeholder']],
    [{ redirects: { web: 'https://sh%zzop.example/' } }, ['/redirects/web invalid_url']],
    [{ redirects: { web: '/relative/{id}' } }, ['/redirects/web misplaced_placeholder']],
    [{ redirects: { web: 'relative' } }, ['/redirects/web invalid_url']],
    [{ redirects: { web: '' } }, ['/redirects/web invalid_url']],
    [{ redirects: { web: `https://shop.example/${'a'.repeat(2048)}` } }, ['/redirects/web too_long']],
    [{ redirects: { web: `https://shop.example/${'{id}'.repeat(500)}` } }, ['/redirects/web too_long']],
    [{ redirects: { web: 'https://shop.example/{id}/{id}/{id}' }, id_format: charset256 }, ['/redirects/web too_long']],
    [{ redirects: { web: 'https://shop.example/{id}/{id}' }, id_format: charset256 }, []],
  ];
  for (const [change, wanted] of table) t.same(faults({ ...good, ...change }), wanted, JSON.stringify(change).slice(0, 90));
});

t.test('data that is nested too deeply is refused without walking it', async (t) => {
  const nested = (depth: number) => JSON.parse(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`);
  t.same(faults({ ...good, data: nested(100_000) }), ['/data too_large']);
  t.same(faults({ ...good, data: nested(2045) }), []);
});

const content = {
  deep_link_path: '/{type}/{id}?q={id}#{type}{id}',
  data: { '{id}': '{id}', list: ['{type}:{id}', '{"id"}', 7], ['__proto__']: { id: '{id}{id}' } },
  redirects: {
    web: 'https://shop.example/{type}/{id}?a={id}',
    ios: null,
    android: 'shop:/{id}',
    desktop: null,
    fallback: 'https://shop.example/',
  },
  allow_param_passthrough: true,
};

t.test('rendering inserts the id into each text in the form needed there', async (t) => {
  const rendered = renderContent(compileContent(content, 'product'), 'a/b @"ä&?');
  t.equal(rendered.deep_link_path, '/product/a%2Fb%20@%22%C3%A4&%3F?q=a%2Fb%20%40%22%C3%A4%26%3F#producta%2Fb%20%40%22%C3%A4%26%3F');
  t.equal(
    JSON.stringify(rendered.data),
    '{"{id}":"a/b @\\"ä&?","list":["product:a/b @\\"ä&?","{\\"id\\"}",7],"__proto__":{"id":"a/b @\\"ä&?a/b @\\"ä&?"}}',
  );
  t.same(rendered.redirects, {
    web: 'https://shop.example/product/a%2Fb%20%40%22%C3%A4%26%3F?a=a%2Fb%20%40%22%C3%A4%26%3F',
    ios: null,
    android: 'shop:/a%2Fb%20%40%22%C3%A4%26%3F',
    desktop: null,
    fallback: 'https://shop.example/',
  });
  t.equal(rendered.allow_param_passthrough, true);
  t.equal(renderContent(compileContent({ ...content, data: null }, 'product'), '1').data, null);
});

/** The same by walking the object and replacing, without regard to speed. */
function plainly(value: unknown, type: string, id: string): unknown {
  if (typeof value === 'string')
    return value
      .split(/(\{id\}|\{type\})/)
      .map((part) => (part === '{id}' ? id : part === '{type}' ? type : part))
      .join('');
  if (Array.isArray(value)) return value.map((item) => plainly(item, type, id));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plainly(member, type, id)]));
  return value;
}

const textWithPlaceholders = fc
  .array(fc.oneof(fc.constantFrom('{id}', '{type}', '{', '}', '"', '\\', 'id', 'ä'), fc.string({ maxLength: 4 })), { maxLength: 6 })
  .map((parts) => parts.join(''));
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    textWithPlaceholders,
    fc.boolean(),
    fc.constant(null),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(fc.string({ maxLength: 5 }), tie('json'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

t.test('rendered data equals the object with every text replaced, at any depth', async () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ maxLength: 5 }), json, { maxKeys: 4, noNullPrototype: true }),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
      (data, id) => {
        const rendered = renderContent(compileContent({ ...content, data }, 'some-type'), id).data;
        const wanted = plainly(data, 'some-type', id);
        if (JSON.stringify(rendered) !== JSON.stringify(wanted))
          throw new Error(`${JSON.stringify(rendered)} and ${JSON.stringify(wanted)}`);
      },
    ),
    { numRuns: 3000 },
  );
});

const urlPiece = fc.oneof(
  fc.constantFrom(
    '{id}',
    '{type}',
    '/',
    '?',
    '#',
    '@',
    ':',
    '.',
    '..',
    '\\',
    '%',
    '%2',
    '%2e',
    '&',
    '=',
    ';',
    'shop.example',
    'evil.example',
    '//',
    'https:',
    'a',
  ),
);
const hostileId = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '/',
        '//',
        '\\',
        '@',
        ':',
        '?',
        '#',
        '%',
        '.',
        '..',
        '%2e',
        '\r\n',
        '\0',
        ' ',
        'evil.example',
        'javascript:',
        '[',
        'ä',
        '😀',
        'e',
        '2f',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => parts.join(''))
  // Without ids that no id format accepts (`idFault`).
  .filter((id) => id !== '' && id !== '.' && id !== '..');

t.test('no id changes scheme, user, host, port or the number of path segments of an accepted destination on the web', async (t) => {
  let accepted = 0;
  fc.assert(
    fc.property(
      fc.constantFrom('https://shop.example/', 'https://shop.example', 'http://u@shop.example:81/', 'shop:', 'shop://item/', ''),
      fc.array(urlPiece, { maxLength: 7 }),
      hostileId,
      (start, pieces, id) => {
        const ios = start + pieces.join('');
        const checked = checkTemplate({ ...good, redirects: { ios } }, 'product', schemes);
        if (!checked.ok) return;
        accepted++;
        const compiled = compileContent(checked.value, 'product');
        const [usual, hostile] = ['1', id].map((each) => {
          const text = renderContent(compiled, each).redirects.ios as string;
          if (!/^[\x21-\x7e]+$/.test(text)) throw new Error(`not printable: ${text}`);
          return new URL(text);
        }) as [URL, URL];
        // With the scheme of an app, everything after the scheme is up to the app.
        for (const part of usual.protocol === 'shop:' ? (['protocol'] as const) : (['protocol', 'username', 'password', 'host'] as const))
          if (usual[part] !== hostile[part]) throw new Error(`${part} of ${ios}: ${usual.href} and ${hostile.href}`);
        if (usual.pathname.split('/').length !== hostile.pathname.split('/').length)
          throw new Error(`path of ${ios}: ${usual.href} and ${hostile.href}`);
      },
    ),
    { numRuns: 20_000 },
  );
  t.ok(accepted > 2000, `enough templates were accepted (${accepted})`);
});
