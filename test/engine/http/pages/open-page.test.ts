import t from 'tap';
import { brandOf, cspHash } from '../../../../engine/http/pages/html.js';
import { LANGUAGES } from '../../../../engine/http/pages/language.js';
import { OPEN_PAGE_CSP, type OpenPage, renderOpenPage } from '../../../../engine/http/pages/open-page.js';
import { TEXTS } from '../../../../engine/http/pages/texts/texts.js';

const PAGE: OpenPage = {
  brand: brandOf('Shop <Co> $&'),
  language: 'en',
  open_url: 'intent://go.shop.example/abc#Intent;scheme=https;end',
  store_url: 'https://play.google.com/store/apps/details?id=a&referrer=b',
  web_url: '',
  copied_url: '',
  attempt_url: 'intent://go.shop.example/abc#Intent;scheme=https;end',
  in_app: false,
};

t.test('the page works without script: a button to the app and a link to the store', async (t) => {
  const html = renderOpenPage(PAGE);
  t.match(html, '<a class="main" href="intent://go.shop.example/abc#Intent;scheme=https;end"');
  t.match(html, '<a class="second" href="https://play.google.com/store/apps/details?id=a&#38;referrer=b"');
  t.match(html, '<h1>Continue in the Shop &#60;Co&#62; $&#38; app</h1>');
});

t.test('without a store the page leads on in the browser, and without an app to open the store is the button', async (t) => {
  const web = renderOpenPage({ ...PAGE, store_url: '', web_url: 'https://shop.example/' });
  t.match(web, '<a class="second" href="https://shop.example/" rel="noreferrer">Continue in the browser</a>');
  const store = renderOpenPage({ ...PAGE, open_url: '', attempt_url: '' });
  t.match(store, '<a class="main" href="https://play.google.com');
  t.match(store, '<h1>Get the Shop');
  t.notMatch(store, 'class="second"');
});

t.test('its one script is known by its hash and holds nothing of the link', async (t) => {
  const script = /<script>(.*)<\/script>/s.exec(renderOpenPage(PAGE))?.[1] ?? '';
  t.ok(OPEN_PAGE_CSP.includes(cspHash(script)));
  t.equal(script, /<script>(.*)<\/script>/s.exec(renderOpenPage({ ...PAGE, attempt_url: '', store_url: 'https://x.example' }))?.[1]);
});

t.test('the link that goes to the store carries what a tap on it copies, and no other does', async (t) => {
  t.notMatch(renderOpenPage(PAGE), /<a[^>]* data-copy=/);
  const html = renderOpenPage({ ...PAGE, copied_url: 'https://go.shop.example/abc?click_id=clk_1&a="' });
  t.match(html, /<a class="second" href="https:\/\/play[^>]* data-copy="https:\/\/go\.shop\.example\/abc\?click_id=clk_1&#38;a=&#34;">/);
  t.equal(html.match(/<a[^>]* data-copy=/g)?.length, 1);
});

t.test('there is an attempt only with a store to fall back to, and none inside another app', async (t) => {
  t.match(renderOpenPage(PAGE), 'data-attempt=');
  t.notMatch(renderOpenPage({ ...PAGE, store_url: '' }), / data-attempt=/);
  t.notMatch(renderOpenPage({ ...PAGE, attempt_url: '', in_app: true }), / data-attempt=/);
});

t.test('in every language the page says what it says, and stays under 10 KB with the longest addresses a link can have', async (t) => {
  for (const language of LANGUAGES) {
    const long = `https://play.google.com/${'x'.repeat(2024)}`;
    const html = renderOpenPage({
      ...PAGE,
      language,
      open_url: long,
      store_url: long,
      copied_url: `https://go.shop.example/${'p'.repeat(64)}?click_id=clk_${'0'.repeat(26)}`,
      in_app: true,
    });
    t.ok(Buffer.byteLength(html) < 10_000, `${language}: ${Buffer.byteLength(html)} bytes`);
    for (const text of [TEXTS[language].open_button, TEXTS[language].get_button, TEXTS[language].in_app_hint])
      t.ok(html.includes(text.replaceAll("'", '&#39;')), text);
    t.notMatch(renderOpenPage({ ...PAGE, language }), TEXTS[language].in_app_hint);
  }
});
