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
 * Records follow from offset 160, without gaps, each a multiple of 4 bytes:
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
 *
 * Format 1, written by the previous release, has the AES-128 key of its ids at 32, and addresses in plain text. It is read,
 * because processes of both releases work side by side during an upgrade, but never written.
 */
const MAGIC = Buffer.from('CLKSPOOL', 'latin1');
/** The format that is written. Raise it with every change to the layout described above. */
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

export const MODE_MAPPED = 1;
export const MODE_APPENDED = 2;
export type SegmentMode = typeof MODE_MAPPED | typeof MODE_APPENDED;

/** Indexes of 32-bit words, for atomic access. */
export const COMMITTED_BYTES_WORD = 34;
export const COMMITTED_CLICKS_WORD = 35;
export const SEALED_WORD = 36;
export const SEED_OFFSET = 28;

export const RECORD_DEFINITION = 1;
export const RECORD_CLICK = 2;
export const RECORD_LENGTH_MASK = 0xffffff;
export const DEFINITION_HEADER_BYTES = 12;
export const CLICK_HEADER_BYTES = 48;

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

/** Offset of the next multiple of 4. */
export function align4(offset: number): number {
  return (offset + 3) & ~3;
}
