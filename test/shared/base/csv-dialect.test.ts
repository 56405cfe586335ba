import { parse } from 'csv-parse/sync';
import t from 'tap';
import { columnNames, csvDialect, isBlankRow, isNdjson } from '../../../shared/base/csv-dialect.js';
import fc from '../../support/properties.js';

const read = (text: string) => parse(text, csvDialect(text)) as string[][];

t.test('the delimiter is the most frequent one in the header line, whatever the rows contain', async (t) => {
  for (const [text, delimiter] of [
    ['a,b,c\n1;2;3;4', ','],
    ['\uFEFFa;b;c\r\n1,2,3,4', ';'],
    ['a\tb\tc', '\t'],
    ['\r\n \na;b;c\r\n1,2,3,4', ';'],
    ['sep=;\r\npath\r\nx', ';'],
    ['\uFEFFSEP=\t\na,b,c', '\t'],
    ['path', ','],
    ['', ','],
  ] as const)
    t.equal(csvDialect(text).delimiter, delimiter, JSON.stringify(text));
});

t.test('rows of other lengths, quotes within texts and blank lines are read as spreadsheets read them', async (t) => {
  t.same(read('\uFEFFa;b\r\n\r\n "x;1" ; say "hi"\r\n1\r\n1;2;3\r\n"two\nlines";""""\r\n'), [
    ['a', 'b'],
    ['x;1', 'say "hi"'],
    ['1'],
    ['1', '2', '3'],
    ['two\nlines', '"'],
  ]);
});

t.test('each line is a row, although a file that was put together has ends of lines of two kinds', async (t) => {
  const rows = [
    ['path', 'comments'],
    ['x', ''],
    ['y', 'two\r\nlines'],
    ['z', 'more'],
  ];
  for (const text of [
    'path,comments\r\nx,\ny,"two\r\nlines"\nz,more\n',
    'path,comments\nx,\r\ny,"two\r\nlines"\r\nz,"more"\r\n',
    'path,comments\rx,\ry,"two\r\nlines"\rz,more\r',
  ])
    t.same(read(text), rows, JSON.stringify(text));
  t.same(read('path,comments\nx,one\rtwo\n')[1], ['x', 'one\rtwo'], 'a carriage return within a line is text');
});

t.test('the line with which a file tells a spreadsheet its delimiter is no row', async (t) => {
  for (const text of ['sep=;\r\npath;web\r\nx;1,5\r\n', '\uFEFFsep=;\npath;web\nx;1,5\n'])
    t.same(
      read(text),
      [
        ['path', 'web'],
        ['x', '1,5'],
      ],
      JSON.stringify(text),
    );
});

t.test('text that is written with quotes is read unchanged', async (t) => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 2, maxLength: 4 }), { minLength: 1 }), (rows) => {
      const text = rows.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\r\n');
      t.same(read(`"a","b","c","d"\r\n${text}\r\n`).slice(1), rows);
    }),
  );
});

t.test('column names are in lower case, and a file that starts with an object is NDJSON', async (t) => {
  t.same(columnNames([' Short Link', 'UTM_Source ']), ['short link', 'utm_source']);
  t.ok(isNdjson('\uFEFF \n{"path":"a"}'));
  t.notOk(isNdjson('path,web\n{"a"}'));
});

t.test('a row is blank if all its cells are blank', async (t) => {
  for (const cells of [[], [''], ['', ' ', '\t']]) t.ok(isBlankRow(cells), JSON.stringify(cells));
  for (const cells of [['0'], ['', '-'], [' ', ' x']]) t.notOk(isBlankRow(cells), JSON.stringify(cells));
});
