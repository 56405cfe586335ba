import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { dashboardFiles } from '../../../control-plane/http/dashboard.js';
import { ROOT } from '../../support/source-tree.js';

const BUILD = join(ROOT, 'dist', 'dashboard');
const REPAIR = 'npm run build makes it';
const assets = () => readdirSync(join(BUILD, 'assets')).filter((name) => /\.(js|css)$/.test(name));

/** The files that the page requests before it can show anything: those that its head names, and those that these scripts import. */
function firstLoad(): ReadonlySet<string> {
  const named = new Set(['index.html']);
  const follow = (from: string, pattern: RegExp) => {
    for (const [, name] of readFileSync(join(BUILD, from), 'utf8').matchAll(pattern)) {
      const file = `assets/${(name as string).split('/').at(-1)}`;
      if (named.has(file)) continue;
      named.add(file);
      if (file.endsWith('.js')) follow(file, /(?:from|import)\s*"(\.\/[^"]+\.js)"/g);
    }
  };
  follow('index.html', /(?:src|href)="(\.\/assets\/[^"]+)"/g);
  return named;
}

const bytesOf = (file: string, suffix: string) =>
  readFileSync(join(BUILD, existsSync(join(BUILD, file + suffix)) ? file + suffix : file)).length;

/** Half a second on a line of 1.6 Mbit/s. */
const FIRST_LOAD_GZIP_BYTES_MAX = 100_000;
const ALL_SCREENS_GZIP_BYTES_MAX = 500_000;

t.test('the first load and all screens together stay within their size budgets', async (t) => {
  t.ok(existsSync(join(BUILD, 'index.html')), REPAIR);
  const first = [...firstLoad()];
  t.ok(first.some((file) => file.endsWith('.js')) && first.some((file) => file.endsWith('.css')));
  const firstBytes = first.reduce((sum, file) => sum + bytesOf(file, '.gz'), 0);
  const allBytes = assets().reduce((sum, name) => sum + bytesOf(`assets/${name}`, '.gz'), 0);
  t.comment(`first load ${firstBytes} bytes gzipped in ${first.length} files; every screen together ${allBytes}`);
  t.ok(firstBytes < FIRST_LOAD_GZIP_BYTES_MAX, `${firstBytes} bytes`);
  t.ok(allBytes < ALL_SCREENS_GZIP_BYTES_MAX, `${allBytes} bytes`);
});

t.test('every larger file has a brotli form smaller than gzip, and is cached forever under a name with a hash', async (t) => {
  const files = dashboardFiles();
  for (const name of assets().filter((each) => bytesOf(`assets/${each}`, '') >= 1024)) {
    t.match(name, /-[\w-]{8}\.(js|css)$/, 'the name holds a hash');
    t.ok(bytesOf(`assets/${name}`, '.br') < bytesOf(`assets/${name}`, '.gz'), name);
    t.match(files.get(`/dashboard/assets/${name}`)?.headers['cache-control'], 'immutable');
    t.type(files.get(`/dashboard/assets/${name}`)?.forms.br, Buffer);
  }
});

t.test('the page has no inline scripts or styles, and loads nothing from other origins', async (t) => {
  const page = readFileSync(join(BUILD, 'index.html'), 'utf8');
  t.notMatch(page, /<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/i);
  for (const [, address] of page.matchAll(/(?:src|href)="([^"]*)"/g)) t.match(address, /^\.\//);
  for (const name of assets().filter((each) => each.endsWith('.css')))
    t.notMatch(readFileSync(join(BUILD, 'assets', name), 'utf8'), /@import|url\(\s*["']?(?:https?:)?\/\//i, name);
});
