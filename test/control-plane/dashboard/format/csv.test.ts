import { parse } from 'csv-parse/sync';
import t from 'tap';
import { csvField } from '../../../../control-plane/dashboard/format/csv.js';
import { isFormula } from '../../../../shared/base/csv-cell.js';
import fc from '../../../support/properties.js';

t.test('any text that is written can be read back', async () => {
  const text = fc.string().filter((value) => !isFormula(value));
  fc.assert(
    fc.property(fc.array(fc.array(text, { minLength: 2, maxLength: 2 }), { minLength: 1 }), (rows) => {
      const read = parse(`h,h\r\n${rows.map((row) => row.map(csvField).join(',')).join('\r\n')}\r\n`, { record_delimiter: '\r\n' });
      return JSON.stringify(read.slice(1)) === JSON.stringify(rows);
    }),
  );
});

t.test('a field that a spreadsheet would run as a formula gets an apostrophe, and numbers do not', async (t) => {
  for (const field of ['=1+1', '+x', '@x', '-x', "-2+3+cmd|' /C calc'!A0", '-5 ', '\n=1', '＝1+1', '－1']) t.match(csvField(field), /^"?'/);
  for (const number of ['-5', '-0.25', '12']) t.equal(csvField(number), number);
});
