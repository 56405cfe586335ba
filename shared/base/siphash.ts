/**
 * SipHash-2-4 (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012): a keyed pseudo-random function of
 * short messages. Written by hand because a call of OpenSSL costs ten times as much as hashing 16 bytes does here (0.1
 * µs). The 64-bit words of the algorithm are pairs of 32-bit ones, low half first.
 */
export type SipHashKey = Int32Array;

const KEY_BYTES = 16;

export function sipHashKey(bytes: Uint8Array): SipHashKey {
  const copy = Uint8Array.from(bytes.subarray(0, KEY_BYTES));
  return new Int32Array(copy.buffer);
}

/** Writes the 64 bits of the hash of the first `length` bytes of `message` to `hash`. */
export function sipHash(key: SipHashKey, message: Uint8Array, length: number, hash: Int32Array): void {
  const [key0 = 0, key1 = 0, key2 = 0, key3 = 0] = key;
  let v0 = key0 ^ 0x70736575;
  let v0High = key1 ^ 0x736f6d65;
  let v1 = key2 ^ 0x6e646f6d;
  let v1High = key3 ^ 0x646f7261;
  let v2 = key0 ^ 0x6e657261;
  let v2High = key1 ^ 0x6c796765;
  let v3 = key2 ^ 0x79746573;
  let v3High = key3 ^ 0x74656462;
  const blocks = (length >> 3) + 1;
  // One pass with two rounds for each block, and a last one with the four final rounds.
  for (let block = 0; block <= blocks; block++) {
    const finishing = block === blocks;
    const low = finishing ? 0 : wordAt(message, block * 8, length);
    // The last block ends with the length.
    const high = finishing ? 0 : wordAt(message, block * 8 + 4, length) | (block === blocks - 1 ? length << 24 : 0);
    v3 ^= low;
    v3High ^= high;
    if (finishing) v2 ^= 0xff;
    for (let round = finishing ? 4 : 2; round > 0; round--) {
      let sum = (v0 + v1) | 0;
      v0High = (v0High + v1High + carry(v0, v1, sum)) | 0;
      v0 = sum;
      let high1 = (v1High << 13) | (v1 >>> 19);
      v1 = ((v1 << 13) | (v1High >>> 19)) ^ v0;
      v1High = high1 ^ v0High;
      [v0, v0High] = [v0High, v0];
      sum = (v2 + v3) | 0;
      v2High = (v2High + v3High + carry(v2, v3, sum)) | 0;
      v2 = sum;
      let high3 = (v3High << 16) | (v3 >>> 16);
      v3 = ((v3 << 16) | (v3High >>> 16)) ^ v2;
      v3High = high3 ^ v2High;
      sum = (v0 + v3) | 0;
      v0High = (v0High + v3High + carry(v0, v3, sum)) | 0;
      v0 = sum;
      high3 = (v3High << 21) | (v3 >>> 11);
      v3 = ((v3 << 21) | (v3High >>> 11)) ^ v0;
      v3High = high3 ^ v0High;
      sum = (v2 + v1) | 0;
      v2High = (v2High + v1High + carry(v2, v1, sum)) | 0;
      v2 = sum;
      high1 = (v1High << 17) | (v1 >>> 15);
      v1 = ((v1 << 17) | (v1High >>> 15)) ^ v2;
      v1High = high1 ^ v2High;
      [v2, v2High] = [v2High, v2];
    }
    v0 ^= low;
    v0High ^= high;
  }
  hash[0] = v0 ^ v1 ^ v2 ^ v3;
  hash[1] = v0High ^ v1High ^ v2High ^ v3High;
}

/** Returns what is carried into the high halves when the low ones are added. */
function carry(a: number, b: number, sum: number): number {
  return ((a & b) | ((a | b) & ~sum)) >>> 31;
}

/** Returns four bytes, little-endian. Bytes at `end` and beyond are zeros. */
function wordAt(bytes: Uint8Array, at: number, end: number): number {
  let word = 0;
  for (let index = Math.min(4, end - at) - 1; index >= 0; index--) word = (word << 8) | (bytes[at + index] as number);
  return word;
}
