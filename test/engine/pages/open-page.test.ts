import t from 'tap';
import { brandOf, sha256Source } from '../../../engine/pages/brand.js';
import { type OpenPage, openPageCsp, renderOpenPage } from '../../../engine/pages/open-page.js';
import { renderTabletPage, tabletPagePolicy } from '../../../engine/pages/tablet-page.js';
import { LANGUAGES } from '../../../engine/pages/texts/language.js';
import { TEXTS } from '../../../engine/pages/texts/texts.js';

const PAGE: OpenPage = {
  brand: brandOf('Shop <Co> $&'),
  language: 'en',
  open_url: 'intent://go.shop.example/abc#Intent;scheme=https;end',
  store_url: 'https://play.google.com/store/apps/details?id=a&referrer=b',
  web_url: '',
  copied_url: '',
  attempt_url: 'intent://go.shop.example/abc#Intent;scheme=https;end',
  device_url: '',
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

t.test('next to a store the page leads on in the browser, last and in every language', async (t) => {
  for (const language of LANGUAGES) {
    const html = renderOpenPage({ ...PAGE, language, web_url: 'https://shop.example/?a=1&b=2' });
    const links = [...html.matchAll(/<a class="(main|second)" href="([^"]*)"[^>]*>([^<]*)</g)].map(([, kind, , label]) => [kind, label]);
    const { open_button, get_button, web_link } = TEXTS[language];
    t.same(links, [
      ['main', open_button.replaceAll("'", '&#39;')],
      ['second', get_button.replaceAll("'", '&#39;')],
      ['second', web_link.replaceAll("'", '&#39;')],
    ]);
    t.match(html, 'href="https://shop.example/?a=1&#38;b=2" rel="noreferrer">');
  }
});

t.test('its one script is known by its hash and holds nothing of the link', async (t) => {
  for (const device_url of ['', '/.well-known/click-device?click_id=clk_1']) {
    const script = /<script>(.*)<\/script>/s.exec(renderOpenPage({ ...PAGE, device_url }))?.[1] ?? '';
    t.ok(openPageCsp({ ...PAGE, device_url }).includes(sha256Source(script)));
    const other = renderOpenPage({ ...PAGE, attempt_url: '', store_url: 'https://x.example', device_url: device_url && `${device_url}2` });
    t.equal(script, /<script>(.*)<\/script>/s.exec(other)?.[1]);
  }
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

t.test('where there is something to learn the page knows where to tell it, and asks nobody else', async (t) => {
  t.notMatch(renderOpenPage(PAGE), / data-device=/);
  const html = renderOpenPage({ ...PAGE, device_url: '/.well-known/click-device?click_id=clk_1' });
  t.match(html, '<body data-device="/.well-known/click-device?click_id=clk_1" data-attempt=');
  t.match(openPageCsp({ ...PAGE, device_url: '/x' }), "connect-src 'self';");
  t.notMatch(openPageCsp(PAGE), 'connect-src');
});

t.test('what may be an iPad gets the page of a desktop, and the way to the app out of sight', async (t) => {
  for (const language of LANGUAGES) {
    const html = renderTabletPage({
      ...PAGE,
      language,
      open_url: '',
      attempt_url: '',
      device_url: '/.well-known/click-device?click_id=clk_1',
    });
    t.match(html, /<div id="mac">\n<svg/);
    t.match(html, /<div id="ipad" hidden>\n.*<a class="main" href="https:\/\/play\.google\.com/s);
    t.match(html, '<body data-device="/.well-known/click-device?click_id=clk_1">', 'nothing is tried without a tap');
    t.ok(tabletPagePolicy(PAGE.brand).includes(sha256Source(/<script>(.*)<\/script>/s.exec(html)?.[1] ?? '')));
  }
});
