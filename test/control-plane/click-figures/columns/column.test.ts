import { randomInt } from 'node:crypto';
import t from 'tap';
import { packCodes, unpackCodes, widthOf } from '../../../../control-plane/click-figures/columns/column.js';

t.test('codes take as few bits as their number needs, and are the same when they are unpacked', async (t) => {
  for (const [count, bits] of [
    [1, 0],
    [2, 1],
    [3, 2],
    [4, 2],
    [5, 4],
    [16, 4],
    [17, 8],
    [256, 8],
    [257, 16],
    [65_536, 16],
    [65_537, 32],
  ] as const) {
    t.equal(widthOf(count), bits, `${count} values`);
    for (const length of [0, 1, 7, 8, 9, 100]) {
      const codes = Array.from({ length }, (_, place) => (place === 0 ? count - 1 : randomInt(count)));
      const packed = packCodes(codes, bits);
      t.equal(packed.length, Math.ceil((length * bits) / 8));
      // The memory of the part before is used again.
      const unpacked = Uint32Array.from({ length }, () => randomInt(2 ** 32));
      unpackCodes(packed, bits, unpacked);
      t.same([...unpacked], codes, `${length} codes of ${bits} bits`);
    }
  }
});
