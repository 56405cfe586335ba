import { CLICK_FILTERS, type ClickFilter } from '../../../shared/contract/schemas/clicks-query.js';
import { type Dictionary, uuidBytes, uuidOf } from './dictionary.js';

/**
 * Clicks of a day as columns. Each field is a column with an entry for every click: the number of the click's value in the column's
 * dictionary, in as few bits as the dictionary needs. A call reads only the columns that it needs, so that it reads a byte or two of a
 * click and not its row. "Dictionary encoding" and "bit packing" of Apache Parquet (https://parquet.apache.org/docs/file-format/data-pages/encodings/)
 * are the same.
 *
 * A day is divided into parts by visitors. In a part, visitors are in the order of their hashes, and the clicks of a visitor follow each
 * other. So the visitors of a group are counted by remembering, for each group, the last one.
 */

/**
 * `visitor` is 1 for the first click of each visitor, and `bot` is 1 for clicks by programs. `quarter` is the number of
 * quarters of an hour since 1970. The values of `item` name its type, as `itemKey` does. The dictionary of `visitor_hash` has the hash of each
 * visitor in 8 bytes, in the order of the visitors. It has no codes, because `visitor` says where the clicks of the next one begin. It is
 * needed to add clicks (merge.ts).
 */
export type ColumnField = ClickFilter | 'visitor' | 'visitor_hash' | 'bot' | 'quarter';

export const COLUMN_FIELDS: readonly ColumnField[] = ['visitor', 'visitor_hash', 'bot', 'quarter', ...CLICK_FILTERS];

/** Fields whose values are of type `uuid` and may be many. Dictionaries have them as 16 bytes, and all other values in UTF-8. */
export const UUID_FIELDS: ReadonlySet<ColumnField> = new Set(['link']);

/** One field of the clicks of a part. */
export interface Column {
  /** The values that occur, in ascending order. */
  readonly dictionary: Dictionary;
  /** For each click, the place of its value in the dictionary. */
  readonly codes: Uint32Array;
}

/** The value as it is in the dictionary of the field. */
export function bytesOf(field: ColumnField, value: string): Buffer {
  return UUID_FIELDS.has(field) ? uuidBytes(value) : Buffer.from(value);
}

/** The inverse of `bytesOf`. */
export function valueOfBytes(field: ColumnField, bytes: Buffer): string {
  return UUID_FIELDS.has(field) ? uuidOf(bytes) : bytes.toString();
}

/** Widths of a code in bits. With 0 bits, all codes are 0 and take no space. */
const WIDTHS = [0, 1, 2, 4, 8, 16, 32] as const;

/** Returns the bits that a code below `count` needs. */
export function widthOf(count: number): number {
  return WIDTHS.find((bits) => count <= 2 ** bits) as number;
}

/** Packs the codes. The first code of a byte is in its lowest bits; codes of several bytes are little-endian. */
export function packCodes(codes: ArrayLike<number>, bits: number): Buffer {
  const bytes = Buffer.alloc(Math.ceil((codes.length * bits) / 8));
  const { length } = codes;
  if (bits === 0) return bytes;
  if (bits < 8) {
    const perByte = 8 / bits;
    for (let place = 0; place < length; place++) {
      const at = Math.floor(place / perByte);
      bytes[at] = (bytes[at] as number) | ((codes[place] as number) << ((place % perByte) * bits));
    }
  } else if (bits === 8) bytes.set(codes);
  else if (bits === 16) for (let place = 0; place < length; place++) bytes.writeUInt16LE(codes[place] as number, place * 2);
  else for (let place = 0; place < length; place++) bytes.writeUInt32LE(codes[place] as number, place * 4);
  return bytes;
}

/** The inverse of `packCodes`, for as many codes as there are. All columns have codes of one type, which makes counting them several times as fast. */
export function unpackCodes(bytes: Buffer, bits: number, codes: Uint32Array): void {
  // A copy begins at an address that its type may have. Hosts that are not little-endian are not supported.
  if (bits === 32) codes.set(new Uint32Array(new Uint8Array(bytes).buffer));
  else if (bits === 16) codes.set(new Uint16Array(new Uint8Array(bytes).buffer));
  else if (bits === 8) codes.set(bytes);
  else if (bits === 0) codes.fill(0);
  else unpackBits(codes, bytes, bits);
}

function unpackBits(codes: Uint32Array, bytes: Buffer, bits: number): void {
  const mask = 2 ** bits - 1;
  const { length } = codes;
  const whole = Math.floor((length * bits) / 8);
  let place = 0;
  // Each call reads two columns of bits.
  if (bits === 1)
    for (let at = 0; at < whole; at++, place += 8) {
      const byte = bytes[at] as number;
      codes[place] = byte & 1;
      codes[place + 1] = (byte >> 1) & 1;
      codes[place + 2] = (byte >> 2) & 1;
      codes[place + 3] = (byte >> 3) & 1;
      codes[place + 4] = (byte >> 4) & 1;
      codes[place + 5] = (byte >> 5) & 1;
      codes[place + 6] = (byte >> 6) & 1;
      codes[place + 7] = byte >> 7;
    }
  else
    for (let at = 0; at < whole; at++)
      for (let shift = 0; shift < 8; shift += bits) codes[place++] = ((bytes[at] as number) >> shift) & mask;
  for (let shift = 0; place < length; shift += bits) codes[place++] = ((bytes[whole] as number) >> shift) & mask;
}
