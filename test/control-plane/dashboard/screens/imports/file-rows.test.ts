import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { FileFault } from '../../../../../control-plane/dashboard/screens/imports/file-fault.js';
import { rowsOfText, textOfBytes } from '../../../../../control-plane/dashboard/screens/imports/file-rows.js';
import { csvRows, rowOfCells } from '../../../../../control-plane/imports/sources/csv-rows.js';
import fc from '../../../../support/properties.js';
import { temporaryFolder } from '../../../../support/temporary-folder.js';

t.test('the dashboard reads the same rows from a file as the command line', async (t) => {
  const file = join(temporaryFolder(t), 'links.csv');
  const cell = fc.oneof(fc.constantFrom('', ' ', 'a', '"', '""', '"a;b"', '"x\ny"', 'ä', '💡', '=1'), fc.string({ unit: 'grapheme' }));
  const files = fc.record({
    bom: fc.boolean(),
    delimiter: fc.constantFrom(',', ';', '\t'),
    end: fc.constantFrom('\n', '\r\n'),
    rows: fc.array(fc.array(cell, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 8 }),
  });
  await fc.assert(
    fc.asyncProperty(files, async ({ bom, delimiter, end, rows }) => {
      const lines = [['path', ' Web ', 'title'], ...rows].map((cells) => cells.join(delimiter));
      const text = (bom ? '\uFEFF' : '') + lines.join(end);
      writeFileSync(file, text);
      const [browser, commandLine] = await Promise.all([fromBrowser(text), fromCommandLine(file)]);
      t.same(browser, commandLine, JSON.stringify(text));
    }),
    { numRuns: 200 },
  );
});

/** The rows by column name, as the API reads them. */
async function fromBrowser(text: string): Promise<unknown> {
  try {
    const { columns, rows } = rowsOfText(text);
    return rows.map((cells) => ({ ...rowOfCells(columns, cells) }));
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    return /no links/.test(error.message) ? [] : 'refused';
  }
}

async function fromCommandLine(file: string): Promise<unknown> {
  const rows: object[] = [];
  try {
    for await (const row of csvRows(file, new Set(['path']))) rows.push({ ...row });
    return rows;
  } catch {
    return 'refused';
  }
}

t.test('NDJSON is detected by the first line, which has to be JSON, and any other line that is not is left to the API', async (t) => {
  t.same(rowsOfText('\uFEFF{"path":"a"}\r\n\r\n{"path":"b"}\n'), { format: 'ndjson', columns: [], rows: [{ path: 'a' }, { path: 'b' }] });
  t.throws(() => rowsOfText('\n{"path":\n"a"}'), { message: /^Line 2 / });
  t.same(rowsOfText('{"path":"a"}\n{"path"\n\n{"path":"b"}').rows, [{ path: 'a' }, '{"path"', { path: 'b' }]);
  t.same(rowsOfText('{"title":"a\u2028\uFEFFb"}').rows, [{ title: 'a\u2028\uFEFFb' }], 'these characters are part of a text');
});

t.test('a file without links, or with one column twice, is refused', async (t) => {
  for (const [text, message] of [
    ['', /is empty/],
    ['path,web\r\n', /has no links/],
    ['path,PATH\r\na,b\r\n', /"path" is in the file twice/],
    ['path\n"a', /is not CSV: see line 2\./],
    ['path,title\n\na,"A\nb,B\nc,C\n', /is not CSV: see line 3\./],
    ['path,title\na,"A"B\nb,B\n', /is not CSV: see line 2\./],
    ['path,title\r\na,"A\r\nB\r\nC"\r\nb,"B\r\n', /is not CSV: see line 5\./],
    ['path,title\r\na,"A\r\nB"\r\nb,"B"B\r\n', /is not CSV: see line 4\./],
  ] as const)
    t.throws(() => rowsOfText(text), { name: 'FileFault', message });
});

t.test('a file that is not UTF-8 is refused, with a byte order mark or without', async (t) => {
  for (const bytes of [
    Buffer.from('path,title\na,Caf\u00e9\n', 'latin1'),
    Buffer.from('path,title\na,b\n', 'utf16le'),
    Buffer.from('\uFEFFpath,title\na,b\n', 'utf16le'),
  ])
    t.throws(() => textOfBytes(bytes), { name: 'FileFault', message: /not UTF-8 text/ });
  t.equal(textOfBytes(Buffer.from('\uFEFFpath\nCaf\u00e9')), 'path\nCaf\u00e9');
});

t.test('a file of another kind is refused with what it is', async (t) => {
  for (const bytes of [gzipSync('path,title\na,b\n'), Buffer.from('PK\x03\x04xl/workbook.xml')])
    t.throws(() => textOfBytes(bytes), { name: 'FileFault', message: /is compressed, or a spreadsheet/ });
  for (const text of ['[{"path":"a"}]', '\uFEFF\n [\n{"path":"a"}]'])
    t.throws(() => rowsOfText(text), { name: 'FileFault', message: /is a JSON array/ });
});

t.test('a line with a number that JavaScript cannot represent stays text', async (t) => {
  const line = '{"data":{"id":9007199254740993}}';
  t.same(rowsOfText(`${line}\n{"data":{"id":7}}`).rows, [line, { data: { id: 7 } }]);
});
