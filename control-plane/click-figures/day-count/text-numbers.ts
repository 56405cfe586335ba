import { randomBytes } from 'node:crypto';
import { grown } from './key-table.js';

const TEXTS_AT_FIRST = 64;
const BYTES_AT_FIRST = 1024;

/** What `TextNumbers` has, as a message can carry it. */
export interface PackedTexts {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly ends: Int32Array<ArrayBuffer>;
  readonly slots: Int32Array<ArrayBuffer>;
  readonly size: number;
  readonly hashStart: number;
}

/**
 * Assigns numbers to texts, starting at 0, in the order in which they first occur. Texts are looked up by their bytes, because making
 * a string of each first takes three times as long. Open addressing as in `KeyTable`.
 */
export class TextNumbers {
  /** The texts, one after the other. Each ends at its offset in `#ends`, and begins where the previous one ends. */
  #bytes = Buffer.allocUnsafeSlow(BYTES_AT_FIRST);
  #ends = new Int32Array(TEXTS_AT_FIRST);
  /**
   * Slots of two words: the number plus 1, which is 0 in a free slot, and the hash. Most texts that are not the one looked up differ in their
   * hash, so that they need not be read, which would wait for memory.
   */
  #slots = new Int32Array(TEXTS_AT_FIRST * 4);
  #size = 0;
  /** Another thread has another one. */
  #hashStart = HASH_START;
  /** Strings that `text` has returned, by number. */
  readonly #texts: string[] = [];

  /** The inverse of `packed`. */
  static of({ bytes, ends, slots, size, hashStart }: PackedTexts): TextNumbers {
    const numbers = new TextNumbers();
    numbers.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    numbers.#ends = ends;
    numbers.#slots = slots;
    numbers.#size = size;
    numbers.#hashStart = hashStart;
    return numbers;
  }

  /** These texts must not be used any more. */
  packed(): PackedTexts {
    return { bytes: this.#bytes, ends: this.#ends, slots: this.#slots, size: this.#size, hashStart: this.#hashStart };
  }

  get bytes(): number {
    return this.#bytes.length + this.#ends.byteLength + this.#slots.byteLength;
  }

  /** Returns the number of the text in `bytes` from `from` up to `end`. */
  number(bytes: Uint8Array, from: number, end: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    const hashed = hash(bytes, from, end, this.#hashStart);
    for (let slot = (hashed << 1) & mask; ; slot = (slot + 2) & mask) {
      const number = (slots[slot] as number) - 1;
      if (number < 0) return this.#add(slot, hashed, bytes, from, end);
      if (slots[slot + 1] === hashed && this.#is(number, bytes, from, end)) return number;
    }
  }

  /** Returns the text with one character per byte. */
  text(number: number): string {
    const known = this.#texts[number];
    if (known !== undefined) return known;
    const text = this.#bytes.toString('latin1', this.#start(number), this.#ends[number]);
    this.#texts[number] = text;
    return text;
  }

  /** The bytes of the text. They change if they are written to. */
  bytesOf(number: number): Buffer {
    return this.#bytes.subarray(this.#start(number), this.#ends[number]);
  }

  /** Compares the bytes of two texts. */
  compare(one: number, other: number): number {
    const own = this.#bytes;
    return compareBytes(own, this.#start(one), this.#ends[one] as number, own, this.#start(other), this.#ends[other] as number);
  }

  #start(number: number): number {
    return number === 0 ? 0 : (this.#ends[number - 1] as number);
  }

  #is(number: number, bytes: Uint8Array, from: number, end: number): boolean {
    const own = this.#bytes;
    let at = this.#start(number);
    if ((this.#ends[number] as number) - at !== end - from) return false;
    for (let place = from; place < end; place++) if (own[at++] !== bytes[place]) return false;
    return true;
  }

  #add(slot: number, hashed: number, bytes: Uint8Array, from: number, end: number): number {
    const number = this.#size++;
    this.#slots[slot] = number + 1;
    this.#slots[slot + 1] = hashed;
    if (number === this.#ends.length) this.#ends = grown(this.#ends);
    const start = this.#start(number);
    while (start + end - from > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(this.#bytes.length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    const own = this.#bytes;
    // A loop copies a short text in a fifth of the time that `set` takes.
    for (let [place, at] = [from, start]; place < end; place++, at++) own[at] = bytes[place] as number;
    this.#ends[number] = start + end - from;
    if (this.#size * 4 > this.#slots.length) this.#rehash();
    return number;
  }

  #rehash(): void {
    const before = this.#slots;
    const slots = new Int32Array(before.length * 2);
    const mask = slots.length - 1;
    for (let from = 0; from < before.length; from += 2) {
      if (before[from] === 0) continue;
      const hashed = before[from + 1] as number;
      let slot = (hashed << 1) & mask;
      while (slots[slot] !== 0) slot = (slot + 2) & mask;
      slots[slot] = before[from] as number;
      slots[slot + 1] = hashed;
    }
    this.#slots = slots;
  }
}

/** Compares bytes between places, as `memcmp` does. `Buffer.compare` takes five times as long for short texts. */
export function compareBytes(
  one: Uint8Array,
  oneFrom: number,
  oneEnd: number,
  other: Uint8Array,
  otherFrom: number,
  otherEnd: number,
): number {
  const end = Math.min(oneEnd, oneFrom + otherEnd - otherFrom);
  for (let [at, otherAt] = [oneFrom, otherFrom]; at < end; at++, otherAt++) {
    const order = (one[at] as number) - (other[otherAt] as number);
    if (order !== 0) return order;
  }
  return oneEnd - oneFrom - (otherEnd - otherFrom);
}

/** Visitors choose some of the texts. If they knew where hashes begin, they could choose thousands with the same hash, which take minutes to look up. */
const HASH_START = randomBytes(4).readInt32LE();

/**
 * Four bytes at a time, with a multiplier of MurmurHash3 (Appleby). The shift after each product makes all bits of the start matter: without it,
 * as in FNV-1a, texts of the same hash depend on its lowest byte alone.
 */
function hash(bytes: Uint8Array, from: number, end: number, start: number): number {
  let value = start ^ (end - from);
  let at = from;
  for (; at + 4 <= end; at += 4)
    value = mixed(
      value ^
        ((bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16) | ((bytes[at + 3] as number) << 24)),
    );
  for (; at < end; at++) value = mixed(value ^ (bytes[at] as number));
  return value;
}

function mixed(word: number): number {
  const product = Math.imul(word, 0x85ebca6b);
  return product ^ (product >>> 15);
}
