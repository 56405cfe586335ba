import t from 'tap';
import { csvCell, textOfCell } from '../../../shared/base/csv-cell.js';

t.test('a cell is quoted where it has to be, and never a formula', async (t) => {
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
  ] as const)
    t.equal(csvCell(value), cell);
});

t.test('the apostrophe goes when the cell is read, and no other one does', async (t) => {
  for (const [cell, text] of [
    ["'=1+1", '=1+1'],
    ["'-dash", '-dash'],
    ["'quoted'", "'quoted'"],
    ['plain', 'plain'],
  ] as const)
    t.equal(textOfCell(cell), text);
});
