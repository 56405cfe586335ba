import t from 'tap';
import { brandErrors, patchedBrand, placedBrandUrls } from '../../../control-plane/environment/brand.js';
import { BRAND_LOGO_BASE64_CHARACTERS_MAX, BRAND_LOGO_BYTES_MAX } from '../../../shared/base/brand-limits.js';

t.test('an absent member is kept, null clears it, and null for the whole brand clears all', async (t) => {
  const stored = { name: 'Shop', color: '#0d3b66' };
  t.equal(patchedBrand(stored, undefined), stored);
  t.same(patchedBrand(stored, {}), stored);
  t.same(patchedBrand(stored, { name: null, support_url: 'https://SHOP.example' }), {
    color: '#0d3b66',
    support_url: 'https://shop.example/',
  });
  t.same(patchedBrand(stored, null), {});
});

t.test('the rules of a brand ignore values of a wrong type', async (t) => {
  for (const value of [undefined, null, 'x', [], { logo: 1, support_url: {} }, { logo: null, support_url: null }]) {
    t.same(brandErrors(value), []);
    t.same(placedBrandUrls(value), []);
  }
  const error = (brand: object) => brandErrors(brand).map(({ pointer, code }) => `${pointer} ${code}`);
  t.same(error({ logo: 'AAAA', support_url: 'javascript:alert(1)' }), [
    '/brand/logo invalid_value',
    '/brand/support_url scheme_not_allowed',
  ]);
  t.same(placedBrandUrls({ support_url: 'javascript:alert(1)' }), []);
});

t.test('the limit of the logo field is the base64 length of the largest logo', async (t) => {
  t.equal(Buffer.alloc(BRAND_LOGO_BYTES_MAX).toString('base64').length, BRAND_LOGO_BASE64_CHARACTERS_MAX);
});
