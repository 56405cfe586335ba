import t from 'tap';
import { brandErrors, patchedBrand, placedBrandUrls } from '../../../control-plane/environment/brand.js';
import { BRAND_LOGO_BASE64_CHARACTERS_MAX, BRAND_LOGO_BYTES_MAX } from '../../../shared/base/brand-limits.js';

t.test('a member that is absent stays, null clears it, and null instead of the object clears all', async (t) => {
  const stored = { name: 'Shop', color: '#0d3b66' };
  t.equal(patchedBrand(stored, undefined), stored);
  t.same(patchedBrand(stored, {}), stored);
  t.same(patchedBrand(stored, { name: null, support_url: 'https://SHOP.example' }), {
    color: '#0d3b66',
    support_url: 'https://shop.example/',
  });
  t.same(patchedBrand(stored, null), {});
});

t.test('whatever a body holds in place of a brand, only values of the right type are judged', async (t) => {
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

t.test('the largest logo fits the field that brings it', async (t) => {
  t.equal(Buffer.alloc(BRAND_LOGO_BYTES_MAX).toString('base64').length, BRAND_LOGO_BASE64_CHARACTERS_MAX);
});
