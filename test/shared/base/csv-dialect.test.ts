import { parse } from 'csv-parse/sync';
import t from 'tap';
import { columnNames, csvDialect, isBlankRow, isNdjson } from '../../../shared/base/csv-dialect.js';
import fc from '../../support/properties.js';

const read = (text: string) => parse(text, csvDialect(text)) as string[][];

t.test('the delimiter is what stands most often in the head, whatever the rows hold', async (t) => {
  for (const [text, delimiter] of [
    ['a,b,c\n1;2;3;4', ','],
    ['\uFEFFa;b;c\r\n1,2,3,4', ';'],
    ['a\tb\tc', '\t'],
    ['path', ','],
    ['', ','],
  ] as const)
    t.equal(csvDialect(text).delimiter, delimiter, JSON.stringify(text));
});

t.test('rows of other lengths, quotes within texts and blank lines are read as spreadsheets mean them', async (t) => {
  t.same(read('\uFEFFa;b\r\n\r\n "x;1" ; say "hi"\r\n1\r\n1;2;3\r\n"two\nlines";""""\r\n'), [
    ['a', 'b'],
    ['x;1', 'say "hi"'],
    ['1'],
    ['1', '2', '3'],
    ['two\nlines', '"'],
  ]);
});

t.test('what is written with quotes is read as it was', async (t) => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 2, maxLength: 4 }), { minLength: 1 }), (rows) => {
      const text = rows.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\r\n');
      t.same(read(`"a","b","c","d"\r\n${text}\r\n`).slice(1), rows);
    }),
  );
});

t.test('columns are called by lower case, and an object in the first line is NDJSON', async (t) => {
  t.same(columnNames([' Short Link', 'UTM_Source ']), ['short link', 'utm_source']);
  t.ok(isNdjson('\uFEFF \n{"path":"a"}'));
  t.notOk(isNdjson('path,web\n{"a"}'));
});

t.test('a row is blank if none of its cells holds anything but blanks', async (t) => {
  for (const cells of [[], [''], ['', ' ', '\t']]) t.ok(isBlankRow(cells), JSON.stringify(cells));
  for (const cells of [['0'], ['', '-'], [' ', ' x']]) t.notOk(isBlankRow(cells), JSON.stringify(cells));
});
