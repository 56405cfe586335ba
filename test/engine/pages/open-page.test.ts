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

t.test('the page works without script: it has a button to the app and a link to the store', async (t) => {
  const html = renderOpenPage(PAGE);
  t.match(html, '<a class="main" href="intent://go.shop.example/abc#Intent;scheme=https;end"');
  t.match(html, '<a class="second" href="https://play.google.com/store/apps/details?id=a&#38;referrer=b"');
  t.match(html, '<h1>Continue in the Shop &#60;Co&#62; $&#38; app</h1>');
});

t.test('without a store the page links to the browser, and without an app to open the store is the button', async (t) => {
  const web = renderOpenPage({ ...PAGE, store_url: '', web_url: 'https://shop.example/' });
  t.match(web, '<a class="second" href="https://shop.example/" rel="noreferrer">Continue in the browser</a>');
  const store = renderOpenPage({ ...PAGE, open_url: '', attempt_url: '' });
  t.match(store, '<a class="main" href="https://play.google.com');
  t.match(store, '<h1>Get the Shop');
  t.notMatch(store, 'class="second"');
});

t.test('beside a store the page links to the browser, last and in every language', async (t) => {
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

t.test('the page has one script, which the policy names by its hash and which does not depend on the link', async (t) => {
  for (const device_url of ['', '/.well-known/click-device?click_id=clk_1']) {
    const script = /<script>(.*)<\/script>/s.exec(renderOpenPage({ ...PAGE, device_url }))?.[1] ?? '';
    t.ok(openPageCsp({ ...PAGE, device_url }).includes(sha256Source(script)));
    const other = renderOpenPage({ ...PAGE, attempt_url: '', store_url: 'https://x.example', device_url: device_url && `${device_url}2` });
    t.equal(script, /<script>(.*)<\/script>/s.exec(other)?.[1]);
  }
});

t.test('only the link to the store carries the text that a tap on it copies', async (t) => {
  t.notMatch(renderOpenPage(PAGE), /<a[^>]* data-copy=/);
  const html = renderOpenPage({ ...PAGE, copied_url: 'https://go.shop.example/abc?click_id=clk_1&a="' });
  t.match(html, /<a class="second" href="https:\/\/play[^>]* data-copy="https:\/\/go\.shop\.example\/abc\?click_id=clk_1&#38;a=&#34;">/);
  t.equal(html.match(/<a[^>]* data-copy=/g)?.length, 1);
});

t.test('the page tries to open the app by itself only if it has a store to fall back to, and not inside another app', async (t) => {
  t.match(renderOpenPage(PAGE), 'data-attempt=');
  t.notMatch(renderOpenPage({ ...PAGE, store_url: '' }), / data-attempt=/);
  t.notMatch(renderOpenPage({ ...PAGE, attempt_url: '', in_app: true }), / data-attempt=/);
});

t.test('in every language the page has all its texts, and stays under 10 KB with the longest addresses of a link', async (t) => {
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

t.test('only a page that reports the device has an address to report to, and it connects to its own host alone', async (t) => {
  t.notMatch(renderOpenPage(PAGE), / data-device=/);
  const html = renderOpenPage({ ...PAGE, device_url: '/.well-known/click-device?click_id=clk_1' });
  t.match(html, '<body data-device="/.well-known/click-device?click_id=clk_1" data-attempt=');
  t.match(openPageCsp({ ...PAGE, device_url: '/x' }), "connect-src 'self';");
  t.notMatch(openPageCsp(PAGE), 'connect-src');
});

t.test('a device that may be an iPad gets the page for a desktop, with the way to the app hidden', async (t) => {
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
    t.match(html, '<body data-device="/.well-known/click-device?click_id=clk_1">', 'the app is not opened without a tap');
    t.ok(tabletPagePolicy(PAGE.brand).includes(sha256Source(/<script>(.*)<\/script>/s.exec(html)?.[1] ?? '')));
  }
});
