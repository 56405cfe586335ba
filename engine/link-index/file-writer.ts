import { closeSync, fstatSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import type { LinkRecord } from '../../shared/records/records.js';
import { allocateFile, attempt, lockFile } from '../mapped/mapped-file.js';
import {
  arenaStart,
  encodeIndexHeader,
  HEADER_BYTES,
  LINKS_WORD,
  type LinkIndexShape,
  NEVER_TAKEN,
  POSITION_LONG,
  PROBES_MAX,
  REMOVED,
  SUPERSEDED_WORD,
  TABLE_WORD,
  TAKEN_SHARE_MAX,
  TAKEN_WORD,
  USED_WORD,
} from './file.js';
import type { IndexMapping, IndexMappings } from './mappings.js';
import { encodeLink, type IndexMemory, isRecordOf, type LinkKey, recordChecksum, writeRecord } from './record.js';

/** `left_out`: the link is not in the index, and is looked up in LMDB. `full`: there is no room, and another index is needed. */
export type PutOutcome = 'stored' | 'left_out' | 'full';

/** Fill levels are from 0 to 1; 1 means that there is no more room. */
export interface LinkIndexFileStats {
  readonly links: number;
  readonly bytes: number;
  /** Share of the usable slots that are taken. */
  readonly table_fill: number;
  /** Share of the arena taken by records, including those that were replaced. */
  readonly arena_fill: number;
}

export type FileWriterOutcome = { readonly writer: LinkIndexFileWriter } | { readonly fault: string };

/** The one writer of one file of the link index. The caller decides which links belong into the file. */
export class LinkIndexFileWriter {
  readonly #fd: number;
  readonly #mappings: IndexMappings;
  readonly #mapping: IndexMapping;
  readonly #memory: IndexMemory;
  readonly #shape: LinkIndexShape;
  /** Number of slots that may be taken. */
  readonly #takenMax: number;

  private constructor(fd: number, shape: LinkIndexShape, { mappings, mapping }: { mappings: IndexMappings; mapping: IndexMapping }) {
    this.#fd = fd;
    this.#mappings = mappings;
    this.#mapping = mapping;
    this.#memory = mapping.memory;
    this.#shape = shape;
    this.#takenMax = Math.floor(shape.slots * TAKEN_SHARE_MAX);
  }

  /** Creates file `number` of a set that is not in use yet. `path` is the name of the file. */
  static create(mappings: IndexMappings, path: string, shape: LinkIndexShape, number: number): FileWriterOutcome {
    const opened = attempt(() => openSync(path, 'wx+', 0o600));
    if ('error' in opened) return { fault: opened.error };
    const fault = allocateFile(opened.value, shape.file_bytes) ?? writeHeader(opened.value, shape, number);
    const mapped = fault === null ? LinkIndexFileWriter.#map(mappings, opened.value, shape) : { fault };
    if ('writer' in mapped) return mapped;
    closeSync(opened.value);
    // A full disk would otherwise stay full. A file that cannot be removed is left to the next writer of the index.
    attempt(() => rmSync(path, { force: true }));
    return mapped;
  }

  /** Continues with an open file of this shape. If this fails, the file is closed. */
  static resume(mappings: IndexMappings, fd: number, shape: LinkIndexShape): FileWriterOutcome {
    const mapped = LinkIndexFileWriter.#map(mappings, fd, shape);
    if ('fault' in mapped) closeSync(fd);
    return mapped;
  }

  /** If this fails, the file is still open. */
  static #map(mappings: IndexMappings, fd: number, shape: LinkIndexShape): FileWriterOutcome {
    // The lock is held until the file is closed, because two writers would append at the same place.
    const lock = lockFile(fd, true);
    const mapping = lock === 'locked' ? mappings.take(shape.file_bytes) : { error: `its lock is ${lock}` };
    if ('window' in mapping) {
      const error = mapping.window.attach(fd, true);
      if (error === null) return { writer: new LinkIndexFileWriter(fd, shape, { mappings, mapping }) };
      mappings.give(mapping);
      return { fault: error };
    }
    return { fault: mapping.error };
  }

  put(key: LinkKey, link: LinkRecord): PutOutcome {
    const encoded = encodeLink(key.path, link);
    if (encoded === null) {
      this.remove(key);
      return 'left_out';
    }
    const { words } = this.#memory;
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

  remove(key: LinkKey): void {
    const { words } = this.#memory;
    const slot = this.#slotOf(key);
    if (slot === null || words[slot + 1] === NEVER_TAKEN || words[slot + 1] === REMOVED) return;
    Atomics.store(words, slot + 1, REMOVED);
    words[LINKS_WORD] = (words[LINKS_WORD] as number) - 1;
  }

  /** Records that everything up to the position is in the index. */
  reached(position: number): void {
    Atomics.store(this.#memory.longs, POSITION_LONG, BigInt(position));
  }

  /** Makes every reader detach. */
  supersede(): void {
    Atomics.store(this.#memory.words, SUPERSEDED_WORD, 1);
  }

  /** Closes the file, which stays as it is. */
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

  /** Whether the file of that name is this one, with its original size. */
  isAt(path: string): boolean {
    const found = attempt(() => statSync(path));
    return 'value' in found && found.value.ino === fstatSync(this.#fd).ino && found.value.size === this.#shape.file_bytes;
  }

  /**
   * Returns the word of the slot that the key has or may take; null if the chain is longer than readers search. A slot whose
   * link was removed is only reused for a key with the same hash, so that no reader sees a hash beside another's record.
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

function writeHeader(fd: number, shape: LinkIndexShape, number: number): string | null {
  const written = attempt(() => writeSync(fd, encodeIndexHeader(shape, number), 0, HEADER_BYTES, 0));
  return 'error' in written ? written.error : null;
}
