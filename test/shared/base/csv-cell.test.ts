import { parse } from 'csv-parse/sync';
import t from 'tap';
import { csvCell, isFormula, textOfCell } from '../../../shared/base/csv-cell.js';
import { csvDialect } from '../../../shared/base/csv-dialect.js';
import fc from '../../support/properties.js';

t.test('a cell is quoted if necessary, and is never a formula', async (t) => {
  for (const [value, cell] of [
    [null, ''],
    [true, 'true'],
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['=1+1', "'=1+1"],
    ['-dash', "'-dash"],
    ['@me', "'@me"],
    ["'-20%", "''-20%"],
    ["''=1", "'''=1"],
    ["'quoted'", "'quoted'"],
    [' a', '" a"'],
    ['a\u00a0', '"a\u00a0"'],
    ['\u3000', '"\u3000"'],
  ] as const)
    t.equal(csvCell(value), cell);
});

const BLANKS = [' ', '\t', '\n', '\r', '\v', '\f', '\u0085', '\u00a0', '\u180e', '\u2003', '\u2028', '\u3000', '\ufeff'];
const PIECES = [...BLANKS, ...'\'=+-@＝",;', "''", 'a', '20%', 'é'];

t.test('any text is read from a file as it was written, and no cell is a formula', async (t) => {
  const texts = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: fc.constantFrom(...PIECES), maxLength: 6 }));
  fc.assert(
    fc.property(fc.array(fc.tuple(texts, texts, texts), { minLength: 1 }), (rows) => {
      const file = `path,web,title\r\n${rows.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('')}`;
      const [, ...read] = parse(file, csvDialect(file)) as string[][];
      t.same(
        read.map((cells) => cells.map(textOfCell)),
        rows,
      );
      t.notOk(read.flat().some(isFormula));
    }),
  );
});

t.test('the added apostrophe is removed when a cell is read, and no other one is', async (t) => {
  for (const [cell, text] of [
    ["'=1+1", '=1+1'],
    ["'-dash", '-dash'],
    ["''-20%", "'-20%"],
    ["'quoted'", "'quoted'"],
    ["''quoted", "''quoted"],
    ['plain', 'plain'],
  ] as const)
    t.equal(textOfCell(cell), text);
});
