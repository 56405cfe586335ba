import t from 'tap';
import { csvField, parseCsv } from '../../../../control-plane/dashboard/format/csv.js';
import { readImport } from '../../../../control-plane/dashboard/screens/links/import-columns.js';
import fc from '../../../support/properties.js';

const fieldsOf = (text: string) => parseCsv(text).map(({ fields }) => fields);

t.test('records of RFC 4180, and of what spreadsheets make of it', async (t) => {
  t.strictSame(fieldsOf('a,b\r\n1,2\r\n'), [
    ['a', 'b'],
    ['1', '2'],
  ]);
  t.strictSame(fieldsOf('\uFEFFa;b\n"1;x";2'), [
    ['a', 'b'],
    ['1;x', '2'],
  ]);
  t.strictSame(fieldsOf('a\tb\n1,5\t2'), [
    ['a', 'b'],
    ['1,5', '2'],
  ]);
  t.strictSame(fieldsOf('"say ""hi""",""\n\n,,\n"two\nlines",x'), [
    ['say "hi"', ''],
    ['two\nlines', 'x'],
  ]);
  t.strictSame(fieldsOf('a\r1\r'), [['a'], ['1']]);
  t.strictSame(fieldsOf(''), []);
});

t.test('a record knows the line it begins in', async (t) => {
  t.strictSame(
    parseCsv('a\n"two\nlines"\n\nlast').map(({ line }) => line),
    [1, 2, 5],
  );
});

t.test('whatever is written is read back', async () => {
  const text = fc.string().map((value) => value.replaceAll('\r', '').trim());
  const formula = /^[=+@\t\r-]/;
  const rows = fc.array(
    fc.array(
      text.filter((value) => !formula.test(value)),
      { minLength: 2, maxLength: 2 },
    ),
    { minLength: 1 },
  );
  fc.assert(
    fc.property(rows, (rows) => {
      const kept = rows.filter((row) => row.some((field) => field !== ''));
      const read = fieldsOf(`h,h\n${rows.map((row) => row.map(csvField).join(',')).join('\n')}`).slice(1);
      return JSON.stringify(read) === JSON.stringify(kept);
    }),
  );
});

t.test('a field that a spreadsheet would run is defused', async (t) => {
  for (const field of ['=1+1', '+x', '@x', '-x']) t.equal(csvField(field)[0], "'");
  t.equal(csvField('-5'), '-5');
});

t.test('rows become links, and each that cannot be one says why, by its line', async (t) => {
  const file = readImport(
    parseCsv(
      'Path,web,data,allow_param_passthrough\nspring,https://example.com,"{""a"": 1}",yes\n,https://example.com,,\nspring,,,\nx,,{,\ny,,,maybe\nz,,,,,\n',
    ),
  );
  t.match(file, {
    outcome: 'read',
    rows: [
      { line: 2, link: { path: 'spring', destinations: { web: 'https://example.com' }, data: { a: 1 }, allow_param_passthrough: true } },
      { line: 3, link: { destinations: { web: 'https://example.com' } }, error: null },
      { line: 4, link: null, error: /line 2/ },
      { line: 5, link: null, error: /not JSON/ },
      { line: 6, link: null, error: /not true or false/ },
      { line: 7, link: null, error: /6 fields/ },
    ],
  });
});

t.test('a file without links, or with a column that is none, is refused whole', async (t) => {
  t.match(readImport(parseCsv('')), { outcome: 'refused', reason: /empty/ });
  t.match(readImport(parseCsv('path\n')), { outcome: 'refused', reason: /no links/ });
  t.match(readImport(parseCsv('path,colour\na,b')), { outcome: 'refused', reason: /"colour"/ });
  t.match(readImport(parseCsv('path,path\na,b')), { outcome: 'refused', reason: /twice/ });
  t.match(readImport(parseCsv('path,constructor\na,b')), { outcome: 'refused', reason: /"constructor"/ });
});
