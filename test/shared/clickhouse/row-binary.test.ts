import t from 'tap';
import { CLICK_TABLE } from '../../../shared/clickhouse/click-table.js';
import { ClickBlocks } from '../../../shared/clickhouse/row-binary.js';
import fc from '../../support/properties.js';

type Wire = (typeof CLICK_TABLE)[number]['wire'];
type Row = readonly (Buffer | null)[];

const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const int64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(value);
  return bytes;
};
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map((array) => Buffer.from(array));
const anyInt64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(int64);
const orNull = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: null });

const DAY_US = 86_400_000_000n;
/** 2026-11-20 after 2000-01-01, where PostgreSQL's time begins, and after 1970-01-01. */
const DAY_OF_POSTGRES = 9_820n;
const DAYS_BETWEEN = 10_957n;

/** Values as PostgreSQL's COPY writes them. */
const VALUES: Readonly<Record<Wire, fc.Arbitrary<Buffer | null>>> = {
  id: bytes(16),
  id_or_none: orNull(bytes(16)),
  time: fc.bigInt({ min: 0n, max: 3n * DAY_US - 1n }).map((time) => int64(DAY_OF_POSTGRES * DAY_US + time)),
  int32: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }).map(int32),
  int64: fc.oneof(fc.constantFrom(7n, 8n).map(int64), anyInt64),
  int64_or_zero: orNull(anyInt64),
  text: orNull(
    fc.oneof(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.string({ minLength: 60, maxLength: 300 })).map((text) => Buffer.from(text)),
  ),
  boolean: fc.boolean().map((value) => Buffer.from([value ? 1 : 0])),
  hash_or_null: orNull(bytes(8)),
};

const anyRow = fc.tuple(...CLICK_TABLE.map(({ wire }) => VALUES[wire])) as fc.Arbitrary<Row>;

/** As in https://www.postgresql.org/docs/current/sql-copy.html, "Binary Format": without header and trailer. */
function copied(row: Row): Buffer {
  const fields = row.flatMap((value) => (value === null ? [int32(-1)] : [int32(value.length), value]));
  return Buffer.concat([Buffer.from([0, row.length]), ...fields]);
}

function reversed(value: Buffer): Buffer {
  return Buffer.from(value).reverse();
}

/** A length as https://clickhouse.com/docs/interfaces/formats/RowBinary has it: LEB128. */
function withLength(value: Buffer): Buffer {
  const length = value.length < 128 ? [value.length] : [(value.length % 128) + 128, Math.floor(value.length / 128)];
  return Buffer.concat([Buffer.from(length), value]);
}

const IN_ROW_BINARY: Readonly<Record<Wire, (value: Buffer | null) => Buffer>> = {
  id: (value) => value as Buffer,
  id_or_none: (value) => value ?? Buffer.alloc(16),
  time: (value) => reversed(int64((value as Buffer).readBigInt64BE() + DAYS_BETWEEN * DAY_US)),
  int32: (value) => reversed(value as Buffer),
  int64: (value) => reversed(value as Buffer),
  int64_or_zero: (value) => reversed(value ?? Buffer.alloc(8)),
  text: (value) => withLength(value ?? Buffer.alloc(0)),
  boolean: (value) => value as Buffer,
  hash_or_null: (value) => (value === null ? Buffer.from([1]) : Buffer.concat([Buffer.from([0]), value])),
};

const columnOf = (name: string) => CLICK_TABLE.findIndex((column) => column.name === name);
const valueOfRow = (row: Row, name: string) => row[columnOf(name)] as Buffer;
const dayOfRow = (row: Row) => Number(valueOfRow(row, 'occurred_at').readBigInt64BE() / DAY_US + DAYS_BETWEEN);

t.test('rows become RowBinary, those of each day together, in whatever pieces they come', async (t) => {
  fc.assert(
    fc.property(fc.array(anyRow, { minLength: 1, maxLength: 20 }), fc.nat(), (rows, piece) => {
      const blocks = new ClickBlocks();
      const size = 1 + (piece % rows.length);
      for (let at = 0; at < rows.length; at += size) blocks.add(Buffer.concat(rows.slice(at, at + size).map(copied)));
      const days = [...new Set(rows.map(dayOfRow))].sort((one, other) => one - other);
      t.strictSame(blocks.days, days);
      for (const day of days) {
        const ofDay = rows.filter((row) => dayOfRow(row) === day);
        const wanted = ofDay.flatMap((row) =>
          row.map((value, column) => IN_ROW_BINARY[(CLICK_TABLE[column] as { wire: Wire }).wire](value)),
        );
        const { clicks, bytes } = blocks.block(day, new Set());
        t.equal(clicks, ofDay.length);
        t.ok(bytes.equals(Buffer.concat(wanted)), 'the bytes of the day');
        const batches = ofDay.map((row) => valueOfRow(row, 'batch_id').readBigInt64BE());
        const least = (one: bigint, other: bigint) => (other < one ? other : one);
        t.equal(blocks.batches(day).first, batches.reduce(least));
        t.equal(
          blocks.batches(day).last,
          batches.reduce((one, other) => (other > one ? other : one), -1n),
        );
        const first = (ofDay[0] as Row)[columnOf('id')] as Buffer;
        t.equal(
          blocks.block(day, new Set([first.toString('latin1')])).clicks,
          ofDay.filter((row) => !valueOfRow(row, 'id').equals(first)).length,
        );
      }
    }),
    { numRuns: 60 },
  );
});
