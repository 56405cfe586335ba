import { readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { bytesToUuid } from '../../../shared/base/ids.js';
import { isAlive } from '../../../shared/base/process-identity.js';
import { lockFile, resizeFile } from '../../mapped/mapped-file.js';
import { ClickIds } from '../../spool/click-ids.js';
import {
  COMMITTED_BYTES_WORD,
  decodeHeader,
  decodeProgress,
  HEADER_BYTES,
  MODE_MAPPED,
  type Progress,
  type SegmentHeader,
  seedOf,
} from '../../spool/segment.js';
import { ownIdentity } from '../../spool/segment-folder.js';
import type { SpoolKeys } from '../../spool/spool-keys.js';
import type { ClickFields } from '../rows/click-fields.js';
import { type DictionaryEntry, emptyDictionary, type RecordMemory, type Scan, scanRecords } from '../rows/segment-scan.js';
import { SegmentAddresses } from './segment-addresses.js';
import { SegmentReadError } from './segment-read-error.js';

/** How far a segment can be read now. */
export interface ReadableEnd {
  readonly offset: number;
  /** Everything before `offset` was complete once: an invalid record there is damage, and not merely the end. */
  readonly promised: boolean;
  /** Whether the writer has marked the segment as complete. */
  readonly sealed: boolean;
}

export type ReaderOutcome = { readonly reader: SegmentReader } | { readonly fault: string } | { readonly gone: true };

/**
 * Reads one segment, which its writer may be writing at the same time, with plain reads. If another process shortens the file
 * or its disk fails, accessing a mapping kills the process, while a read returns an error.
 *
 * The reader has two places: `position`, up to which everything is stored in the click log, and what it reads beyond. Only
 * `advance`, after the commit, moves `position`. System errors are thrown as `SegmentReadError`.
 */
export class SegmentReader {
  readonly path: string;
  /** The segment's id as the click log's `uuid`. */
  readonly id: string;
  readonly header: SegmentHeader;
  readonly ids: ClickIds;
  readonly #addresses: SegmentAddresses;
  readonly dictionary: DictionaryEntry[] = emptyDictionary();
  position = HEADER_BYTES;
  /** Number of the click at `position`. */
  click_number = 0;
  readonly #file: FileHandle;
  readonly #progress = Buffer.alloc(12);

  private constructor({ path, file }: OpenFile, header: SegmentHeader, keys: SpoolKeys) {
    this.path = path;
    this.#file = file;
    this.header = header;
    this.id = bytesToUuid(header.segment_id);
    this.ids = idsOf(header, keys);
    this.#addresses = new SegmentAddresses(header, keys);
  }

  static async open(path: string, keys: SpoolKeys): Promise<ReaderOutcome> {
    let file: FileHandle;
    try {
      // Opened for writing too, because the space that a dead writer left unused is cut off. No data is ever written.
      file = await open(path, 'r+');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { gone: true };
      throw readError(path, error);
    }
    let reader: SegmentReader | null = null;
    try {
      const bytes = Buffer.alloc(HEADER_BYTES);
      await readAt({ path, file }, bytes, HEADER_BYTES, 0);
      const decoded = decodeHeader(bytes);
      if (!('header' in decoded)) return decoded;
      reader = new SegmentReader({ path, file }, decoded.header, keys);
      return { reader };
    } finally {
      if (reader === null) await file.close();
    }
  }

  /**
   * The read is synchronous, because it happens ten times a second: the page is in memory as long as a writer maps it, and a thread of the
   * pool would take twenty times as long. Of a file that no process writes any more, the page may have to come from the disk, once.
   */
  progress(): Progress {
    try {
      readSync(this.#file.fd, this.#progress, 0, 12, COMMITTED_BYTES_WORD * 4);
    } catch (error) {
      throw readError(this.path, error);
    }
    return decodeProgress(this.#progress, 0);
  }

  /**
   * Mapped: up to the published offset. Appended: to where the checksums end, unless sealed. After a crash of the host, some
   * pages of a file have reached the disk and others not, including those of the header. Then nothing is promised and the
   * checksums decide, up to the end of the file.
   */
  async readableEnd(): Promise<ReadableEnd> {
    let progress = this.progress();
    // The seal may have been set after the offset was read. After the seal, the offset never changes.
    if (progress.sealed) progress = this.progress();
    const sameBoot = bootOf(this.header.writer?.started) === bootOf(ownIdentity()?.started);
    const published = progress.sealed || this.header.mode === MODE_MAPPED;
    if (published && (sameBoot || progress.sealed))
      return { offset: progress.committed_bytes, promised: sameBoot, sealed: progress.sealed };
    return { offset: await this.#size(), promised: false, sealed: progress.sealed };
  }

  /** Whether there is anything at `position`. Looks at 8 bytes if the end of the file is unknown. */
  async hasRecord(end: ReadableEnd): Promise<boolean> {
    if (this.position >= end.offset) return false;
    if (end.promised) return true;
    const bytes = Buffer.alloc(8);
    const bytesRead = await this.#readAt(bytes, 8, this.position);
    return bytesRead === 8 && bytes.readUInt32LE(4) !== 0;
  }

  /** Reads records starting at `from` into `memory`. The first `scan.end` bytes are whole records. */
  async read(memory: RecordMemory, offsets: Int32Array, from: number, end: ReadableEnd): Promise<Scan> {
    const wanted = Math.max(0, Math.min(memory.buffer.length, end.offset - from));
    const bytesRead = await this.#readAt(memory.buffer, wanted, from);
    const range = { memory, from: 0, to: bytesRead & ~3, seed: seedOf(this.header.segment_id) };
    return scanRecords(range, this.dictionary, offsets);
  }

  /**
   * Resumes reading at the place that the click log gives, after reading the definitions before it again. Returns false if the
   * file does not contain that place, because it was damaged since.
   */
  async resume(memory: RecordMemory, shippedBytes: number, shippedClicks: number): Promise<boolean> {
    const target = Math.max(shippedBytes, HEADER_BYTES);
    const end: ReadableEnd = { offset: target, promised: true, sealed: true };
    let at = target >= this.position ? this.position : HEADER_BYTES;
    const offsets = new Int32Array(memory.buffer.length >> 5);
    while (at < target) {
      const scan = await this.read(memory, offsets, at, end);
      if (scan.end === 0) return false;
      at += scan.end;
    }
    this.advance(target, shippedClicks);
    return true;
  }

  /**
   * Frees what the shipper derived from the dictionary's texts, some 4 KB for a user agent. A segment that is written slowly
   * would hold thousands that occur only once, and each redirect process has one such segment. The shipper remembers repeating
   * texts for all segments together.
   */
  forgetPrepared(): void {
    for (const entry of this.dictionary) entry.prepared = null;
  }

  /** Whether another engine, whose key is unknown here, wrote the segment. */
  get hasSealedAddresses(): boolean {
    return this.#addresses.areSealed;
  }

  /** Decrypts the address of the click with that number, whose record was read into `fields`. */
  revealAddress(fields: ClickFields, clickNumber: number): void {
    this.#addresses.reveal(fields, clickNumber);
  }

  /** Records that everything before `position` is stored. */
  advance(position: number, clickNumber: number): void {
    this.position = position;
    this.click_number = clickNumber;
  }

  /**
   * Whether the writer has ended without sealing. A mapped segment's writer holds its lock, which is visible across container
   * boundaries. Without locks, the writer's identity has to do.
   */
  writerIsGone(): boolean {
    const { mode, writer } = this.header;
    const lock = mode === MODE_MAPPED ? lockFile(this.#file.fd, false) : 'unavailable';
    if (lock === 'held by another') return false;
    return writer === null ? lock === 'locked' : !isAlive(writer);
  }

  /** Returns the disk space after `bytes`. Only for a segment that no process writes. */
  cut(bytes: number): void {
    // If the file cannot be truncated, it only stays longer than necessary.
    resizeFile(this.#file.fd, bytes);
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  #readAt(buffer: Buffer, length: number, position: number): Promise<number> {
    return readAt({ path: this.path, file: this.#file }, buffer, length, position);
  }

  async #size(): Promise<number> {
    try {
      return (await this.#file.stat()).size;
    } catch (error) {
      throw readError(this.path, error);
    }
  }
}

interface OpenFile {
  readonly path: string;
  readonly file: FileHandle;
}

/** Returns the number of bytes read. */
async function readAt({ path, file }: OpenFile, buffer: Buffer, length: number, position: number): Promise<number> {
  try {
    return (await file.read(buffer, 0, length, position)).bytesRead;
  } catch (error) {
    throw readError(path, error);
  }
}

function readError(path: string, error: unknown): SegmentReadError {
  return new SegmentReadError(basename(path), error as NodeJS.ErrnoException);
}

/** If the key is no longer in SECRETS_KEYS, stored clicks get other ids than those their visitors received. */
function idsOf({ keys: segment, segment_id }: SegmentHeader, { clickIds }: SpoolKeys): ClickIds {
  if (segment.format === 1) return ClickIds.unsigned(segment.id_key);
  const key = clickIds.all.find(({ name }) => name.equals(segment.click_id_key_name));
  return ClickIds.signed(key ?? clickIds.current, segment_id);
}

/** The boot in a process's start, on systems that have one. */
function bootOf(started: string | undefined): string {
  const slash = started?.indexOf('/') ?? -1;
  return slash === -1 ? '' : (started as string).slice(0, slash);
}
