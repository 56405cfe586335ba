import { invariant } from '../../shared/base/invariant.js';
import type { ProcessIdentity } from '../../shared/base/process-identity.js';
import { KEY_NAME_BYTES } from '../../shared/secrets/click-id-keys.js';
import { headerChecksum } from '../mapped/xxh32.js';

/**
 * A spool segment: one file of clicks written by one process and shipped by `background`. All numbers are
 * little-endian; hosts of the other order are not supported.
 *
 * Header, 160 bytes:
 *
 *     at  bytes
 *      0  8   "CLKSPOOL"
 *      8  2   format version
 *     10  1   mode: 1 mapped, 2 appended
 *     11  1   zero
 *     12  4   size of the file when it was made, in bytes
 *     16  16  segment id: a ULID, so that segments sort by age
 *     32  8   name of the key that the ids of this segment's clicks come from (click-ids.ts)
 *     40  8   name of the key that its addresses are encrypted with (address-cipher.ts)
 *     48  4   pid of the writer; 0 if its start does not fit into the field at 64
 *     52  4   zero
 *     56  8   time of creation, milliseconds since the epoch, 64-bit float
 *     64  64  when the writer started, as in shared/base/process-identity.ts, padded with zeros
 *    128  4   XXH32 of bytes 0 to 127, seed 0
 *    132  4   zero
 *    136  4   committed bytes: every record that ends at or before this offset is whole
 *    140  4   committed clicks
 *    144  4   sealed: 1 when the writer will never write here again
 *    148  12  zero
 *
 * Bytes 0 to 135 never change. In mapped mode a writer stores the record, then the number of clicks, then the number of bytes
 * with one atomic store: a reader that sees the number sees the record. In appended mode the writer writes the record with one
 * pwrite, and bytes 136 to 147 stay 0 until the segment is sealed; a reader finds the end by the checksums.
 *
 * Records follow from offset 160, without gaps: record-layout.ts.
 *
 * Format 1, written by the previous release, has the AES-128 key of its ids at 32, and addresses in plain text. It is read,
 * because processes of both releases work side by side during an upgrade, but never written.
 */
const MAGIC = Buffer.from('CLKSPOOL', 'latin1');
/** The format that is written. Raise it with every change to the layout described above and in record-layout.ts. */
export const FORMAT_VERSION = 2;
/**
 * The formats that are read: the current one, and that of the previous release, whose clicks may still be in the spool. A
 * release that writes a new format must follow one that reads it; see deploy/README.md.
 */
export const READ_FORMAT_VERSIONS: readonly number[] = [1, 2];
export const HEADER_BYTES = 160;
const KEYS_OFFSET = 32;
const CHECKSUM_OFFSET = 128;
const STARTED_OFFSET = 64;
const STARTED_BYTES = 64;
/** In the segment id. */
const SEED_OFFSET = 12;

export const MODE_MAPPED = 1;
export const MODE_APPENDED = 2;
export type SegmentMode = typeof MODE_MAPPED | typeof MODE_APPENDED;

/** Indexes of 32-bit words, for atomic access. */
export const COMMITTED_BYTES_WORD = 34;
export const COMMITTED_CLICKS_WORD = 35;
export const SEALED_WORD = 36;

/**
 * 16 MiB hold some 50,000 clicks. At 100,000 clicks/s this makes a new file every half second, and an idle process holds no
 * more than one.
 */
export const SEGMENT_BYTES_DEFAULT = 16 * 1024 * 1024;
export const SEGMENT_BYTES_MIN = 512 * 1024;

/** The keys that belong to a segment. A segment of format 1 contains its own. */
export type SegmentKeys =
  | { readonly format: 2; readonly click_id_key_name: Buffer; readonly address_key_name: Buffer }
  | { readonly format: 1; readonly id_key: Buffer };

export interface SegmentHeader {
  readonly mode: SegmentMode;
  readonly file_bytes: number;
  readonly segment_id: Buffer;
  readonly keys: SegmentKeys;
  /** Null if the writer's identity could not be recorded. */
  readonly writer: ProcessIdentity | null;
  readonly created_at_ms: number;
}

/** The first `HEADER_BYTES` of a new segment. */
export function encodeHeader(header: SegmentHeader): Buffer {
  invariant(header.keys.format === 2, 'segments are written in the newest format');
  const bytes = Buffer.alloc(HEADER_BYTES);
  MAGIC.copy(bytes, 0);
  bytes.writeUInt16LE(FORMAT_VERSION, 8);
  bytes.writeUInt8(header.mode, 10);
  bytes.writeUInt32LE(header.file_bytes, 12);
  header.segment_id.copy(bytes, 16);
  header.keys.click_id_key_name.copy(bytes, KEYS_OFFSET);
  header.keys.address_key_name.copy(bytes, KEYS_OFFSET + KEY_NAME_BYTES);
  // A truncated start would identify another process, so leave the writer out.
  if (header.writer !== null && Buffer.byteLength(header.writer.started) <= STARTED_BYTES) {
    bytes.writeUInt32LE(header.writer.pid, 48);
    bytes.write(header.writer.started, STARTED_OFFSET);
  }
  bytes.writeDoubleLE(header.created_at_ms, 56);
  bytes.writeInt32LE(headerChecksum(bytes, CHECKSUM_OFFSET), CHECKSUM_OFFSET);
  // Nothing is committed beyond the header.
  if (header.mode === MODE_MAPPED) bytes.writeInt32LE(HEADER_BYTES, COMMITTED_BYTES_WORD * 4);
  return bytes;
}

export type HeaderOutcome = { readonly header: SegmentHeader } | { readonly fault: string };

/** Reads the unchanging part of a header, or says what is wrong with it. */
export function decodeHeader(bytes: Buffer): HeaderOutcome {
  if (bytes.length < HEADER_BYTES) return { fault: 'shorter than its header' };
  if (!MAGIC.equals(bytes.subarray(0, MAGIC.length))) return { fault: 'no segment' };
  if (bytes.readInt32LE(CHECKSUM_OFFSET) !== headerChecksum(bytes, CHECKSUM_OFFSET)) return { fault: 'header checksum' };
  const version = bytes.readUInt16LE(8);
  if (!READ_FORMAT_VERSIONS.includes(version)) return { fault: `format version ${version}` };
  const mode = bytes.readUInt8(10);
  if (mode !== MODE_MAPPED && mode !== MODE_APPENDED) return { fault: `mode ${mode}` };
  return {
    header: {
      mode,
      file_bytes: bytes.readUInt32LE(12),
      segment_id: Buffer.from(bytes.subarray(16, 32)),
      keys: decodeKeys(version, Buffer.from(bytes.subarray(KEYS_OFFSET, KEYS_OFFSET + 2 * KEY_NAME_BYTES))),
      writer: decodeWriter(bytes),
      created_at_ms: bytes.readDoubleLE(56),
    },
  };
}

function decodeKeys(version: number, bytes: Buffer): SegmentKeys {
  if (version === 1) return { format: 1, id_key: bytes };
  return { format: 2, click_id_key_name: bytes.subarray(0, KEY_NAME_BYTES), address_key_name: bytes.subarray(KEY_NAME_BYTES) };
}

function decodeWriter(bytes: Buffer): ProcessIdentity | null {
  const pid = bytes.readUInt32LE(48);
  const started = bytes.toString('utf8', STARTED_OFFSET, STARTED_OFFSET + STARTED_BYTES).replace(/\0+$/, '');
  return pid === 0 ? null : { pid, started };
}

/** The part of a header that changes while the segment is written. */
export interface Progress {
  readonly committed_bytes: number;
  readonly committed_clicks: number;
  readonly sealed: boolean;
}

/** Returns the seed of the checksums of the segment's records: the last 4 bytes of its id. */
export function seedOf(segmentId: Buffer): number {
  return segmentId.readInt32LE(SEED_OFFSET);
}

/** Decodes the 12 bytes that begin at `COMMITTED_BYTES_WORD`. */
export function decodeProgress(bytes: Buffer, at: number): Progress {
  return {
    committed_bytes: bytes.readUInt32LE(at),
    committed_clicks: bytes.readUInt32LE(at + 4),
    sealed: bytes.readUInt32LE(at + 8) === 1,
  };
}

/** Bytes 136 to 147 of a sealed segment. */
export function encodeSeal(committedBytes: number, committedClicks: number): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt32LE(committedBytes, 0);
  bytes.writeUInt32LE(committedClicks, 4);
  bytes.writeUInt32LE(1, 8);
  return bytes;
}
