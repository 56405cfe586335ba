import t from 'tap';
import { brandOf, environmentBrand, isUnbranded, mark, NOBODY, owner } from '../../../engine/pages/brand.js';
import { type OpenPage, renderOpenPage } from '../../../engine/pages/open-page.js';
import { renderPasswordPage } from '../../../engine/pages/password-page.js';
import { statusPage } from '../../../engine/pages/status-page.js';
import { LANGUAGES } from '../../../engine/pages/texts/language.js';
import { STATUS_PAGE_NAMES } from '../../../engine/pages/texts/page-texts.js';
import { TEXTS } from '../../../engine/pages/texts/texts.js';
import type { BrandRecord } from '../../../shared/records/records.js';
import { environmentRecord } from '../fixtures.js';

const FULL: BrandRecord = { name: '<Shop>', color: '#ffcc00', logo: 'iVBORw0KGgo=', support_url: 'https://shop.example/help?a=b&c=%22' };
const branded = (changes: Partial<BrandRecord> = {}) => environmentBrand(environmentRecord({ brand: { ...FULL, ...changes } }));

t.test("a project's mark is the first visible character of its name, and both are escaped", async (t) => {
  t.match(brandOf(' shop <co> '), { name: 'shop &#60;co&#62;', initial: 'S' });
  t.same(brandOf('<script>').initial, '&#60;');
  t.same(brandOf('école').initial, 'É');
  t.same(brandOf('e\u0301cole').initial, 'E\u0301');
  t.same(brandOf('👩‍👩‍👧 family').initial, '👩‍👩‍👧');
  t.same(brandOf('  '), NOBODY);
  t.same([mark(NOBODY), owner(NOBODY, 'en')], ['', '']);
});

t.test('an environment without a brand name shows the name of its project, otherwise that of the brand', async (t) => {
  t.same(environmentBrand(environmentRecord()), brandOf(environmentRecord().project_name));
  t.ok(isUnbranded(environmentBrand(environmentRecord())));
  t.match(branded({ name: null }), { name: brandOf(environmentRecord().project_name).name });
  t.match(branded(), { name: '&#60;Shop&#62;', initial: '&#60;' });
});

t.test('the rendered brand is reused while the environment stays the same', async (t) => {
  const record = environmentRecord({ brand: FULL });
  t.equal(environmentBrand(record), environmentBrand(record));
  t.not(environmentBrand({ ...record }), environmentBrand(record));
});

t.test('the logo replaces the letter, and another logo has another address', async (t) => {
  t.match(mark(branded()), /^<img class="logo" src="\/\.well-known\/brand-logo\?v=[0-9a-f]{12}" alt="">\n$/);
  t.not(branded({ logo: 'AAAA' }).logo_url, branded().logo_url);
  t.match(mark(branded({ logo: null })), '<p class="mark" aria-hidden="true">');
});

const OPEN: OpenPage = {
  brand: NOBODY,
  language: 'en',
  open_url: 'shop://a',
  store_url: 'https://apps.apple.com/app/id1',
  web_url: '',
  copied_url: '',
  attempt_url: '',
  device_url: '',
  in_app: false,
};

t.test('every page of every language shows name, logo, colour and help, and stays small', async (t) => {
  const brand = branded();
  for (const language of LANGUAGES) {
    const pages = [
      ...STATUS_PAGE_NAMES.map((name) => Buffer.from(statusPage(name, language, brand).body).toString()),
      renderPasswordPage('throttled', language, brand),
      renderOpenPage({ ...OPEN, language, brand }),
    ];
    const help = `<a href="https://shop.example/help?a=b&#38;c=%22" rel="noreferrer">${TEXTS[language].support_link}</a>`;
    for (const page of pages) {
      for (const part of [brand.logo_url, brand.style, help]) t.ok(page.includes(part), `${language}: ${part}`);
      t.match(page, '<p class="owner">&#60;Shop&#62; · <a');
      t.notMatch(page, /<Shop>/);
      t.ok(Buffer.byteLength(page) < 7000, `${language}: ${Buffer.byteLength(page)} bytes`);
    }
  }
});

t.test("two environments with the same name never get each other's pages", async (t) => {
  const html = (brand: ReturnType<typeof branded>) => Buffer.from(statusPage('not_found', 'en', brand).body).toString();
  const [yellow, blue, plain] = [branded(), branded({ color: '#0000ff', logo: null }), brandOf('<Shop>')];
  for (const brand of [yellow, blue, plain, yellow, plain, blue]) {
    t.equal(html(brand).includes('--fill:#ffcc00'), brand === yellow);
    t.equal(html(brand).includes('--fill:#0000ff'), brand === blue);
    t.equal(html(brand).includes('class="logo"'), brand === yellow);
  }
});
