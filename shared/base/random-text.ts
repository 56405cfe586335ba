import { randomBytes } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The largest multiple of 62 that a byte can hold; bytes past it are thrown away, so that every character is as likely. */
const BYTE_LIMIT = 248;

/** `characters` base62 characters (5.95 bits each) of the operating system's CSPRNG. */
export function randomBase62(characters: number): string {
  let text = '';
  while (text.length < characters)
    for (const byte of randomBytes(characters + 8)) if (byte < BYTE_LIMIT && text.length < characters) text += BASE62[byte % BASE62.length];
  return text;
}

/** A number that a signed 64-bit integer of a database holds, as decimal digits: 63 bits of the same source. */
export function randomInt64(): string {
  return String(randomBytes(8).readBigUInt64BE() >> 1n);
}

/** Base62 characters of bytes that are given: a digest, say. Fewer characters if the bytes do not suffice. */
export function base62Of(bytes: Uint8Array, characters: number): string {
  let text = '';
  for (const byte of bytes) if (byte < BYTE_LIMIT && text.length < characters) text += BASE62[byte % BASE62.length];
  return text;
}
