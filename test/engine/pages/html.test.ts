import { createHash } from 'node:crypto';
import t from 'tap';
import { environmentBrand, NOBODY, sha256Source } from '../../../engine/pages/brand.js';
import { pagePolicy, renderPage, STATIC_PAGE_CSP, staticPagePolicy } from '../../../engine/pages/html.js';
import { environmentRecord } from '../fixtures.js';

const PARTS = { brand: NOBODY, language: 'en', title: 'Title', head: '', bodyAttributes: '', main: '<h1>Title</h1>', script: '' } as const;
const scripted = pagePolicy({ scripts: ['alert(1)'], connects: false, style: '' });

t.test('the policy names exactly the style and script of the page', async (t) => {
  const html = renderPage({ ...PARTS, script: 'alert(1)' });
  const style = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? '';
  t.ok(STATIC_PAGE_CSP.includes(sha256Source(style)));
  t.ok(scripted(NOBODY).includes(sha256Source(style)));
  t.ok(scripted(NOBODY).includes(`script-src 'sha256-${createHash('sha256').update('alert(1)').digest('base64')}'`));
  t.notMatch(STATIC_PAGE_CSP, /script-src|img-src|unsafe/);
});

t.test('a brand adds only its own colours and its own logo to the policy', async (t) => {
  const brand = environmentBrand(environmentRecord({ brand: { name: null, color: '#ffcc00', logo: 'aaaa', support_url: null } }));
  const html = renderPage({ ...PARTS, brand });
  const styles = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, text = '']) => text);
  t.equal(styles.length, 2);
  for (const policy of [staticPagePolicy(brand), scripted(brand)]) {
    for (const style of styles) t.ok(policy.includes(sha256Source(style)));
    t.match(policy, "; img-src 'self'; ");
    t.equal(
      policy.replace(` ${sha256Source(brand.style)}`, '').replace("img-src 'self'; ", ''),
      policy === scripted(brand) ? scripted(NOBODY) : STATIC_PAGE_CSP,
    );
  }
});

t.test('a page names its language and its title, and loads nothing', async (t) => {
  const html = renderPage({ ...PARTS, language: 'zh' });
  t.match(html, '<html lang="zh-Hans">');
  t.match(html, '<title>Title</title>');
  t.notMatch(html, /\bsrc=|@import|url\(|<script/);
});
