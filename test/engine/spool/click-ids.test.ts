import { createCipheriv, createHmac, randomBytes } from 'node:crypto';
import t from 'tap';
import { ClickIds } from '../../../engine/spool/click-ids.js';
import { bytesToUuid, idTimeMs, idToUuid } from '../../../shared/base/ids.js';
import { isSignedClickId } from '../../../shared/secrets/click-id-keys.js';
import { TEST_SPOOL_KEYS } from '../../support/spool-keys.js';

const { clickIds } = TEST_SPOOL_KEYS;
const NUMBERS = [0, 1, 255, 256, 257, 70_000, 3];

function block(key: Buffer, number: number): Buffer {
  const counter = Buffer.alloc(16);
  counter.writeUInt32BE(number, 12);
  return createCipheriv('aes-128-ecb', key, null).setAutoPadding(false).update(counter);
}

t.test('an id consists of its time, five bytes of the keystream of its segment, and a signature', async (t) => {
  const segmentId = randomBytes(16);
  const ids = ClickIds.signed(clickIds.current, segmentId);
  const key = createHmac('sha256', clickIds.current.drawing).update(segmentId).digest().subarray(0, 16);
  for (const number of NUMBERS) {
    const bytes = new Uint8Array(20);
    ids.writeBytes(bytes, 4, number, 1_790_000_000_000);
    t.equal(Buffer.from(bytes).readUIntBE(4, 6), 1_790_000_000_000);
    t.same(Buffer.from(bytes.subarray(10, 15)), block(key, number).subarray(0, 5), `number ${number}`);
    t.ok(isSignedClickId(clickIds, ids.text(number, 1_790_000_000_000)));
  }
});

t.test(
  'an id of a segment of the previous release consists of its time and ten bytes of the keystream under the key in the segment',
  async (t) => {
    const key = randomBytes(16);
    const ids = ClickIds.unsigned(key);
    for (const number of NUMBERS) {
      const bytes = new Uint8Array(16);
      ids.writeBytes(bytes, 0, number, 1_790_000_000_000);
      t.same(Buffer.from(bytes.subarray(6)), block(key, number).subarray(0, 10), `number ${number}`);
    }
  },
);

t.test('the text form and the byte form are the same id', async (t) => {
  const ids = ClickIds.signed(clickIds.current, randomBytes(16));
  const bytes = new Uint8Array(16);
  ids.writeBytes(bytes, 0, 12, 1_790_000_000_001);
  const text = ids.text(12, 1_790_000_000_001);
  t.equal(idToUuid('click', text), bytesToUuid(bytes));
  t.equal(idTimeMs('click', text), 1_790_000_000_001);
});
