import { createHash } from 'node:crypto';
import t from 'tap';
import { cspHash, renderPage, STATIC_PAGE_CSP, scriptPageCsp } from '../../../../engine/http/pages/html.js';

const PARTS = { title: 'Title', head: '', bodyAttributes: '', main: '<h1>Title</h1>', script: '' };

t.test('the policy names the very style and script of the page', async (t) => {
  const html = renderPage({ ...PARTS, script: 'alert(1)' });
  const style = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? '';
  t.ok(STATIC_PAGE_CSP.includes(cspHash(style)));
  t.ok(scriptPageCsp('alert(1)').includes(cspHash(style)));
  t.ok(scriptPageCsp('alert(1)').includes(`script-src 'sha256-${createHash('sha256').update('alert(1)').digest('base64')}'`));
  t.notMatch(STATIC_PAGE_CSP, /script-src|unsafe/);
});

t.test('a page names its language and its title, and loads nothing', async (t) => {
  const html = renderPage({ ...PARTS, title: 'A <b>' });
  t.match(html, '<html lang="en">');
  t.match(html, '<title>A &#60;b&#62;</title>');
  t.notMatch(html, /\bsrc=|@import|url\(|<script/);
});
