import t from 'tap';
import { CopiedRows } from '../../../control-plane/db/copied-rows.js';

const FIELDS: readonly (readonly (string | null)[])[] = [
  ['a', null, ''],
  [],
  ['b'.repeat(5000), 'ü'],
  ['', '', '\u{1f600}'],
  ['c'.repeat(4096), null],
];

function rowOf(fields: readonly (string | null)[]): Buffer {
  const parts = fields.map((field) => {
    const bytes = Buffer.from(field ?? '');
    const length = Buffer.alloc(4);
    length.writeInt32BE(field === null ? -1 : bytes.length);
    return Buffer.concat([length, bytes]);
  });
  const count = Buffer.alloc(2);
  count.writeInt16BE(fields.length);
  return Buffer.concat([count, ...parts]);
}

const ROWS = FIELDS.map(rowOf);
const HEAD = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const COPY = Buffer.concat([HEAD, ...ROWS, Buffer.from([0xff, 0xff])]);

function read(pieces: readonly Buffer[]): string[] {
  const found: string[] = [];
  const rows = new CopiedRows((bytes, from, end) => void found.push(bytes.toString('latin1', from, end)));
  for (const piece of pieces) rows.read(piece);
  return found;
}

t.test('rows are read whole, whatever pieces they arrive in', async (t) => {
  const wanted = ROWS.map((row) => row.toString('latin1'));
  for (const size of [1, 2, 3, 7, 18, 19, 20, 21, 4095, 4096, 5003, 1 << 20]) {
    const pieces = Array.from({ length: Math.ceil(COPY.length / size) }, (_, index) => COPY.subarray(index * size, (index + 1) * size));
    t.strictSame(read(pieces), wanted, `pieces of ${size} bytes`);
  }
  const long = rowOf(['d'.repeat(300_000), null, 'e'.repeat(70_000)]);
  const copy = Buffer.concat([HEAD, ROWS[0] as Buffer, long, long, ROWS[1] as Buffer, Buffer.from([0xff, 0xff])]);
  const pieces = Array.from({ length: Math.ceil(copy.length / 65_536) }, (_, index) => copy.subarray(index * 65_536, (index + 1) * 65_536));
  t.ok(
    read(pieces).every((row, place) => row === [ROWS[0], long, long, ROWS[1]][place]?.toString('latin1')),
    'rows of many pieces',
  );
  t.equal(read(pieces).length, 4);
  for (let at = 0; at <= COPY.length; at += 13) t.strictSame(read([COPY.subarray(0, at), COPY.subarray(at)]), wanted, `cut at ${at}`);
});

t.test('an empty copy gives no row, and a row that is cut off is not given', async (t) => {
  t.strictSame(read([Buffer.concat([HEAD, Buffer.from([0xff, 0xff])])]), []);
  t.strictSame(read([COPY.subarray(0, COPY.length - 4)]).length, ROWS.length - 1);
});
