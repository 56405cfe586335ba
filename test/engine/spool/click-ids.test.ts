import { createCipheriv, randomBytes } from 'node:crypto';
import t from 'tap';
import { ClickIds } from '../../../engine/spool/click-ids.js';
import { bytesToUuid, idTimeMs, idToUuid } from '../../../shared/base/ids.js';

t.test('an id is its time and a block of the keystream', async (t) => {
  const key = randomBytes(16);
  const ids = new ClickIds(key);
  for (const number of [0, 1, 255, 256, 257, 70_000, 3]) {
    const counter = Buffer.alloc(16);
    counter.writeUInt32BE(number, 12);
    const block = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false).update(counter);
    const bytes = new Uint8Array(20);
    ids.writeBytes(bytes, 4, number, 1_790_000_000_000);
    t.same(Buffer.from(bytes.subarray(10)), block.subarray(0, 10), `number ${number}`);
    t.equal(Buffer.from(bytes).readUIntBE(4, 6), 1_790_000_000_000);
  }
});

t.test('the text is the same id', async (t) => {
  const ids = new ClickIds(randomBytes(16));
  const bytes = new Uint8Array(16);
  ids.writeBytes(bytes, 0, 12, 1_790_000_000_001);
  const text = ids.text(12, 1_790_000_000_001);
  t.equal(idToUuid('click', text), bytesToUuid(bytes));
  t.equal(idTimeMs('click', text), 1_790_000_000_001);
});
