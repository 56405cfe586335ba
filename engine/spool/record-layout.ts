/**
 * The records of a segment (segment.ts), each a multiple of 4 bytes:
 *
 *      0  4   XXH32 of the rest of the record, seed: bytes 28 to 31 of the header
 *      4  4   length of the record in bytes (low 24 bits), type (high 8 bits)
 *
 * Type 1 defines an entry of the segment's dictionary; entries are numbered 1, 2, 3 in their order in the file:
 *
 *      8  2   the entry's number
 *     10  2   length of the text in bytes
 *     12      text, UTF-8; zeros up to a multiple of 4
 *
 * Type 2 is a click:
 *
 *      8  6   occurred at, milliseconds since the epoch
 *     14  1   kind: index into CLICK_KINDS. 2 is not a click, but what the click's page has learnt about the device (click.ts).
 *             A release that does not know it refuses the record, stores the clicks around it, and quarantines the segment
 *     15  1   bit 0: parameters were dropped; the socket's address has 4 bytes (bit 1), 16 bytes (bit 2), or is absent;
 *             the client hint named iOS (bit 3), Android (bit 4), or nothing relevant; a QR code was scanned (bit 5,
 *             which a release that does not know it ignores)
 *     16  4   environment number
 *     20  12  six dictionary numbers of 2 bytes: DICTIONARY_FIELDS; 0 is the empty text, 65535 says that the text is in the record
 *     32  16  eight lengths in bytes, 2 bytes each: TEXT_FIELDS
 *     48      the eight texts; then the text of each dictionary field that is in the record, preceded by its length in 2 bytes;
 *             then the socket's address; zeros up to a multiple of 4
 *
 * Texts are UTF-8, at most FIELD_BYTES_MAX bytes; longer ones are cut between characters. A click has its address as a text or
 * as the socket's bytes, encrypted: each byte is combined by exclusive or with one of the click's 48 bytes of keystream.
 */
export const RECORD_DEFINITION = 1;
export const RECORD_CLICK = 2;
export const RECORD_LENGTH_MASK = 0xffffff;
/** The type is above the bits of the length. */
export const RECORD_TYPE_SHIFT = 24;
export const DEFINITION_HEADER_BYTES = 12;
export const CLICK_HEADER_BYTES = 48;

/** Offsets from the record's beginning, in units of 4 bytes (`_WORD`) and of 2 (`_SHORT`). */
export const CHECKSUM_WORD = 0;
export const HEAD_WORD = 1;
export const DEFINITION_NUMBER_SHORT = 4;
export const DEFINITION_LENGTH_SHORT = 5;
/** The low 32 bits of the time; its high 16 bits. */
export const TIME_LOW_WORD = 2;
export const TIME_HIGH_SHORT = 6;
/** The kind in the low byte, the flags in the high one. */
export const KIND_AND_FLAGS_SHORT = 7;
export const ENVIRONMENT_WORD = 4;
/** The first of `DICTIONARY_FIELDS`, whose numbers follow one another. */
export const DICTIONARY_SHORT = 10;
/** The first of `TEXT_FIELDS`, whose lengths follow one another. */
export const LENGTHS_SHORT = 16;
/** The bytes of the length before a dictionary field's text in the record. */
export const INLINE_LENGTH_BYTES = 2;

/** Texts that repeat from click to click are written once per segment. */
export const DICTIONARY_FIELDS = ['user_agent', 'host', 'campaign', 'utm', 'bot_reason', 'country'] as const;
/** Texts that mostly differ from click to click. */
export const TEXT_FIELDS = [
  'subject_id',
  'resource_type_id',
  'item_id',
  'path',
  'referrer',
  'query',
  'destination',
  'address_text',
] as const;

/** Bits of byte 15 of a click. */
export const FLAG_PARAMS_DROPPED = 1;
export const FLAG_ADDRESS_4 = 2;
export const FLAG_ADDRESS_16 = 4;
export const FLAG_HINT_IOS = 8;
export const FLAG_HINT_ANDROID = 16;
export const FLAG_QR = 32;

export const DICTIONARY_INLINE = 0xffff;
/** Bounds the memory of writer and reader if clients make up user agents; a text that does not fit is written into its record. */
export const DICTIONARY_ENTRIES_MAX = 8192;
/** Longer texts are assumed not to repeat. */
export const DICTIONARY_TEXT_CHARACTERS_MAX = 1024;

/** No field of a click comes close: a request's whole head is limited to 16 KiB, a link's destination to 2 KiB. */
export const FIELD_BYTES_MAX = 8192;

/**
 * A click with the definitions before it never takes more: 14 texts of 8,192 + 2 bytes, the heads and padding of six
 * definitions, the click's own head, an address. A writer seals a segment that has less room left, so that the next click
 * always fits and its id is known in advance.
 */
export const GROUP_BYTES_MAX = 128 * 1024;

/** Returns when the click at `at` occurred, in milliseconds since the epoch. */
export function clickTime(shorts: Uint16Array, words: Int32Array, at: number): number {
  return (shorts[(at >> 1) + TIME_HIGH_SHORT] as number) * 0x100000000 + ((words[(at >> 2) + TIME_LOW_WORD] as number) >>> 0);
}

/** Offset of the next multiple of 4. */
export function align4(offset: number): number {
  return (offset + 3) & ~3;
}
