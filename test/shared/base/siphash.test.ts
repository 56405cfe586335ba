import t from 'tap';
import { sipHash, sipHashKey } from '../../../shared/base/siphash.js';

/** vectors_sip64 of the authors' reference (https://github.com/veorq/SipHash/blob/master/vectors.h), for messages of 0, 1, 2 ... bytes. */
const VECTORS = new Map([
  [0, '310e0edd47db6f72'],
  [1, 'fd67dc93c539f874'],
  [2, '5a4fa9d909806c0d'],
  [3, '2d7efbd796666785'],
  [4, 'b7877127e09427cf'],
  [5, '8da699cd64557618'],
  [6, 'cee3fe586e46c9cb'],
  [7, '37d1018bf50002ab'],
  [8, '6224939a79f5f593'],
  [15, 'e545be4961ca29a1'],
]);

t.test('hashes equal those of the reference implementation', async (t) => {
  const bytes = Uint8Array.from({ length: 64 }, (_, index) => index);
  const hash = new Int32Array(2);
  for (const [length, expected] of VECTORS) {
    sipHash(sipHashKey(bytes), bytes, length, hash);
    t.equal(Buffer.from(hash.buffer).toString('hex'), expected, `${length} bytes`);
  }
});
