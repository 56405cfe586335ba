import { existsSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import t from 'tap';
import { PAGE_NAMES } from '../../../control-plane/docs/guides.js';
import { DOCS_PATH, docsFiles } from '../../../control-plane/http/docs.js';
import { ROOT } from '../../support/source-tree.js';

const BUILD = join(ROOT, 'dist', 'docs');
const REPAIR = 'npm run build makes it';
const files = docsFiles({});
const textOf = (path: string) => files.get(path)?.forms.identity.toString() ?? '';
const pages = [DOCS_PATH, ...PAGE_NAMES.map((name) => `${DOCS_PATH}/guides/${name}`)];

/** The paths that a page names, resolved as by a browser. */
function namedBy(path: string): readonly string[] {
  const named = [...textOf(path).matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address = '']) => address);
  return named
    .filter((address) => !/^(?:data:,|#|$)/.test(address))
    .map((address) => new URL(address, `http://docs.invalid${path}`))
    .map((url) => (url.host === 'docs.invalid' ? url.pathname : url.href));
}

/** The maximum size of what the reference loads before it can show anything, brotli-compressed. */
const FIRST_LOAD_BYTES_MAX = 800_000;

t.test('the first load of the reference stays within its size budget, and the page names every imported file', async (t) => {
  t.ok(existsSync(join(BUILD, 'index.html')), REPAIR);
  const loaded = namedBy(DOCS_PATH).filter((path) => /\.(?:js|css)$/.test(path));
  const bytes = loaded.reduce((sum, path) => sum + (files.get(path)?.forms.br?.length ?? 0), 0);
  t.comment(`first load ${bytes} bytes in ${loaded.length} files`);
  t.ok(bytes > 0 && bytes < FIRST_LOAD_BYTES_MAX, `${bytes} bytes`);
  for (const path of loaded.filter((path) => path.includes('/scalar-')))
    for (const [, address = ''] of textOf(path).matchAll(/(?:\bfrom|\bimport)\s*[`"'](\.{1,2}\/[^`"']+\.js)[`"']/g))
      t.ok(loaded.includes(posix.join(posix.dirname(path), address)), `${path} imports ${address}`);
});

t.test('every address that a page names is served here, and pages have no inline scripts or styles', async (t) => {
  for (const page of pages) {
    t.notMatch(textOf(page), /<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/i, page);
    for (const path of namedBy(page)) t.ok(files.has(path), `${page} names ${path}`);
    for (const other of pages) t.ok(namedBy(page).includes(other) || other === page, `${page} links to ${other}`);
  }
  t.notMatch(textOf(namedBy(DOCS_PATH).find((path) => path.endsWith('.css')) ?? ''), /@import|url\(/);
});

t.test('files with a hash in their name are cached forever in brotli and gzip, and pages are revalidated', async (t) => {
  for (const [path, { headers, forms }] of files) {
    const isAsset = path.startsWith(`${DOCS_PATH}/assets/`);
    if (isAsset) t.match(path, /\/(?:scalar|docs|reference)-[0-9a-f]{8}[./]/);
    t.equal(headers['cache-control'], isAsset ? 'public, max-age=31536000, immutable' : 'no-cache', path);
    if (isAsset && forms.identity.length >= 1024) t.ok((forms.br?.length ?? Infinity) < (forms.gzip?.length ?? 0), path);
  }
});

t.test('the build has neither Scalar’s chat nor source maps', async (t) => {
  const names = readdirSync(BUILD, { recursive: true, encoding: 'utf8' });
  t.same(
    names.filter((name) => /agent|\.map$/i.test(name)),
    [],
  );
  t.notMatch([...files.values()].map(({ forms }) => forms.identity.subarray(-200).toString()).join('\n'), /sourceMappingURL/);
});
