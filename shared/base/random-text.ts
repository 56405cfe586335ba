import { randomBytes } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The largest multiple of 62 that fits in a byte. Larger bytes are discarded, so that every character is equally likely. */
const BYTE_LIMIT = 248;

/** `characters` base62 characters (5.95 bits each) of the operating system's CSPRNG. */
export function randomBase62(characters: number): string {
  let text = '';
  while (text.length < characters)
    for (const byte of randomBytes(characters + 8)) if (byte < BYTE_LIMIT && text.length < characters) text += BASE62[byte % BASE62.length];
  return text;
}

/** Returns a number that fits a signed 64-bit integer of a database, as decimal digits: 63 bits from the same source. */
export function randomInt64(): string {
  return String(randomBytes(8).readBigUInt64BE() >> 1n);
}

/** Returns base62 characters of the given bytes, such as a digest. Returns fewer characters if the bytes do not suffice. */
export function base62Of(bytes: Uint8Array, characters: number): string {
  let text = '';
  for (const byte of bytes) if (byte < BYTE_LIMIT && text.length < characters) text += BASE62[byte % BASE62.length];
  return text;
}
