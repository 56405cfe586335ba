import { randomFillSync } from 'node:crypto';
import type { Clock } from './clock.js';
import { systemClock } from './clock.js';
import { INSTANT_MAX_MS } from './instant.js';

/**
 * Ids are a prefix and a ULID (https://github.com/ulid/spec): 48 bits of milliseconds and 80 random bits as 26
 * lower-case Crockford base32 characters. They sort by time. The click log keeps the same 128 bits as a `uuid`,
 * which PostgreSQL compares byte by byte, so that both forms sort alike.
 */
export const ID_PREFIXES = {
  project: 'prj_',
  environment: 'env_',
  key: 'key_',
  link: 'lnk_',
  campaign: 'cmp_',
  tag: 'tag_',
  alias: 'als_',
  domain: 'dom_',
  resourceType: 'rt_',
  urlTemplate: 'tpl_',
  metadataApi: 'mapi_',
  webhook: 'wh_',
  delivery: 'whd_',
  event: 'evt_',
  click: 'clk_',
  install: 'ins_',
  view: 'view_',
  viewShare: 'shr_',
} as const;

export type IdKind = keyof typeof ID_PREFIXES;

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';
const ULID_CHARACTERS = 26;
const ULID_BYTES = 16;

/** 255 marks a byte that is not a Crockford character. Ids are lower case only: two spellings of one id would be two cache keys. */
const DECODE = new Uint8Array(128).fill(255);
for (let value = 0; value < CROCKFORD.length; value++) DECODE[CROCKFORD.charCodeAt(value)] = value;

/** The ULID's 16 bytes as 26 characters. */
export function encodeUlid(bytes: Uint8Array): string {
  let text = '';
  let buffer = 0;
  let bits = 2; // 130 bits of text hold 128 bits of value: the first character carries two zero bits.
  for (let index = 0; index < ULID_BYTES; index++) {
    buffer = (buffer << 8) | (bytes[index] as number);
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += CROCKFORD[(buffer >>> bits) & 31];
    }
    buffer &= (1 << bits) - 1;
  }
  return text;
}

/** Returns the 16 bytes of a ULID, or null if `text` is not one (wrong length, character or overflow). */
export function decodeUlid(text: string): Uint8Array | null {
  if (text.length !== ULID_CHARACTERS) return null;
  const bytes = new Uint8Array(ULID_BYTES);
  let buffer = 0;
  let bits = -2;
  let at = 0;
  for (let index = 0; index < ULID_CHARACTERS; index++) {
    const code = text.charCodeAt(index);
    const value = code < 128 ? (DECODE[code] as number) : 255;
    if (value === 255 || (index === 0 && value > 7)) return null;
    buffer = (buffer << 5) | value;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = (buffer >>> bits) & 255;
      buffer &= (1 << bits) - 1;
    }
  }
  return bytes;
}

/**
 * Like `decodeUlid`, but for 26 ASCII bytes at `source[start]`, into `target[at]`, for readers of bytes that never
 * become strings. Returns false if they are not a ULID.
 */
export function decodeUlidBytes(source: Uint8Array, start: number, target: Uint8Array, at: number): boolean {
  let buffer = 0;
  let bits = -2;
  for (let index = 0; index < ULID_CHARACTERS; index++) {
    const code = source[start + index] as number;
    const value = code < 128 ? (DECODE[code] as number) : 255;
    if (value === 255 || (index === 0 && value > 7)) return false;
    buffer = (buffer << 5) | value;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      target[at++] = (buffer >>> bits) & 255;
      buffer &= (1 << bits) - 1;
    }
  }
  return true;
}

const RANDOM_BYTES = 10;
const random = new Uint8Array(RANDOM_BYTES);
/**
 * Random bytes are drawn for many ids at once: a system call takes longer than the rest of an id, and each imported
 * link has a time of its own.
 */
const POOL_BYTES = RANDOM_BYTES * 400;
const pool = new Uint8Array(POOL_BYTES);
let poolAt = POOL_BYTES;
let randomOfMs = -1;

/**
 * Returns the 80 bits that follow the time. Within one millisecond they count up, so that ids of one process sort in
 * the order in which it made them (the specification's monotonic form). A new millisecond draws new bits from the
 * operating system's CSPRNG, with the first bit clear, so that counting cannot overflow.
 */
function drawRandom(timeMs: number): Uint8Array {
  if (timeMs === randomOfMs) {
    let at = RANDOM_BYTES - 1;
    while (random[at] === 255) random[at--] = 0;
    random[at] = (random[at] as number) + 1;
    return random;
  }
  randomOfMs = timeMs;
  if (poolAt === POOL_BYTES) {
    randomFillSync(pool);
    poolAt = 0;
  }
  random.set(pool.subarray(poolAt, poolAt + RANDOM_BYTES));
  poolAt += RANDOM_BYTES;
  random[0] = (random[0] as number) & 0x7f;
  return random;
}

/** A new id of the kind, for example `lnk_01jd...`. */
export function newId(kind: IdKind, clock: Clock = systemClock): string {
  return idAt(kind, clock());
}

/** A new id that carries the given time in milliseconds. */
export function idAt(kind: IdKind, timeMs: number): string {
  const bytes = new Uint8Array(ULID_BYTES);
  writeTime(bytes, timeMs);
  bytes.set(drawRandom(timeMs), 6);
  return ID_PREFIXES[kind] + encodeUlid(bytes);
}

/** Returns the least id of the kind with this time: no id made earlier is above it. Times before 1970 count as 1970. */
export function idFloor(kind: IdKind, timeMs: number): string {
  return boundaryId(kind, timeMs, 0);
}

/**
 * Returns the greatest id of the kind with this time. For a time before 1970, which no id carries, returns a text that
 * sorts below all ids.
 */
export function idCeiling(kind: IdKind, timeMs: number): string {
  if (timeMs < 0) return ID_PREFIXES[kind];
  return boundaryId(kind, timeMs, 255);
}

function boundaryId(kind: IdKind, timeMs: number, fill: number): string {
  const bytes = new Uint8Array(ULID_BYTES).fill(fill);
  writeTime(bytes, Math.max(0, timeMs));
  return ID_PREFIXES[kind] + encodeUlid(bytes);
}

/** Writes the 48-bit big-endian time that begins a ULID. */
export function writeTime(bytes: Uint8Array, timeMs: number): void {
  const high = Math.floor(timeMs / 2 ** 32);
  const low = timeMs >>> 0;
  bytes[0] = (high >>> 8) & 255;
  bytes[1] = high & 255;
  bytes[2] = low >>> 24;
  bytes[3] = (low >>> 16) & 255;
  bytes[4] = (low >>> 8) & 255;
  bytes[5] = low & 255;
}

/** Whether `text` is a well-formed id of the kind. */
export function isId(kind: IdKind, text: string): boolean {
  return idBytes(kind, text) !== null;
}

/** Returns the 16 bytes of an id, or null if it is not one of the kind. */
export function idBytes(kind: IdKind, text: string): Uint8Array | null {
  const prefix = ID_PREFIXES[kind];
  return text.startsWith(prefix) ? decodeUlid(text.slice(prefix.length)) : null;
}

/**
 * Returns the milliseconds that an id carries, or null if it is not one of the kind. A ULID may carry a time up to the
 * year 10889, but RFC 3339 cannot write years above 9999. Nobody has made such an id, so it counts as none.
 */
export function idTimeMs(kind: IdKind, text: string): number | null {
  const bytes = idBytes(kind, text);
  if (bytes === null) return null;
  const timeMs = Buffer.from(bytes.buffer).readUIntBE(0, 6);
  return timeMs > INSTANT_MAX_MS ? null : timeMs;
}

/** The id as PostgreSQL's `uuid` text, as the click log stores it; null if it is not one of the kind. */
export function idToUuid(kind: IdKind, text: string): string | null {
  const bytes = idBytes(kind, text);
  return bytes === null ? null : bytesToUuid(bytes);
}

/** 16 bytes in the text form of a `uuid`. */
export function bytesToUuid(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, ULID_BYTES).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** An id of the kind from PostgreSQL's `uuid` text. */
export function uuidToId(kind: IdKind, uuid: string): string {
  return ID_PREFIXES[kind] + encodeUlid(Buffer.from(uuid.replaceAll('-', ''), 'hex'));
}
