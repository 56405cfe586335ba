import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { GUIDE_NAMES, PAGE_NAMES, readGuide, renderGuide } from '../../../control-plane/docs/guides.js';
import { ROOT, readTreeFile } from '../../support/source-tree.js';

const FOLDER = 'control-plane/docs/guides';

const rendered = (markdown: string) => renderGuide(readGuide('one', `# One\n\n${markdown}\n`), ['one', 'two']).html;

t.test('every guide is listed, and its links lead to existing guides and operations', async (t) => {
  const files = readdirSync(join(ROOT, FOLDER)).map((file) => file.replace('.md', ''));
  t.same(files.toSorted(), [...GUIDE_NAMES].toSorted());
  const { paths } = JSON.parse(readTreeFile('shared/contract/openapi.json')) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly tags: readonly string[] }>>>>;
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { tags }]) => `tag/${tags[0]?.toLowerCase().replaceAll(' ', '-')}/${method.toUpperCase()}${path}`,
    ),
  );
  for (const name of GUIDE_NAMES) {
    const guide = readGuide(name, readTreeFile(`${FOLDER}/${name}.md`));
    const { html, headings } = renderGuide(guide, PAGE_NAMES);
    t.ok(headings.length > 2, name);
    for (const [, href = ''] of html.matchAll(/href="([^"]+)"/g)) {
      const anchor = /^\.\.\/\.\.\/docs#(.+)$/.exec(href)?.[1];
      if (anchor !== undefined) t.ok(operations.includes(decodeURI(anchor)), `${name}: ${anchor}`);
    }
  }
});

t.test('no two samples of a guide create a link with the same path, which the second one could not have', async (t) => {
  for (const name of GUIDE_NAMES) {
    const paths = [...readTreeFile(`${FOLDER}/${name}.md`).matchAll(/^ *(?:-d '\{)?"?path"?: ["'](\w[\w-]*)["']/gm)].map(
      ([, path]) => path,
    );
    t.same(paths, [...new Set(paths)], name);
    if (name === 'first-link') t.ok(paths.length > 2);
  }
});

t.test('a guide may link only to guides and the reference, and has no images or HTML', async (t) => {
  t.match(rendered('[Two](two.md#part)'), '<a href="two#part">Two</a>');
  t.match(rendered('[Links](../../docs#tag/links/POST/links)'), '<a href="../../docs#tag/links/POST/links">Links</a>');
  for (const href of ['three.md', 'https://example.com/', '//example.com', '/docs', 'javascript:alert(1)'])
    t.throws(() => rendered(`[Away](${href})`), /is not a guide/, href);
  for (const markdown of ['![A picture](two.md)', '<b>bold</b>', 'a <i>word</i>'])
    t.throws(() => rendered(markdown), /a guide has/, markdown);
  t.throws(() => readGuide('one', 'No heading.'), /begins with no heading/);
});

t.test('code is shown as written, and code and tables can be scrolled', async (t) => {
  t.match(rendered('```\n<b> & "c"\n```'), '<pre tabindex="0"><code>&#60;b&#62; &#38; &#34;c&#34;</code></pre>');
  t.match(rendered('| a | b |\n|---|---|\n| 1 | 2 |'), '<div class="wide" tabindex="0"><table>');
  t.same(renderGuide(readGuide('one', '# One\n\n## Is it `well`?\n'), []).headings, [{ id: 'is-it-well', text: 'Is it well?' }]);
});

t.test('a table column without a name has no header cell', async (t) => {
  const html = rendered('| Member | |\n|---|---|\n| `id` | its id |');
  t.equal(html.match(/<th>/g)?.length, 1);
  t.match(html, '<td></td>');
});
