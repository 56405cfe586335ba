import { randomInt } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import type { LinkRecord } from '../../shared/records/records.js';
import { allocateFile, attempt, lockFile } from '../mapped/mapped-file.js';
import {
  arenaStart,
  decodeIndexHeader,
  encodeIndexHeader,
  HEADER_BYTES,
  keyHash,
  LINKS_WORD,
  type LinkIndexShape,
  NEVER_TAKEN,
  POSITION_LONG,
  PROBES_MAX,
  REMOVED,
  SUPERSEDED_OFFSET,
  SUPERSEDED_WORD,
  shapeFor,
  TABLE_WORD,
  TAKEN_SHARE_MAX,
  TAKEN_WORD,
  USED_WORD,
} from './file.js';
import type { IndexMapping, IndexMappings } from './mappings.js';
import { encodeLink, type IndexMemory, isRecordOf, type LinkKey, recordChecksum, writeRecord } from './record.js';

/** `left_out`: the link is not in the index, and is found in LMDB. `full`: there is no room; another file is needed. */
export type PutOutcome = 'stored' | 'left_out' | 'full';

/** What a new file is to have room for. */
export interface IndexRoom {
  readonly links: number;
  readonly record_bytes: number;
}

/** Shares are from 0 to 1, if there is no more room. */
export interface LinkIndexFileStats {
  readonly links: number;
  readonly bytes: number;
  /** Slots that are taken, of those that may be. */
  readonly table_fill: number;
  /** Bytes of records, those that were replaced among them. */
  readonly arena_fill: number;
}

export type WriterOutcome = { readonly writer: LinkIndexWriter } | { readonly fault: string };

/** The one writer of one file of the link index. */
export class LinkIndexWriter {
  readonly #fd: number;
  readonly #mappings: IndexMappings;
  readonly #mapping: IndexMapping;
  readonly #memory: IndexMemory;
  readonly #shape: LinkIndexShape;
  /** Slots that may be taken. */
  readonly #takenMax: number;

  private constructor(fd: number, shape: LinkIndexShape, { mappings, mapping }: { mappings: IndexMappings; mapping: IndexMapping }) {
    this.#fd = fd;
    this.#mappings = mappings;
    this.#mapping = mapping;
    this.#memory = mapping.memory;
    this.#shape = shape;
    this.#takenMax = Math.floor(shape.slots * TAKEN_SHARE_MAX);
  }

  /** Makes a file with room for so many links and bytes of records, under a name that no reader opens. */
  static create(mappings: IndexMappings, path: string, { links, record_bytes }: IndexRoom): WriterOutcome {
    const shape = shapeFor(links, record_bytes, randomInt(2 ** 32) | 0);
    if (shape === null) return { fault: 'there are more links than a file has room for' };
    const opened = attempt(() => {
      rmSync(path, { force: true });
      return openSync(path, 'wx+', 0o600);
    });
    if ('error' in opened) return { fault: opened.error };
    const fault = allocateFile(opened.value, shape.file_bytes) ?? writeHeader(opened.value, shape);
    const mapped = fault === null ? LinkIndexWriter.#map(mappings, opened.value, shape) : { fault };
    return 'writer' in mapped ? mapped : discard(opened.value, path, mapped.fault);
  }

  /** Continues with a file that an earlier writer left at exactly this position. */
  static resume(mappings: IndexMappings, path: string, position: number): WriterOutcome {
    const opened = attempt(() => openSync(path, 'r+'));
    if ('error' in opened) return { fault: opened.error };
    const header = Buffer.alloc(HEADER_BYTES);
    const read = attempt(() => ({ bytes: readSync(opened.value, header, 0, HEADER_BYTES, 0), size: fstatSync(opened.value).size }));
    const decoded = 'error' in read ? { fault: read.error } : decodeIndexHeader(header.subarray(0, read.value.bytes), read.value.size);
    const fault =
      'fault' in decoded
        ? decoded.fault
        : header.readInt32LE(SUPERSEDED_OFFSET) !== 0
          ? 'superseded'
          : header.readBigInt64LE(POSITION_LONG * 8) !== BigInt(position)
            ? 'not at the position of the store'
            : null;
    const mapped =
      fault === null && 'shape' in decoded ? LinkIndexWriter.#map(mappings, opened.value, decoded.shape) : { fault: fault ?? '' };
    return 'writer' in mapped ? mapped : closed(opened.value, mapped.fault);
  }

  /** If this fails the file is still open. */
  static #map(mappings: IndexMappings, fd: number, shape: LinkIndexShape): WriterOutcome {
    // Held until the file is closed: two writers would append to the same place.
    const lock = lockFile(fd, true);
    const mapping = lock === 'locked' ? mappings.take(shape.file_bytes) : { error: `its lock is ${lock}` };
    if ('window' in mapping) {
      const error = mapping.window.attach(fd, true);
      if (error === null) return { writer: new LinkIndexWriter(fd, shape, { mappings, mapping }) };
      mappings.give(mapping);
      return { fault: error };
    }
    return { fault: mapping.error };
  }

  put(environmentNumber: number, path: string, link: LinkRecord): PutOutcome {
    const encoded = encodeLink(path, link);
    if (encoded === null) {
      this.remove(environmentNumber, path);
      return 'left_out';
    }
    const { words } = this.#memory;
    const key = this.#keyOf(environmentNumber, path);
    const slot = this.#slotOf(key);
    if (slot === null) return 'left_out';
    const isNew = words[slot + 1] === NEVER_TAKEN;
    const place = words[USED_WORD] as number;
    if ((isNew && (words[TAKEN_WORD] as number) >= this.#takenMax) || place * 8 + encoded.record_bytes > this.#shape.file_bytes)
      return 'full';
    writeRecord(this.#memory, place, key, { link, encoded });
    words[place * 2] = recordChecksum(words, place, this.#shape.seed) as number;
    Atomics.store(words, USED_WORD, place + encoded.record_bytes / 8);
    if (isNew) words[TAKEN_WORD] = (words[TAKEN_WORD] as number) + 1;
    if (isNew || words[slot + 1] === REMOVED) words[LINKS_WORD] = (words[LINKS_WORD] as number) + 1;
    words[slot] = key.hash;
    Atomics.store(words, slot + 1, place);
    return 'stored';
  }

  remove(environmentNumber: number, path: string): void {
    const { words } = this.#memory;
    const slot = this.#slotOf(this.#keyOf(environmentNumber, path));
    if (slot === null || words[slot + 1] === NEVER_TAKEN || words[slot + 1] === REMOVED) return;
    Atomics.store(words, slot + 1, REMOVED);
    words[LINKS_WORD] = (words[LINKS_WORD] as number) - 1;
  }

  /** Says that everything up to the position is in the index. */
  reached(position: number): void {
    Atomics.store(this.#memory.longs, POSITION_LONG, BigInt(position));
  }

  /** Tells every reader to leave. */
  supersede(): void {
    Atomics.store(this.#memory.words, SUPERSEDED_WORD, 1);
  }

  /** Lets go of the file, which stays as it is. */
  close(): void {
    this.#mappings.give(this.#mapping);
    closeSync(this.#fd);
  }

  stats(): LinkIndexFileStats {
    const { words } = this.#memory;
    const { file_bytes } = this.#shape;
    const start = arenaStart(this.#shape);
    return {
      links: words[LINKS_WORD] as number,
      bytes: file_bytes,
      table_fill: (words[TAKEN_WORD] as number) / this.#takenMax,
      arena_fill: ((words[USED_WORD] as number) * 8 - start) / (file_bytes - start),
    };
  }

  inode(): number {
    return fstatSync(this.#fd).ino;
  }

  #keyOf(environment_number: number, path: string): LinkKey {
    return { hash: keyHash(this.#shape.seed, environment_number, path), environment_number, path };
  }

  /**
   * The word of the slot that the key has or may take; null if the chain is longer than readers go. A slot whose link was
   * removed is only taken again by a key of its hash, so that no reader sees a hash beside another's record.
   */
  #slotOf(key: LinkKey): number | null {
    const { words } = this.#memory;
    const mask = this.#shape.slots - 1;
    let free: number | null = null;
    for (let probe = 0; probe < PROBES_MAX; probe++) {
      const word = TABLE_WORD + ((key.hash + probe) & mask) * 2;
      const place = words[word + 1] as number;
      if (place === NEVER_TAKEN) return free ?? word;
      if (words[word] !== key.hash) continue;
      if (place === REMOVED) free ??= word;
      else if (isRecordOf(this.#memory, place, key)) return word;
    }
    return free;
  }
}

function writeHeader(fd: number, shape: LinkIndexShape): string | null {
  const written = attempt(() => writeSync(fd, encodeIndexHeader(shape), 0, HEADER_BYTES, 0));
  return 'error' in written ? written.error : null;
}

function closed(fd: number, fault: string): WriterOutcome {
  closeSync(fd);
  return { fault };
}

/** What could not be made is removed: a full disk would else stay full. That it cannot be removed either is found by the next one who makes it. */
function discard(fd: number, path: string, fault: string): WriterOutcome {
  attempt(() => rmSync(path, { force: true }));
  return closed(fd, fault);
}

/** Gives the finished file its name. Null, or the error's name. */
export function publishIndex(making: string, path: string): string | null {
  const renamed = attempt(() => renameSync(making, path));
  return 'error' in renamed ? renamed.error : null;
}

/** Sends readers away from a file that nobody goes on with, and removes it. Null, or the error's name. */
export function dropIndex(path: string): string | null {
  const dropped = attempt(() => {
    const fd = openSync(path, 'r+');
    try {
      if (fstatSync(fd).size >= HEADER_BYTES) writeSync(fd, Buffer.from([1, 0, 0, 0]), 0, 4, SUPERSEDED_OFFSET);
    } finally {
      closeSync(fd);
    }
    rmSync(path, { force: true });
  });
  return 'error' in dropped && dropped.error !== 'ENOENT' ? dropped.error : null;
}
