import t from 'tap';
import type { MetadataConfiguration } from '../../../shared/metadata/configuration.js';
import { checkConfiguration } from '../../../shared/metadata/configuration-rules.js';
import { compileRequest, itemIdIssues, requestUrl } from '../../../shared/metadata/request.js';
import fc from '../../support/properties.js';

function configuration(input: Record<string, unknown>): MetadataConfiguration {
  const checked = checkConfiguration({ field_mapping: {}, ...input }, { allow: [], stored: null });
  if (!checked.ok) throw new Error(JSON.stringify(checked.issues));
  return checked.value.configuration;
}

const url_template = 'https://api.shop.example.com/{type}/{id}?id={id}&type={type}';
const context = { type: 'product', service_name: 'Acme', credential: null };

t.test('a call has the item, the extra headers and the credential, and its URL has no credential', async (t) => {
  const bearer = configuration({ url_template, headers: { 'X-Tenant': '7' }, auth: { type: 'bearer', secret: 'top' }, timeout_ms: 700 });
  const compiled = compileRequest(bearer, { ...context, credential: 'top' });
  t.equal(requestUrl(compiled, 'a/b c&d'), 'https://api.shop.example.com/product/a%2Fb%20c%26d?id=a%2Fb%20c%26d&type=product');
  t.same(compiled.headers, {
    'X-Tenant': '7',
    authorization: 'Bearer top',
    accept: 'application/json',
    'user-agent': 'Acme-Metadata/1',
  });
  t.equal(compiled.timeout_ms, 700);
  const key = configuration({ url_template, auth: { type: 'api_key_header', header_name: 'X-Key', secret: 'top' } });
  t.match(compileRequest(key, { ...context, credential: 'top' }).headers, { 'X-Key': 'top' });
  const none = configuration({ url_template });
  t.same(compileRequest(none, { ...context, credential: 'left over' }).headers, {
    accept: 'application/json',
    'user-agent': 'Acme-Metadata/1',
  });
});

t.test('an id changes nothing in the URL except the places of {id}', async () => {
  const compiled = compileRequest(configuration({ url_template }), context);
  fc.assert(
    fc.property(
      fc
        .array(
          fc.oneof(
            fc.constantFrom('/', '..', '.', '?', '#', '&', '=', '@', '\\', '%', '%2e', ':', '//'),
            fc.string({ unit: 'grapheme', maxLength: 5 }),
          ),
          { minLength: 1, maxLength: 6 },
        )
        .map((parts) => parts.join('')),
      (id) => {
        if (itemIdIssues(id, '/id').length > 0) return;
        const url = new URL(requestUrl(compiled, id));
        const [, type, item, ...more] = url.pathname.split('/');
        if (url.origin !== 'https://api.shop.example.com' || type !== 'product' || more.length > 0 || url.hash !== '')
          throw new Error(url.href);
        if (decodeURIComponent(item as string) !== id || url.searchParams.get('id') !== id || [...url.searchParams].length !== 2)
          throw new Error(url.href);
      },
    ),
    { numRuns: 5000 },
  );
});

t.test('an id for a test call must be a valid item id', async (t) => {
  for (const [id, code] of [
    ['42', undefined],
    ['ä/😀', undefined],
    ['', 'required'],
    ['😀'.repeat(257), 'too_long'],
    ['a\u0000', 'control_character'],
    ['\ud800', 'control_character'],
    ['..', 'dot_segment'],
  ] as const)
    t.equal(itemIdIssues(id, '/id')[0]?.code, code, JSON.stringify(id).slice(0, 20));
});
