import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { csvRows } from '../../../../control-plane/imports/sources/csv-rows.js';
import { SOURCES } from '../../../../control-plane/imports/sources.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const folder = temporaryFolder(t);

async function readBy(source: string, text: string | Buffer) {
  const file = join(folder, 'links.csv');
  writeFileSync(file, text);
  const links = [];
  const input = {
    file,
    apiKey: null,
    baseUrl: null,
    interrupted: new AbortController().signal,
    done: new Set<string>(),
    onWait: () => {},
    onRead: () => {},
  };
  for await (const link of SOURCES[source]?.read(input) ?? []) links.push(link);
  return links;
}

t.test('cells beyond the header, of a repeated column and of a column without a name are reported as lost', async (t) => {
  const links = await readBy('csv', 'path,web,,web\na,https://shop.example/,x,https://elsewhere.example/,y\nb,https://shop.example/,,\n');
  t.match(
    links.map(({ lost, fields }) => [[...lost].sort(), fields.destinations?.web]),
    [
      [['column 3', 'column 5', 'web (column 4)'], 'https://shop.example/'],
      [[], 'https://shop.example/'],
    ],
  );
});

t.test('progress reports how much of the file was read', async (t) => {
  const file = join(folder, 'long.csv');
  const text = `path,web\n${'a,https://shop.example/\n'.repeat(10_000)}`;
  writeFileSync(file, text);
  const read: (readonly [number, number])[] = [];
  let rows = 0;
  for await (const _ of csvRows(file, new Set(['web']), (soFar, of) => read.push([soFar, of]))) rows++;
  t.equal(rows, 10_000);
  t.ok(read.length > 1 && read.every(([soFar, of], at) => of === text.length && soFar > (read[at - 1]?.[0] ?? 0)));
  t.same(read.at(-1), [text.length, text.length]);
});

t.test('a quote that is never closed is named with the line of its row', async (t) => {
  for (const [text, line] of [
    [`path,title\na,A\nb,"B\n${'c,C\n'.repeat(500)}`, 3],
    ['sep=,\r\npath,title\r\n\r\n"a\nA",A\r\n\r\n\r\nb,"B\r\n', 8],
    ['path,"title\na,A\n', 1],
    ['path,title\r\na,"A\r\nB\r\n"\r\n"\r\n\r\n",A\nb,"two\nlines"\r\n\r\nc,"C\r\nD\r\n', 11],
    [`path,title\n${'a,"A\r\nB"\n'.repeat(50_000)}b,"B`, 100_002],
  ] as const)
    await t.rejects(readBy('csv', text), { name: 'SyntaxError', message: `the row in line ${line} has a quote that is never closed` });
});

t.test('a row that is not CSV is named with its line', async (t) => {
  const text = 'path,title\r\na,"A\r\nB"\r\nb,"B"B\r\n';
  await t.rejects(readBy('csv', text), {
    name: 'SyntaxError',
    message: /^line 4 is not CSV: Invalid Closing Quote: found non trimable byte after quote$/,
  });
});

t.test('a file without any line has no rows', async (t) => {
  const file = join(folder, 'empty.csv');
  writeFileSync(file, '');
  for await (const row of csvRows(file, new Set(['path']))) t.fail(`there was a row: ${JSON.stringify(row)}`);
});

const WRONG_TEXTS = {
  'Windows-1252': (text: string) => Buffer.from(text, 'latin1'),
  'UTF-16': (text: string) => Buffer.from(text, 'utf16le'),
  'UTF-16 with a byte order mark': (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
};

t.test('a file that is not UTF-8 is refused before its first row, wherever the invalid byte is', async (t) => {
  for (const [name, encode] of Object.entries(WRONG_TEXTS)) {
    await t.rejects(readBy('csv', encode('path,title\na,Caf\u00e9\n')), { name: 'SyntaxError', message: /not UTF-8 text/ }, name);
    await t.rejects(readBy('ndjson', encode('{"path":"a","title":"Caf\u00e9"}\n')), { message: /not UTF-8 text/ }, name);
  }
  const file = join(folder, 'late.csv');
  writeFileSync(file, Buffer.concat([Buffer.from(`path,title\n${'a,b\n'.repeat(400_000)}`), Buffer.from([0xe9, 0x0a])]));
  await t.rejects(
    csvRows(file, new Set(['path']))
      [Symbol.asyncIterator]()
      .next(),
    { message: /not UTF-8 text/ },
  );
  const cut = Buffer.from('path,title\na,Caf\u00e9').subarray(0, -1);
  await t.rejects(readBy('csv', cut), { message: /not UTF-8 text/ }, 'an incomplete last character is refused');
  t.match(await readBy('csv', '\uFEFFpath,title\na,Caf\u00e9\n'), [{ fields: { title: 'Caf\u00e9' } }]);
});

const OTHER_KINDS = [
  [gzipSync('path,web\na,https://shop.example/\n'), /is compressed, or a spreadsheet/],
  [Buffer.from('PK\x03\x04xl/worksheets/sheet1.xml'), /is compressed, or a spreadsheet/],
  [Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), /is compressed, or a spreadsheet/],
  ['[{"path":"a"}]', /is a JSON array/],
  ['\uFEFF\n [\n{"path":"a"}]', /is a JSON array/],
] as const;

t.test('a file of another kind is refused with what it is', async (t) => {
  for (const source of ['csv', 'ndjson', 'bitly', 'dub', 'firebase'])
    for (const [content, message] of OTHER_KINDS) await t.rejects(readBy(source, content), { name: 'SyntaxError', message }, source);
});

t.test('a file whose header has no known column is refused before its first row', async (t) => {
  for (const source of ['csv', 'bitly', 'dub'])
    await t.rejects(readBy(source, 'colour,size\nred,1\n'), { name: 'SyntaxError', message: /no known column, such as/ }, source);
});
