import { randomBytes } from 'node:crypto';
import t from 'tap';
import { xxh32 } from '../../../engine/mapped/xxh32.js';
import {
  COMMITTED_BYTES_WORD,
  decodeHeader,
  decodeProgress,
  encodeHeader,
  encodeSeal,
  HEADER_BYTES,
  MODE_APPENDED,
  MODE_MAPPED,
  type SegmentHeader,
} from '../../../engine/spool/segment.js';

const HEADER: SegmentHeader = {
  mode: MODE_MAPPED,
  file_bytes: 1 << 20,
  segment_id: randomBytes(16),
  keys: { format: 2, click_id_key_name: randomBytes(8), address_key_name: randomBytes(8) },
  writer: { pid: 4711, started: '2c5dce2c-71e5-4cbb-8b02-1de0b0c9cd7b/123456' },
  created_at_ms: 1_790_000_000_123,
};

t.test('a header is read back as it was written', async (t) => {
  const headers: readonly SegmentHeader[] = [HEADER, { ...HEADER, mode: MODE_APPENDED }, { ...HEADER, writer: null }];
  for (const header of headers) {
    const bytes = encodeHeader(header);
    t.equal(bytes.length, HEADER_BYTES);
    t.same(decodeHeader(bytes), { header });
  }
});

t.test('a segment of the previous release is read, with the key of its ids', async (t) => {
  const bytes = encodeHeader(HEADER);
  bytes.writeUInt16LE(1, 8);
  bytes.fill(5, 32, 48);
  const words = new Int32Array(Uint8Array.from(bytes.subarray(0, 128)).buffer);
  bytes.writeInt32LE(xxh32(words, 0, words.length, 0), 128);
  t.same(decodeHeader(bytes), { header: { ...HEADER, keys: { format: 1, id_key: Buffer.alloc(16, 5) } } });
});

t.test('a start time that does not fit is left out together with its pid, since a part of it would name another process', async (t) => {
  const bytes = encodeHeader({ ...HEADER, writer: { pid: 1, started: 'x'.repeat(65) } });
  t.match(decodeHeader(bytes), { header: { writer: null } });
});

t.test('every flipped bit of the fixed part is noticed', async (t) => {
  const whole = encodeHeader(HEADER);
  for (let bit = 0; bit < 132 * 8; bit++) {
    const bytes = Buffer.from(whole);
    bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
    if (!('fault' in decodeHeader(bytes))) t.fail(`bit ${bit} was not noticed`);
  }
});

t.test('bytes that are no segment are recognised', async (t) => {
  t.same(decodeHeader(Buffer.alloc(10)), { fault: 'shorter than its header' });
  t.same(decodeHeader(Buffer.alloc(HEADER_BYTES)), { fault: 'no segment' });
});

t.test('a mapped segment starts with nothing committed, an appended one without a count', async (t) => {
  const at = COMMITTED_BYTES_WORD * 4;
  t.same(decodeProgress(encodeHeader(HEADER), at), { committed_bytes: HEADER_BYTES, committed_clicks: 0, sealed: false });
  t.same(decodeProgress(encodeHeader({ ...HEADER, mode: MODE_APPENDED }), at), { committed_bytes: 0, committed_clicks: 0, sealed: false });
  t.same(decodeProgress(encodeSeal(1000, 5), 0), { committed_bytes: 1000, committed_clicks: 5, sealed: true });
});
