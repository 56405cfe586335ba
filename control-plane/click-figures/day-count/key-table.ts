/** Number of words of a key. */
export const KEY_WORDS = 3;
const KEYS_AT_FIRST = 1024;

/**
 * A hash table whose keys are three 32-bit numbers. Each entry has a number of words for the caller, initially 0, stored next to
 * the key, so that a look-up waits for memory at most twice. The place of a key is its number, from 0 in the order of insertion.
 * Open addressing with linear probing (Knuth, "The Art of Computer Programming", volume 3, section 6.4), at most half full. A `Map`
 * with texts as keys takes ten times as long and five times the memory.
 */
export class KeyTable {
  /** Number of words of an entry: those of its key and those for the caller. */
  readonly stride: number;
  /** The entries, by their place: the key, then the words for the caller. */
  words: Int32Array;
  /** Places by hash, plus 1; 0 marks a free slot. */
  #slots = new Int32Array(KEYS_AT_FIRST * 2);
  #size = 0;

  constructor(wordsBeside = 0) {
    this.stride = KEY_WORDS + wordsBeside;
    this.words = new Int32Array(KEYS_AT_FIRST * this.stride);
  }

  /** Number of keys. */
  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return this.words.byteLength + this.#slots.byteLength;
  }

  /** Returns the place of the key, which is added if it is missing. `size` shows whether it was added. */
  place(first: number, second: number, third: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    const { words, stride } = this;
    for (let slot = hash(first, second, third) & mask; ; slot = (slot + 1) & mask) {
      const place = (slots[slot] as number) - 1;
      if (place < 0) return this.#add(slot, first, second, third);
      const at = place * stride;
      if (words[at] === first && words[at + 1] === second && words[at + 2] === third) return place;
    }
  }

  #add(slot: number, first: number, second: number, third: number): number {
    const place = this.#size++;
    this.#slots[slot] = place + 1;
    if (this.#size * this.stride > this.words.length) this.words = grown(this.words);
    const at = place * this.stride;
    this.words[at] = first;
    this.words[at + 1] = second;
    this.words[at + 2] = third;
    if (this.#size * 2 > this.#slots.length) this.#rehash();
    return place;
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    const { words, stride } = this;
    for (let place = 0; place < this.#size; place++) {
      const at = place * stride;
      let slot = hash(words[at] as number, words[at + 1] as number, words[at + 2] as number) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = place + 1;
    }
    this.#slots = slots;
  }
}

/** The same numbers in an array of twice the length. */
export function grown(numbers: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(numbers.length * 2);
  larger.set(numbers);
  return larger;
}

/** Three rounds of multiplication and rotation, and the end of MurmurHash3 (Appleby, public domain). */
function hash(first: number, second: number, third: number): number {
  let value = mix(0, first);
  value = mix(value, second);
  value = mix(value, third);
  value ^= value >>> 16;
  value = Math.imul(value, 0x85ebca6b);
  value ^= value >>> 13;
  value = Math.imul(value, 0xc2b2ae35);
  return value ^ (value >>> 16);
}

function mix(value: number, word: number): number {
  const scrambled = Math.imul(word, 0xcc9e2d51);
  const mixed = value ^ Math.imul((scrambled << 15) | (scrambled >>> 17), 0x1b873593);
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0;
}
