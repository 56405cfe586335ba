import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { answerStaticFile, readStaticFiles, type StaticFile } from '../../../control-plane/http/static-files.js';

const SCRIPT = 'console.log("hello");'.repeat(100);

function filesIn(folder: string): ReadonlyMap<string, StaticFile> {
  return new Map(readStaticFiles(folder).map((file) => [file.name, file]));
}

function folderOf(t: Test): string {
  const folder = t.testdir({
    'index.html': '<!doctype html>',
    '.fingerprint': 'x',
    'notes.txt': 'not for the world',
    assets: { 'main-1a2b.js': SCRIPT, 'main-1a2b.js.br': 'brotli form' },
  });
  writeFileSync(join(folder, 'assets', 'main-1a2b.js.gz'), gzipSync(SCRIPT));
  return folder;
}

t.test('only files of known types are served, and a missing folder has no files', async (t) => {
  t.strictSame([...filesIn(folderOf(t)).keys()].sort(), ['assets/main-1a2b.js', 'index.html']);
  t.strictSame(readStaticFiles(join(t.testdir(), 'missing')), []);
});

t.test('a file is sent in the smallest encoding that the client accepts', async (t) => {
  const file = filesIn(folderOf(t)).get('assets/main-1a2b.js') as StaticFile;
  const cases: readonly (readonly [string | undefined, string | undefined])[] = [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['BR;Q=0.5', 'br'],
    ['br;q=0, gzip;q=0', undefined],
    ['identity', undefined],
    ['', undefined],
    [undefined, undefined],
  ];
  for (const [accepted, encoding] of cases) {
    const { status, headers, body } = answerStaticFile(file, accepted, undefined);
    t.strictSame([status, headers['content-encoding'], headers.vary], [200, encoding, 'accept-encoding'], String(accepted));
    t.strictSame(body, file.forms[(encoding ?? 'identity') as 'br'], String(accepted));
  }
});

t.test('a file with a hash in its name is cached forever, and others are revalidated with their entity tag', async (t) => {
  const files = filesIn(folderOf(t));
  const script = answerStaticFile(files.get('assets/main-1a2b.js') as StaticFile, 'br', undefined);
  t.equal(script.headers['cache-control'], 'public, max-age=31536000, immutable');
  const page = files.get('index.html') as StaticFile;
  const first = answerStaticFile(page, 'br', undefined);
  t.equal(first.headers['cache-control'], 'no-cache');
  t.equal(first.headers['content-type'], 'text/html; charset=utf-8');
  const etag = first.headers.etag as string;
  t.match(answerStaticFile(page, 'br', `"other", W/${etag}`), { status: 304, body: '' });
  t.equal(answerStaticFile(page, 'br', '"other"').status, 200);
});

t.test('each encoding has its own entity tag', async (t) => {
  const file = filesIn(folderOf(t)).get('assets/main-1a2b.js') as StaticFile;
  const tags = ['br', 'gzip', ''].map((accepted) => answerStaticFile(file, accepted, undefined).headers.etag);
  t.equal(new Set(tags).size, 3);
});
