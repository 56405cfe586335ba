import { existsSync, fstatSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { invariant } from '../../shared/base/invariant.js';
import { currentBoot } from '../../shared/base/process-identity.js';
import { CODEC_VERSION } from '../../shared/feed/codec.js';
import { attempt } from '../mapped/mapped-file.js';
import { headerChecksum } from '../mapped/xxh32.js';

/**
 * The link index: all links of a generation in one or several files, mapped by every redirect process of the host, so that all
 * of them share one copy in the kernel's page cache and a look-up is a few loads from memory. It is in the generation's folder,
 * and only a faster way to the contents of LMDB: a link that it does not have is looked up in LMDB, and it may be deleted at
 * any time.
 *
 *     store/<generation>/links.index -> links.index.9f3a77c2.0
 *     store/<generation>/links.index.9f3a77c2.{0,1,2,3}
 *
 * **A set of files.** A process can map no more than some GB in one piece, so a large index is 2^k files of one size. The k bits
 * of a key's hash from bit 26 up choose the file of its link (`fileNumber`). The files of a set share one seed, which is in their
 * names. `links.index` is a symbolic link to number 0, which represents the whole set: its position is that of all files, and
 * readers detach from all of them when it is superseded.
 *
 * All numbers are little-endian. The file consists of a header, a table and an arena:
 *
 *     at   bytes
 *       0  8   "LINKINDX"
 *       8  4   format version, 6
 *      12  4   version of the records' codec: what their members mean
 *      16  8   size of the file in bytes, 64-bit float
 *      24  4   slots of the table, a power of two
 *      28  4   seed of hashes and checksums, random, of the whole set
 *      32  64  the boot in which the file was made, padded with zeros
 *      96  4   files of the set, a power of two
 *     100  4   number of this file, from 0
 *     104  4   XXH32 of bytes 0 to 103, seed 0
 *     128  4   superseded: 1 when nothing more is written here, and readers must detach (number 0 only)
 *     136  8   feed position of the set, 64-bit integer (number 0 only)
 *     144  4   end of the arena's used part, in units of 8 bytes
 *     148  4   slots taken
 *     152  4   links
 *    4096      the table: slots of 8 bytes, the key's hash and then the place of its record in units of 8 bytes
 *              (0: the slot was never taken; 1: its link was removed)
 *              then the arena: records (record.ts) one after the other
 *
 * **Writing.** One process writes. A record is appended, then published by one atomic store of its place; a change is a new
 * record and the same store. A slot belongs to its hash for the life of the file, and a record is never overwritten. A reader
 * that sees a place sees the whole record. The store is sequentially consistent (Atomics), so no earlier store becomes visible
 * after it, on x86-64 (where a plain store would do) as well as on arm64 (STLR). And a reader reaches the record only through
 * the place it has loaded, an address dependency that both preserve without a barrier. The hash beside it is only a filter: a
 * reader that sees the place before the hash treats the key as one that is not there yet.
 *
 * **When the writer dies** between two stores, the record is unpublished or whole. If a transaction has several links, some may
 * be published and some not. Then the position of the set differs from LMDB's, and the next writer rebuilds the set. After a
 * power loss no page can be trusted, because the kernel writes them back in any order. The boot then differs.
 *
 * **Room.** All blocks are allocated in advance: a store or load in a hole on a full disk raises SIGBUS. No process shortens a
 * file. When the table or arena of one of the files is almost full, a new set is built. When it is whole, the symbolic link is
 * replaced atomically, and the old set is superseded: its readers see that at their next look-up, and what they still have
 * mapped stays whole, although its files no longer have names. A writer that dies before that step leaves the old set in use.
 * One that dies after it leaves files with the names of an older set, which the next writer supersedes and removes before it
 * writes anything.
 */
export const LINK_INDEX_FILE = 'links.index';

const MAGIC = Buffer.from('LINKINDX', 'latin1');
const FORMAT_VERSION = 6;
const BOOT_OFFSET = 32;
const BOOT_BYTES = 64;
const FILES_OFFSET = 96;
const NUMBER_OFFSET = 100;
const CHECKSUM_OFFSET = 104;

export const SUPERSEDED_WORD = 32;
export const SUPERSEDED_OFFSET = SUPERSEDED_WORD * 4;
/** Index of a 64-bit word. */
export const POSITION_LONG = 17;
export const POSITION_OFFSET = POSITION_LONG * 8;
export const USED_WORD = 36;
export const TAKEN_WORD = 37;
export const LINKS_WORD = 38;

/** The header has a page of its own, so that the table is page-aligned. */
export const HEADER_BYTES = 4096;
export const TABLE_WORD = HEADER_BYTES >> 2;

/** Values that cannot be the place of a record, because they are in the header. */
export const NEVER_TAKEN = 0;
export const REMOVED = 1;

/**
 * A look-up and a put stop after this many probes, and LMDB answers. With at most 7 of 10 slots taken, linear probing passes 6
 * slots on average before it finds that a key is missing. Chains of 128 do not occur by chance, and an attacker who picks paths
 * to create one gains nothing.
 */
export const PROBES_MAX = 128;

const SLOTS_MIN = 1024;
export const TAKEN_SHARE_MAX = 0.7;

/**
 * The low 26 bits of a hash choose the slot and its high 6 bits the file. No bit does both, because otherwise the keys of one
 * file would begin at only a few of its slots.
 */
const SLOT_BITS = 26;
const SLOTS_MAX = 2 ** SLOT_BITS;
const FILES_MAX = 2 ** (32 - SLOT_BITS);

/** Returns the number of the file for the key with this hash. `mask` is the number of files minus one. */
export function fileNumber(hash: number, mask: number): number {
  return (hash >>> SLOT_BITS) & mask;
}

/** The contents for which a new index must have room. */
export interface IndexRoom {
  readonly links: number;
  readonly record_bytes: number;
}

/** The shape that all files of a set have. */
export interface LinkIndexShape {
  /** Size of one file. */
  readonly file_bytes: number;
  /** Slots of one file. */
  readonly slots: number;
  readonly seed: number;
  readonly files: number;
}

/** Returns the offset of the arena's first byte. */
export function arenaStart({ slots }: Pick<LinkIndexShape, 'slots'>): number {
  return HEADER_BYTES + slots * 8;
}

/**
 * Returns the shape with the fewest files that have room for so many links and bytes of records, each of at most `fileBytesMax`
 * and with a table that is at most half full. Returns null if a hash cannot distinguish that many files.
 */
export function shapeFor(room: IndexRoom, seed: number, fileBytesMax: number): LinkIndexShape | null {
  for (let files = 1; files <= FILES_MAX; files *= 2) {
    const needed = neededOfEach(room, files);
    if (needed.bytes > fileBytesMax || needed.slots > SLOTS_MAX) continue;
    return { file_bytes: Math.min(roundedUp(needed.bytes), fileBytesMax - (fileBytesMax % 8)), slots: needed.slots, seed, files };
  }
  return null;
}

/** How many standard deviations of its number of links each file has room for, if there are several files. */
const UNEVENNESS = 6;

function neededOfEach({ links, record_bytes }: IndexRoom, files: number): { readonly slots: number; readonly bytes: number } {
  const linksEach = Math.ceil(links / files);
  // By chance, a file gets slightly more links than its share. A half-full table has room for them; bytes are added for them here.
  const spare = files === 1 ? 1 : 1 + UNEVENNESS / Math.sqrt(Math.max(1, linksEach));
  const slots = 2 ** Math.ceil(Math.log2(Math.max(SLOTS_MIN, linksEach * 2)));
  return { slots, bytes: Math.ceil((arenaStart({ slots }) + (record_bytes / files) * spare) / 8) * 8 };
}

/** Rounds up to one of four steps per power of two, so that a process can reuse a window on one file for the next. */
function roundedUp(bytes: number): number {
  const step = 2 ** (Math.floor(Math.log2(bytes)) - 2);
  return Math.ceil(bytes / step) * step;
}

/** Returns the name of a file in the set with this seed, for the index at `path`. */
export function indexFilePath(path: string, seed: number, number: number): string {
  return `${path}.${(seed >>> 0).toString(16).padStart(8, '0')}.${number}`;
}

/** Encodes the unchanging part of the header, and the initial state of the rest. */
export function encodeIndexHeader(shape: LinkIndexShape, number: number): Buffer {
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
  bytes.writeUInt32LE(shape.files, FILES_OFFSET);
  bytes.writeUInt32LE(number, NUMBER_OFFSET);
  bytes.writeInt32LE(headerChecksum(bytes, CHECKSUM_OFFSET), CHECKSUM_OFFSET);
  bytes.writeBigInt64LE(-1n, POSITION_OFFSET);
  bytes.writeUInt32LE(arenaStart(shape) / 8, USED_WORD * 4);
  return bytes;
}

export interface IndexHeader {
  readonly shape: LinkIndexShape;
  /** Number of the file in its set. */
  readonly number: number;
  readonly superseded: boolean;
  readonly position: bigint;
}

/** Returns the contents of an open file's header, or why the file must not be read. */
export function readIndexHeader(fd: number): IndexHeader | { readonly fault: string } {
  const bytes = Buffer.alloc(HEADER_BYTES);
  const read = attempt(() => ({ bytes: readSync(fd, bytes, 0, HEADER_BYTES, 0), size: fstatSync(fd).size }));
  if ('error' in read) return { fault: read.error };
  if (read.value.bytes < HEADER_BYTES) return { fault: 'shorter than its header' };
  if (!MAGIC.equals(bytes.subarray(0, MAGIC.length))) return { fault: 'no link index' };
  if (bytes.readUInt32LE(8) !== FORMAT_VERSION || bytes.readUInt32LE(12) !== CODEC_VERSION) return { fault: 'written by another release' };
  if (bytes.readInt32LE(CHECKSUM_OFFSET) !== headerChecksum(bytes, CHECKSUM_OFFSET)) return { fault: 'header checksum' };
  const shape = {
    file_bytes: bytes.readDoubleLE(16),
    slots: bytes.readUInt32LE(24),
    seed: bytes.readInt32LE(28),
    files: bytes.readUInt32LE(FILES_OFFSET),
  };
  if (shape.file_bytes !== read.value.size) return { fault: 'cut short' };
  const boot = bytes.toString('latin1', BOOT_OFFSET, BOOT_OFFSET + BOOT_BYTES).replace(/\0+$/, '');
  if (boot !== currentBoot()) return { fault: 'made before the machine was last started' };
  return {
    shape,
    number: bytes.readUInt32LE(NUMBER_OFFSET),
    superseded: bytes.readInt32LE(SUPERSEDED_OFFSET) !== 0,
    position: bytes.readBigInt64LE(POSITION_OFFSET),
  };
}

/** Reports to the writer, by a file beside the index, that a reader found a record that is not what was written. */
export function reportIndexDamage(path: string): void {
  writeFileSync(`${path}.suspect`, '');
}

/** Whether a reader distrusts the file at `path`. Each report is returned once. */
export function takeDamageReport(path: string): boolean {
  if (!existsSync(`${path}.suspect`)) return false;
  rmSync(`${path}.suspect`, { force: true });
  return true;
}

/**
 * Hashes environment and path to 32 bits: FNV-1a starting with the seed, then the finalizer `lowbias32`
 * (https://nullprogram.com/blog/2018/07/31/). Its low bits, which choose the slot, depend on every bit before it.
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
