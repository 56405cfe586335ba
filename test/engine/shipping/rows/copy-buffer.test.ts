import t from 'tap';
import { CopyBuffer, NULL_FIELD, textField, textFieldOrNull } from '../../../../engine/shipping/rows/copy-buffer.js';

/** What one call writes, in hex. */
function written(write: (rows: CopyBuffer) => void): string {
  const rows = new CopyBuffer(256);
  write(rows);
  return rows.filled().toString('hex');
}

t.test('values have the binary form of their types', async (t) => {
  t.equal(
    written((rows) => rows.int16(27)),
    '001b',
  );
  t.equal(
    written((rows) => rows.integer(-2)),
    '00000004fffffffe',
  );
  t.equal(
    written((rows) => rows.boolean(true)),
    '0000000101',
  );
  t.equal(
    written((rows) => rows.nullField()),
    'ffffffff',
  );
  t.equal(written((rows) => rows.hole(2)).slice(0, 8), '00000002');
});

t.test('a timestamp is in microseconds since 2000, before and after it', async (t) => {
  for (const time of [946_684_800_000, 946_684_800_001, 946_684_799_999, 0, 1_790_000_000_123, 4_102_444_800_000]) {
    const bytes = Buffer.from(
      written((rows) => rows.timestamp(time)),
      'hex',
    );
    t.equal(bytes.readBigInt64BE(4), BigInt(time - 946_684_800_000) * 1000n, new Date(time).toISOString());
  }
});

t.test('texts are copied as their bytes, and what PostgreSQL cannot hold is replaced', async (t) => {
  const copy = (text: string): string => written((rows) => rows.text(Buffer.from(text), 0, Buffer.byteLength(text)));
  t.equal(copy('ab'), '000000026162');
  t.equal(copy(''), '00000000');
  t.equal(copy('a\0b'), '0000000561efbfbd62');
  t.equal(copy('\0'.repeat(200)), `00000258${'efbfbd'.repeat(200)}`, 'the text is three times as long');
  t.equal(
    written((rows) => rows.textOrNull(Buffer.from('x'), 0, 0)),
    'ffffffff',
  );
  t.same(textField('a\0'), Buffer.from('0000000461efbfbd', 'hex'));
  t.same(textFieldOrNull(''), NULL_FIELD);
});

t.test('a buffer grows and keeps its content', async (t) => {
  const rows = new CopyBuffer(4);
  rows.int32(1);
  rows.reserve(100);
  rows.field(Buffer.alloc(90, 7));
  t.equal(rows.filled().length, 94);
  t.equal(rows.filled().readInt32BE(0), 1);
});
