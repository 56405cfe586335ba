import { closeSync, writeSync } from 'node:fs';
import { attempt, type MappedWindow, resizeFile } from '../mapped/mapped-file.js';
import { addressKeystream } from './address-cipher.js';
import type { Click } from './click.js';
import { ClickIds } from './click-ids.js';
import { GROUP_BYTES_MAX } from './record-layout.js';
import { RecordWriter } from './record-writer.js';
import { COMMITTED_BYTES_WORD, COMMITTED_CLICKS_WORD, encodeSeal, HEADER_BYTES, SEALED_WORD, seedOf } from './segment.js';
import { discardFile, type SegmentFile } from './segment-folder.js';
import type { SpoolKeys } from './spool-keys.js';

/** A segment that its one writer is still writing. */
export interface OpenSegment {
  /** Number of the next click. */
  readonly clicks: number;
  /** Where the next record goes. */
  readonly at: number;
  readonly file_bytes: number;
  readonly ids: ClickIds;
  /** Stores the click. Returns null, or the name of the error, and then nothing was stored. There must be room for `GROUP_BYTES_MAX`. */
  append(click: Click): string | null;
  /** Marks the file as complete. Only `release` may follow. */
  seal(): void;
  /** Releases file and memory, and returns the unused disk space. A segment without clicks is removed. */
  release(): void;
}

/** A window onto a segment, with its encoder. A process holds two and uses them in turn. */
export class Mapping {
  readonly window: MappedWindow;
  readonly writer: RecordWriter;
  readonly words: Int32Array;

  constructor(window: MappedWindow) {
    this.window = window;
    this.writer = new RecordWriter(window.bytes);
    this.words = new Int32Array(window.bytes.buffer, window.bytes.byteOffset, window.bytes.length >> 2);
  }
}

/** Stores a click with a few writes to memory: no system call, no copy, nothing to flush. */
export class MappedSegment implements OpenSegment {
  clicks = 0;
  at = HEADER_BYTES;
  readonly file_bytes: number;
  readonly ids: ClickIds;
  readonly mapping: Mapping;
  readonly #file: SegmentFile;

  /** The file must be attached to `mapping`. */
  constructor(mapping: Mapping, file: SegmentFile, keys: SpoolKeys) {
    this.mapping = mapping;
    this.#file = file;
    this.file_bytes = file.header.file_bytes;
    const { segment_id } = file.header;
    this.ids = ClickIds.signed(keys.clickIds.current, segment_id);
    mapping.writer.reset(seedOf(segment_id), addressKeystream(keys.addresses, segment_id));
  }

  append(click: Click): null {
    const { words } = this.mapping;
    const end = this.mapping.writer.write(click, this.at, this.clicks);
    this.at = end;
    this.clicks++;
    words[COMMITTED_CLICKS_WORD] = this.clicks;
    // This store comes last and is atomic: a reader in any process that sees this number sees the whole record.
    Atomics.store(words, COMMITTED_BYTES_WORD, end);
    return null;
  }

  seal(): void {
    Atomics.store(this.mapping.words, SEALED_WORD, 1);
  }

  release(): void {
    this.mapping.window.detach();
    closeSegment(this.#file, this);
  }
}

/** Stores a click with one pwrite: what was reported as written survives the process. */
export class AppendedSegment implements OpenSegment {
  clicks = 0;
  at = HEADER_BYTES;
  readonly file_bytes: number;
  readonly ids: ClickIds;
  readonly #file: SegmentFile;
  readonly #scratch: Buffer;
  readonly #writer: RecordWriter;

  constructor(file: SegmentFile, keys: SpoolKeys) {
    this.#file = file;
    this.file_bytes = file.header.file_bytes;
    const { segment_id } = file.header;
    this.ids = ClickIds.signed(keys.clickIds.current, segment_id);
    this.#scratch = Buffer.from(new ArrayBuffer(GROUP_BYTES_MAX));
    this.#writer = new RecordWriter(this.#scratch);
    this.#writer.reset(seedOf(segment_id), addressKeystream(keys.addresses, segment_id));
  }

  append(click: Click): string | null {
    const bytes = this.#writer.write(click, 0, this.clicks);
    const error = writeAll(this.#file.fd, this.#scratch, bytes, this.at);
    if (error !== null) {
      // The next click overwrites whatever part reached the file; without one, it is a torn tail.
      this.#writer.forgetNewest();
      return error;
    }
    this.at += bytes;
    this.clicks++;
    return null;
  }

  seal(): void {
    const seal = encodeSeal(this.at, this.clicks);
    // If this fails as well, the reader learns the same from the end of the writer's process.
    writeAll(this.#file.fd, seal, seal.length, COMMITTED_BYTES_WORD * 4);
  }

  release(): void {
    closeSegment(this.#file, this);
  }
}

function writeAll(fd: number, bytes: Buffer, length: number, position: number): string | null {
  for (let written = 0; written < length; ) {
    const outcome = attempt(() => writeSync(fd, bytes, written, length - written, position + written));
    if ('error' in outcome) return outcome.error;
    written += outcome.value;
  }
  return null;
}

function closeSegment(file: SegmentFile, segment: OpenSegment): void {
  if (segment.clicks === 0) {
    discardFile(file.fd, file.path);
    return;
  }
  // If the file cannot be truncated, it only stays longer than necessary.
  resizeFile(file.fd, segment.at);
  closeSync(file.fd);
}
