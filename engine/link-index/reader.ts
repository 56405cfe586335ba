import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { attempt } from '../mapped/mapped-file.js';
import {
  decodeIndexHeader,
  HEADER_BYTES,
  keyHash,
  type LinkIndexShape,
  NEVER_TAKEN,
  POSITION_OFFSET,
  PROBES_MAX,
  REMOVED,
  SUPERSEDED_OFFSET,
  SUPERSEDED_WORD,
  TABLE_WORD,
} from './file.js';
import { IndexedLink } from './indexed-link.js';
import { type IndexMapping, IndexMappings } from './mappings.js';
import { IndexMemory, isRecordOf, type LinkKey, recordChecksum } from './record.js';

/**
 * A redirect process's view of a link index: nothing, or one file mapped read-only. It holds no link that LMDB does not
 * hold, so that a caller looks up in LMDB what it does not find here.
 */
export class LinkIndexReader {
  readonly #onDamage: () => void;
  readonly #mappings = new IndexMappings();
  #mapping: IndexMapping | null = null;
  #memory: IndexMemory = NO_MEMORY;
  #seed = 0;
  #slotMask = 0;
  readonly #found = new IndexedLink();
  /** The key under search: one object, so that a look-up makes none. */
  readonly #key: { -readonly [Member in keyof LinkKey]: LinkKey[Member] } = { hash: 0, environment_number: 0, path: '' };

  /** `onDamage` is called for each damaged record that is met. */
  constructor(onDamage: () => void) {
    this.#onDamage = onDamage;
  }

  /** Whether a file is mapped. */
  get attached(): boolean {
    return this.#mapping !== null;
  }

  /** The link; null if the index has none, or has none that can be believed. It is good until the next call. */
  find(environmentNumber: number, path: string): IndexedLink | null {
    const place = this.#placeOf(environmentNumber, path);
    if (place === NEVER_TAKEN) return null;
    this.#found.read(this.#memory, place);
    return this.#found;
  }

  /** Place of the record of the link, which is whole; `NEVER_TAKEN` if there is none. */
  #placeOf(environmentNumber: number, path: string): number {
    const { words } = this.#memory;
    if (words[SUPERSEDED_WORD] !== 0) {
      this.detach();
      return NEVER_TAKEN;
    }
    const hash = keyHash(this.#seed, environmentNumber, path);
    const key = this.#key;
    key.hash = hash;
    key.environment_number = environmentNumber;
    key.path = path;
    const mask = this.#slotMask;
    for (let probe = 0; probe < PROBES_MAX; probe++) {
      const word = TABLE_WORD + ((hash + probe) & mask) * 2;
      const place = words[word + 1] as number;
      if (place === NEVER_TAKEN) return NEVER_TAKEN;
      if (place === REMOVED || words[word] !== hash) continue;
      if (recordChecksum(words, place, this.#seed) !== words[place * 2]) {
        this.#onDamage();
        return NEVER_TAKEN;
      }
      if (isRecordOf(this.#memory, place, key)) return place;
    }
    return NEVER_TAKEN;
  }

  /**
   * Maps the file at `path` where it is fit to be read and at least as far as `storePosition`, a position read from LMDB
   * beforehand: a process must not be told something older than it was told before. Null, or why there is none to read.
   */
  attach(path: string, storePosition: number): string | null {
    this.detach();
    const opened = attempt(() => openSync(path, 'r'));
    if ('error' in opened) return opened.error;
    try {
      const examined = examine(opened.value, storePosition);
      if ('fault' in examined) return examined.fault;
      return this.#map(opened.value, examined.shape);
    } finally {
      closeSync(opened.value);
    }
  }

  #map(fd: number, shape: LinkIndexShape): string | null {
    const mapping = this.#mappings.take(shape.file_bytes);
    if ('error' in mapping) return mapping.error;
    const error = mapping.window.attach(fd, false);
    if (error !== null) {
      this.#mappings.give(mapping);
      return error;
    }
    this.#mapping = mapping;
    this.#memory = mapping.memory;
    this.#seed = shape.seed;
    this.#slotMask = shape.slots - 1;
    return null;
  }

  /** Lets go of the file. What was read from it before is a copy. */
  detach(): void {
    const mapping = this.#mapping;
    if (mapping === null) return;
    this.#mapping = null;
    this.#memory = NO_MEMORY;
    this.#mappings.give(mapping);
  }
}

/** Used while nothing is attached. It is superseded, so that a look-up ends immediately. */
const NO_MEMORY = new IndexMemory(Buffer.alloc(HEADER_BYTES));
NO_MEMORY.words[SUPERSEDED_WORD] = 1;

function examine(fd: number, storePosition: number): { readonly shape: LinkIndexShape } | { readonly fault: string } {
  const header = Buffer.alloc(HEADER_BYTES);
  const read = attempt(() => ({ bytes: readSync(fd, header, 0, HEADER_BYTES, 0), size: fstatSync(fd).size }));
  if ('error' in read) return { fault: read.error };
  const decoded = decodeIndexHeader(header.subarray(0, read.value.bytes), read.value.size);
  if ('fault' in decoded) return decoded;
  if (header.readInt32LE(SUPERSEDED_OFFSET) !== 0) return { fault: 'superseded' };
  if (header.readBigInt64LE(POSITION_OFFSET) < storePosition) return { fault: 'behind the store' };
  return decoded;
}
