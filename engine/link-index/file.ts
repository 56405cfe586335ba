import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { invariant } from '../../shared/base/invariant.js';
import { LINK_INDEX_BYTES_MAX } from '../../shared/base/limits.js';
import { currentBoot } from '../../shared/base/process-identity.js';
import { CODEC_VERSION } from '../../shared/feed/codec.js';
import { xxh32 } from '../mapped/xxh32.js';

/**
 * The link index: one file of all links of a generation, mapped by every redirect process of the host, so that all of
 * them share one copy in the kernel's page cache and a look-up is a few loads from memory. It stands in the generation's
 * folder, `store/<generation>/links.index`, and is only ever a faster way to what LMDB holds: what it does not have is
 * looked up in LMDB, and it may be deleted at any time.
 *
 * All numbers are little-endian. A header, a table, an arena:
 *
 *     at   bytes
 *       0  8   "LINKINDX"
 *       8  4   format version, 4
 *      12  4   version of the records' codec: what their members mean
 *      16  8   bytes of the file, 64-bit float
 *      24  4   slots of the table, a power of two
 *      28  4   seed of hashes and checksums, random
 *      32  64  the boot in which the file was made, padded with zeros
 *      96  4   XXH32 of bytes 0 to 95, seed 0
 *     128  4   superseded: 1 when nothing more is written here, and readers have to leave
 *     136  8   feed position that the file is at, 64-bit integer
 *     144  4   end of the arena's used part, in units of 8 bytes
 *     148  4   slots taken
 *     152  4   links
 *    4096      the table: slots of 8 bytes, the key's hash and then the place of its record in units of 8 bytes
 *              (0: the slot was never taken; 1: its link was removed)
 *              then the arena: records (record.ts) one after the other
 *
 * **Writing.** One process writes. A record is appended, then published by one atomic store of its place; a change is a
 * new record and the same store. A slot belongs to its hash for the life of the file, a record is never written over.
 * A reader that sees a place sees the whole record: the store is sequentially consistent (Atomics), so that no store before it
 * becomes visible after it, on x86-64 (where a plain store would do) as on arm64 (STLR); and a reader comes to the record
 * only through the place it has loaded, an address dependency that both keep without a barrier. The hash beside it is
 * only a filter: a reader that sees the place before the hash takes the key for one that is not there yet.
 *
 * **When the writer dies** between two stores, the record is unpublished or whole. Of a transaction of several links some
 * may be published and some not; then the position in the header is not LMDB's, and the next writer builds the file again.
 * After a power loss no page can be trusted, since the kernel writes them back in any order: the boot is another one.
 *
 * **Room.** All blocks are allocated beforehand: a store or load in a hole of a full disk is SIGBUS. Nobody shortens the
 * file. When table or arena run full a new file is built, renamed over the old one, and the old one is superseded: its
 * readers see that at their next look-up, and what they still have mapped stays whole, though it has no name any more.
 */
export const LINK_INDEX_FILE = 'links.index';

const MAGIC = Buffer.from('LINKINDX', 'latin1');
const FORMAT_VERSION = 4;
const BOOT_OFFSET = 32;
const BOOT_BYTES = 64;
const CHECKSUM_OFFSET = 96;

export const SUPERSEDED_WORD = 32;
export const SUPERSEDED_OFFSET = SUPERSEDED_WORD * 4;
/** Index of a 64-bit word. */
export const POSITION_LONG = 17;
export const POSITION_OFFSET = POSITION_LONG * 8;
export const USED_WORD = 36;
export const TAKEN_WORD = 37;
export const LINKS_WORD = 38;

/** A page of its own, so that the table begins at one. */
export const HEADER_BYTES = 4096;
export const TABLE_WORD = HEADER_BYTES >> 2;

/** Places that are none of a record: they lie in the header. */
export const NEVER_TAKEN = 0;
export const REMOVED = 1;

/**
 * A look-up and a put stop here, and LMDB answers. With at most 7 of 10 slots taken, linear probing passes 6 slots on average before it
 * finds that a key is missing, and chains of 128 do not come about by chance; somebody who picks paths to make one gains nothing.
 */
export const PROBES_MAX = 128;

const SLOTS_MIN = 1024;
export const TAKEN_SHARE_MAX = 0.7;

export interface LinkIndexShape {
  readonly file_bytes: number;
  readonly slots: number;
  readonly seed: number;
}

/** The first byte of the arena. */
export function arenaStart({ slots }: Pick<LinkIndexShape, 'slots'>): number {
  return HEADER_BYTES + slots * 8;
}

/**
 * A file for so many links and bytes of records, with the table at most half full; null if that is more than a file may
 * have. Sizes are rounded up to four steps for each power of two, so that a process can use a window on one file for the next.
 */
export function shapeFor(links: number, recordBytes: number, seed: number): LinkIndexShape | null {
  const slots = 2 ** Math.ceil(Math.log2(Math.max(SLOTS_MIN, links * 2)));
  const bytes = arenaStart({ slots }) + recordBytes;
  const step = 2 ** (Math.floor(Math.log2(bytes)) - 2);
  const file_bytes = Math.ceil(bytes / step) * step;
  return file_bytes > LINK_INDEX_BYTES_MAX ? null : { file_bytes, slots, seed };
}

/** The unchanging part of the header, and the first state of the rest. */
export function encodeIndexHeader(shape: LinkIndexShape): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  MAGIC.copy(bytes);
  bytes.writeUInt32LE(FORMAT_VERSION, 8);
  bytes.writeUInt32LE(CODEC_VERSION, 12);
  bytes.writeDoubleLE(shape.file_bytes, 16);
  bytes.writeUInt32LE(shape.slots, 24);
  bytes.writeInt32LE(shape.seed, 28);
  const boot = currentBoot();
  invariant(boot !== null && boot.length <= BOOT_BYTES, 'an index is made only where the boot can be named');
  bytes.write(boot, BOOT_OFFSET, 'latin1');
  bytes.writeInt32LE(headerChecksum(bytes), CHECKSUM_OFFSET);
  bytes.writeBigInt64LE(-1n, POSITION_OFFSET);
  bytes.writeUInt32LE(arenaStart(shape) / 8, USED_WORD * 4);
  return bytes;
}

/** What the header says of a file of `fileBytes`, or why the file is not to be read. */
export function decodeIndexHeader(bytes: Buffer, fileBytes: number): { readonly shape: LinkIndexShape } | { readonly fault: string } {
  if (bytes.length < HEADER_BYTES) return { fault: 'shorter than its header' };
  if (!MAGIC.equals(bytes.subarray(0, MAGIC.length))) return { fault: 'no link index' };
  if (bytes.readInt32LE(CHECKSUM_OFFSET) !== headerChecksum(bytes)) return { fault: 'header checksum' };
  if (bytes.readUInt32LE(8) !== FORMAT_VERSION || bytes.readUInt32LE(12) !== CODEC_VERSION) return { fault: 'written by another version' };
  const shape = { file_bytes: bytes.readDoubleLE(16), slots: bytes.readUInt32LE(24), seed: bytes.readInt32LE(28) };
  if (shape.file_bytes !== fileBytes) return { fault: 'cut short' };
  const boot = bytes.toString('latin1', BOOT_OFFSET, BOOT_OFFSET + BOOT_BYTES).replace(/\0+$/, '');
  if (boot !== currentBoot()) return { fault: 'made before the machine was last started' };
  return { shape };
}

function headerChecksum(bytes: Buffer): number {
  const words = new Int32Array(CHECKSUM_OFFSET >> 2);
  Buffer.from(words.buffer).set(bytes.subarray(0, CHECKSUM_OFFSET));
  return xxh32(words, 0, words.length, 0);
}

/** A reader's word to the writer, beside the file: it met a record that is not what was written. */
export function reportIndexDamage(path: string): void {
  writeFileSync(`${path}.suspect`, '');
}

/** Whether a reader distrusts the file at `path`; asked once for each word. */
export function takeDamageReport(path: string): boolean {
  if (!existsSync(`${path}.suspect`)) return false;
  rmSync(`${path}.suspect`, { force: true });
  return true;
}

/**
 * 32 bits of environment and path: FNV-1a with the seed as its start, then the finalizer `lowbias32`
 * (https://nullprogram.com/blog/2018/07/31/), whose low bits, which choose the slot, depend on every bit before it.
 */
export function keyHash(seed: number, environmentNumber: number, path: string): number {
  let hash = seed ^ Math.imul(environmentNumber, 0x9e3779b1);
  for (let index = 0; index < path.length; index++) hash = Math.imul(hash ^ path.charCodeAt(index), 0x01000193);
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x7feb352d);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x846ca68b);
  return hash ^ (hash >>> 16);
}
