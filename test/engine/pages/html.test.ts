import { createHash } from 'node:crypto';
import t from 'tap';
import { brandOf, cspHash, mark, NOBODY, owner, renderPage, STATIC_PAGE_CSP, scriptPageCsp } from '../../../engine/pages/html.js';

const PARTS = { language: 'en', title: 'Title', head: '', bodyAttributes: '', main: '<h1>Title</h1>', script: '' } as const;

t.test('the policy names the very style and script of the page', async (t) => {
  const html = renderPage({ ...PARTS, script: 'alert(1)' });
  const style = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? '';
  t.ok(STATIC_PAGE_CSP.includes(cspHash(style)));
  t.ok(scriptPageCsp('alert(1)').includes(cspHash(style)));
  t.ok(scriptPageCsp('alert(1)').includes(`script-src 'sha256-${createHash('sha256').update('alert(1)').digest('base64')}'`));
  t.notMatch(STATIC_PAGE_CSP, /script-src|unsafe/);
});

t.test('a page names its language and its title, and loads nothing', async (t) => {
  const html = renderPage({ ...PARTS, language: 'zh' });
  t.match(html, '<html lang="zh-Hans">');
  t.match(html, '<title>Title</title>');
  t.notMatch(html, /\bsrc=|@import|url\(|<script/);
});

t.test("a project's mark is the first letter of its name, as a person would say it, and both are escaped", async (t) => {
  t.same(brandOf(' shop <co> '), { name: 'shop &#60;co&#62;', initial: 'S' });
  t.same(brandOf('<script>').initial, '&#60;');
  t.same(brandOf('école').initial, 'É');
  t.same(brandOf('e\u0301cole').initial, 'E\u0301');
  t.same(brandOf('👩‍👩‍👧 family').initial, '👩‍👩‍👧');
  t.same(brandOf('  '), NOBODY);
  t.same([mark(NOBODY), owner(NOBODY.name)], ['', '']);
});
