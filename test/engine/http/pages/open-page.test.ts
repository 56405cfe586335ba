import t from 'tap';
import { cspHash } from '../../../../engine/http/pages/html.js';
import { OPEN_PAGE_CSP, type OpenPage, renderOpenPage } from '../../../../engine/http/pages/open-page.js';

const PAGE: OpenPage = {
  project_name: 'Shop <Co>',
  open_url: 'intent://go.shop.example/abc#Intent;scheme=https;end',
  store_url: 'https://play.google.com/store/apps/details?id=a&referrer=b',
  attempt_url: 'intent://go.shop.example/abc#Intent;scheme=https;end',
  in_app: false,
};

t.test('the page works without script: a button to the app and a link to the store', async (t) => {
  const html = renderOpenPage(PAGE);
  t.match(html, '<a class="open" href="intent://go.shop.example/abc#Intent;scheme=https;end"');
  t.match(html, '<a href="https://play.google.com/store/apps/details?id=a&#38;referrer=b"');
  t.match(html, 'Shop &#60;Co&#62;');
  t.ok(Buffer.byteLength(html) < 10_000);
});

t.test('its one script is known by its hash and holds nothing of the link', async (t) => {
  const script = /<script>(.*)<\/script>/s.exec(renderOpenPage(PAGE))?.[1] ?? '';
  t.ok(OPEN_PAGE_CSP.includes(cspHash(script)));
  t.equal(script, /<script>(.*)<\/script>/s.exec(renderOpenPage({ ...PAGE, attempt_url: '', store_url: 'https://x.example' }))?.[1]);
});

t.test('there is an attempt only with a store to fall back to, and none inside another app', async (t) => {
  t.match(renderOpenPage(PAGE), 'data-attempt=');
  t.notMatch(renderOpenPage({ ...PAGE, store_url: '' }), / data-attempt=/);
  t.notMatch(renderOpenPage({ ...PAGE, attempt_url: '', in_app: true }), / data-attempt=/);
  t.match(renderOpenPage({ ...PAGE, in_app: true }), 'Open in browser');
  t.notMatch(renderOpenPage(PAGE), 'Open in browser');
});
