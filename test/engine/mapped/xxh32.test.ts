import t from 'tap';
import { xxh32 } from '../../../engine/mapped/xxh32.js';
import fc from '../../support/properties.js';

/** A second implementation of XXH32, straight from the specification, over bytes and without optimisations. */
function reference(bytes: Uint8Array, seed: number): number {
  const [p1, p2, p3, p4, p5] = [2654435761n, 2246822519n, 3266489917n, 668265263n, 374761393n] as const;
  const u32 = (value: bigint): bigint => BigInt.asUintN(32, value);
  const rotate = (value: bigint, by: bigint): bigint => u32((value << by) | (value >> (32n - by)));
  const buffer = Buffer.from(bytes);
  const round = (lane: bigint, at: number): bigint => u32(rotate(u32(lane + BigInt(buffer.readUInt32LE(at)) * p2), 13n) * p1);
  const s = u32(BigInt(seed));
  let at = 0;
  let hash: bigint;
  if (bytes.length >= 16) {
    let lanes = [u32(s + p1 + p2), u32(s + p2), s, u32(s - p1)];
    for (; at + 16 <= bytes.length; at += 16) lanes = lanes.map((lane, index) => round(lane, at + 4 * index));
    hash = u32(
      rotate(lanes[0] as bigint, 1n) + rotate(lanes[1] as bigint, 7n) + rotate(lanes[2] as bigint, 12n) + rotate(lanes[3] as bigint, 18n),
    );
  } else hash = u32(s + p5);
  hash = u32(hash + BigInt(bytes.length));
  for (; at + 4 <= bytes.length; at += 4) hash = u32(rotate(u32(hash + BigInt(buffer.readUInt32LE(at)) * p3), 17n) * p4);
  for (; at < bytes.length; at++) hash = u32(rotate(u32(hash + BigInt(buffer[at] as number) * p5), 11n) * p1);
  hash = u32((hash ^ (hash >> 15n)) * p2);
  hash = u32((hash ^ (hash >> 13n)) * p3);
  return Number(BigInt.asIntN(32, hash ^ (hash >> 16n)));
}

t.test('the reference implementation gives the published values', async (t) => {
  t.equal(reference(Buffer.from(''), 0) >>> 0, 0x02cc5d05);
  t.equal(reference(Buffer.from('abc'), 0) >>> 0, 0x32d153ff);
  t.equal(reference(Buffer.from('Nobody inspects the spammish repetition'), 0) >>> 0, 0xe2293b2f);
});

t.test('words hash to the same values as their bytes', async () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { maxLength: 100 }), fc.integer(), fc.nat(5), (values, seed, before) => {
      const words = Int32Array.from([...new Array(before).fill(7), ...values, 9]);
      const bytes = new Uint8Array(Int32Array.from(values).buffer);
      return xxh32(words, before, before + values.length, seed) === reference(bytes, seed);
    }),
  );
});
