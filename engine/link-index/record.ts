import { invariant } from '../../shared/base/invariant.js';
import { DESTINATION_SLOTS, LINK_TEXTS, type LinkRecord, type LinkState, linkOfTexts, linkTexts } from '../../shared/records/records.js';
import { type DirectSlots, directSlots } from '../../shared/resolve/direct-destination.js';
import { xxh32 } from '../mapped/xxh32.js';

/**
 * A link in the arena of a link index, at a multiple of 8 bytes:
 *
 *      0  4   XXH32 of the rest of the record, with the index's seed
 *      4  4   length of the record in words of 4 bytes (low 16 bits); state (bits 16 to 19), passthrough (bit 20),
 *             whether every text is ASCII (bit 21)
 *      8  4   hash of the key
 *     12  4   environment number
 *     16  8   expires at, 64-bit float
 *     24  4   which texts are present, a bit for each
 *     28  34  the lengths of the texts in UTF-16 units, 16 bits each
 *     62  2   direct destinations, as shared/resolve/direct-destination.ts describes them; 0 also if some text is not ASCII
 *     64  2   total length of the texts in bytes
 *     66      the texts in their order, one after the other, UTF-8; zeros up to a multiple of 8 bytes
 *
 * It is decoded here and not by the codec of shared/feed, because a look-up must cost less than the rest of a visit: one call
 * turns all texts into one string, and each text is a slice of it and not a copy.
 */
const STATES: readonly LinkState[] = ['active', 'disabled', 'blocked', 'deleted'];

const ACTIVE = STATES.indexOf('active');

const STATE_SHIFT = 16;
const STATE_MASK = 15;
const PASSTHROUGH = 1 << 20;
const ASCII = 1 << 21;
const RECORD_WORDS_MASK = 0xffff;
const TEXT_BYTES_MAX = 0xffff;

const PRESENT_WORD = 6;
/** Offset from the record's beginning, in units of 2 bytes. */
export const LENGTHS = 14;
const DIRECT_SLOTS = 31;
const TEXT_BYTES = 32;
export const TEXTS_OFFSET = 66;
const RECORD_WORDS_MIN = 18;

/** Texts in their order: the path, then those of the record by `LINK_TEXTS`. */
export const PATH_TEXT = 0;
const FIRST_TEXT = 1;
export const ID_TEXT = FIRST_TEXT + LINK_TEXTS.indexOf('id');
const FIRST_DESTINATION = FIRST_TEXT + LINK_TEXTS.indexOf(DESTINATION_SLOTS[0]);

/** Returns the index of the text that is the destination of a slot, counted from 1. */
export function slotText(slot: number): number {
  return FIRST_DESTINATION + slot - 1;
}

/**
 * The methods that `Buffer.toString` calls in the end. Calling them directly saves a third of its time. In Node.js since
 * version 0.1, although its types include them only recently.
 */
interface TextSlices {
  latin1Slice(start: number, end: number): string;
  utf8Slice(start: number, end: number): string;
}

/** The memory of an index as typed arrays for reading and writing records. Made once for each window. */
export class IndexMemory {
  readonly bytes: Buffer;
  readonly texts: TextSlices;
  readonly shorts: Uint16Array;
  readonly words: Int32Array;
  readonly doubles: Float64Array;
  readonly longs: BigInt64Array;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.texts = bytes as unknown as TextSlices;
    this.shorts = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 1);
    this.words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2);
    this.doubles = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 3);
    this.longs = new BigInt64Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 3);
  }
}

export interface LinkKey {
  readonly hash: number;
  readonly environment_number: number;
  readonly path: string;
}

/** A link ready to be written. */
export interface EncodedLink {
  readonly texts: readonly (string | null)[];
  readonly text: string;
  readonly text_bytes: number;
  /** Size of the whole record. */
  readonly record_bytes: number;
}

/** Returns null if the link is larger than a record can be. The store has it all the same. */
export function encodeLink(path: string, link: LinkRecord): EncodedLink | null {
  const texts = [path, ...linkTexts(link)];
  const text = texts.join('');
  const text_bytes = Buffer.byteLength(text);
  return text_bytes > TEXT_BYTES_MAX ? null : { texts, text, text_bytes, record_bytes: (TEXTS_OFFSET + text_bytes + 7) & ~7 };
}

/** Writes the record at `place`, which is in units of 8 bytes. */
export function writeRecord(memory: IndexMemory, place: number, key: LinkKey, record: { link: LinkRecord; encoded: EncodedLink }): void {
  const { bytes, shorts, words, doubles } = memory;
  const { link, encoded } = record;
  const word = place * 2;
  let present = 0;
  encoded.texts.forEach((text, index) => {
    if (text !== null) present |= 1 << index;
    shorts[place * 4 + LENGTHS + index] = text?.length ?? 0;
  });
  const ascii = encoded.text_bytes === encoded.text.length;
  shorts[place * 4 + DIRECT_SLOTS] = ascii ? directSlots(link) : 0;
  const recordWords = encoded.record_bytes >> 2;
  const flags = (link.allow_param_passthrough ? PASSTHROUGH : 0) | (ascii ? ASCII : 0);
  words[word + 1] = recordWords | (STATES.indexOf(link.state) << STATE_SHIFT) | flags;
  words[word + 2] = key.hash;
  words[word + 3] = key.environment_number;
  doubles[place + 2] = link.expires_at_ms;
  words[word + PRESENT_WORD] = present;
  shorts[place * 4 + TEXT_BYTES] = encoded.text_bytes;
  const start = place * 8 + TEXTS_OFFSET;
  // Without a length, Node.js 20 and 22 write nothing if more than 2 GiB of the buffer follow.
  const written = bytes.write(encoded.text, start, encoded.text_bytes);
  invariant(written === encoded.text_bytes, 'the texts of a record are written whole');
  bytes.fill(0, start + encoded.text_bytes, place * 8 + encoded.record_bytes);
}

/** Returns the correct checksum for the record's first word; null if its length cannot be that of a record. */
export function recordChecksum(words: Int32Array, place: number, seed: number): number | null {
  const word = place * 2;
  const length = (words[word + 1] as number) & RECORD_WORDS_MASK;
  if (length < RECORD_WORDS_MIN || word + length > words.length) return null;
  return xxh32(words, word + 1, word + length, seed);
}

/** Whether the record at `place` belongs to the key. */
export function isRecordOf(memory: IndexMemory, place: number, key: LinkKey): boolean {
  const { words, shorts, bytes } = memory;
  const { path } = key;
  if (words[place * 2 + 2] !== key.hash || words[place * 2 + 3] !== key.environment_number) return false;
  if (shorts[place * 4 + LENGTHS + PATH_TEXT] !== path.length) return false;
  const start = place * 8 + TEXTS_OFFSET;
  for (let index = 0; index < path.length; index++) if (bytes[start + index] !== path.charCodeAt(index)) return false;
  return true;
}

/**
 * Returns the direct destinations that apply to a visit with this query, for the link of a record whose checksum is correct.
 * Returns 0 if the link is not active, or if it passes the query on.
 */
export function readDirectSlots({ words, shorts }: IndexMemory, place: number, query: string): DirectSlots {
  const flags = words[place * 2 + 1] as number;
  if (((flags >> STATE_SHIFT) & STATE_MASK) !== ACTIVE || ((flags & PASSTHROUGH) !== 0 && query !== '')) return 0;
  return shorts[place * 4 + DIRECT_SLOTS] as number;
}

/** Returns the link of a record whose checksum is correct. */
export function readLink(memory: IndexMemory, place: number): LinkRecord {
  const flags = memory.words[place * 2 + 1] as number;
  cursor.begin(memory, place, flags);
  return linkOfTexts(cursor, {
    state: STATES[(flags >> STATE_SHIFT) & STATE_MASK] as LinkState,
    expires_at_ms: memory.doubles[place + 2] as number,
    allow_param_passthrough: (flags & PASSTHROUGH) !== 0,
  });
}

/** The texts of the record being read, each a slice of one string. */
class TextCursor {
  #texts = '';
  #shorts: Uint16Array = new Uint16Array(1);
  /** Index in `#shorts` of the next text's length. */
  #length = 0;
  /** The lowest bit says whether the next text is present. */
  #present = 0;
  #from = 0;

  begin(memory: IndexMemory, place: number, flags: number): void {
    const present = memory.words[place * 2 + PRESENT_WORD] as number;
    this.#texts = readTexts(memory, place, flags, memory.shorts[place * 4 + TEXT_BYTES] as number);
    this.#shorts = memory.shorts;
    this.#length = place * 4 + LENGTHS + FIRST_TEXT;
    this.#present = present >> FIRST_TEXT;
    this.#from = memory.shorts[place * 4 + LENGTHS + PATH_TEXT] as number;
  }

  next(): string | null {
    const present = this.#present;
    const length = this.#shorts[this.#length++] as number;
    this.#present = present >> 1;
    if ((present & 1) === 0) return null;
    const from = this.#from;
    this.#from = from + length;
    return this.#texts.substring(from, from + length);
  }
}

/** Shared by all records, so that a look-up allocates none. */
const cursor = new TextCursor();

function readTexts({ texts }: IndexMemory, place: number, flags: number, textBytes: number): string {
  const start = place * 8 + TEXTS_OFFSET;
  return (flags & ASCII) === 0 ? texts.utf8Slice(start, start + textBytes) : texts.latin1Slice(start, start + textBytes);
}
