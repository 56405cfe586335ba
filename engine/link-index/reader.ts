import { closeSync } from 'node:fs';
import { fileNumber, HEADER_BYTES, keyHash, NEVER_TAKEN, PROBES_MAX, REMOVED, SUPERSEDED_WORD, TABLE_WORD } from './file.js';
import { type OpenIndexSet, openIndexSet } from './index-set.js';
import { IndexedLink } from './indexed-link.js';
import { type IndexMapping, IndexMappings } from './mappings.js';
import { IndexMemory, isRecordOf, type LinkKey, recordChecksum } from './record.js';

/**
 * A redirect process's view of a link index: nothing, or all files of one set mapped read-only. It contains no link that LMDB
 * does not contain, so a caller looks up in LMDB what it does not find here.
 */
export class LinkIndexReader {
  readonly #onDamage: () => void;
  readonly #mappings = new IndexMappings();
  /** By the numbers of their files; empty while nothing is attached. */
  #mapped: readonly IndexMapping[] = [];
  #memories: readonly IndexMemory[] = NO_MEMORIES;
  /** The words of file 0, which records whether the set is superseded. */
  #firstWords: Int32Array = NO_MEMORY.words;
  #fileMask = 0;
  /** The memory in which `#placeOf` has found a record. */
  #memory: IndexMemory = NO_MEMORY;
  #seed = 0;
  #slotMask = 0;
  readonly #found = new IndexedLink();
  /** The key being searched for. The object is reused, so that a look-up allocates none. */
  readonly #key: { -readonly [Member in keyof LinkKey]: LinkKey[Member] } = { hash: 0, environment_number: 0, path: '' };

  /** `onDamage` is called for each damaged record that is found. */
  constructor(onDamage: () => void) {
    this.#onDamage = onDamage;
  }

  /** Whether an index is mapped. */
  get attached(): boolean {
    return this.#mapped.length > 0;
  }

  /** Returns the link; null if the index has none, or only a damaged record. It is valid until the next call. */
  find(environmentNumber: number, path: string): IndexedLink | null {
    const place = this.#placeOf(environmentNumber, path);
    if (place === NEVER_TAKEN) return null;
    this.#found.read(this.#memory, place);
    return this.#found;
  }

  /** Returns the place of the link's record, whose checksum is correct; `NEVER_TAKEN` if there is none. */
  #placeOf(environmentNumber: number, path: string): number {
    if (this.#firstWords[SUPERSEDED_WORD] !== 0) {
      this.detach();
      return NEVER_TAKEN;
    }
    const hash = keyHash(this.#seed, environmentNumber, path);
    const memory = this.#memories[fileNumber(hash, this.#fileMask)] as IndexMemory;
    const { words } = memory;
    this.#memory = memory;
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
      if (isRecordOf(memory, place, key)) return place;
    }
    return NEVER_TAKEN;
  }

  /**
   * Maps the index at `path` if it is whole, readable and at least as far as `storePosition`, a position that the caller has
   * read from LMDB: a process must never see older data than it saw before. Returns null, or why no index can be read.
   */
  attach(path: string, storePosition: number): string | null {
    this.detach();
    const opened = openIndexSet(path, 'r', ({ position }) => (position < storePosition ? 'behind the store' : null));
    if ('fault' in opened) return opened.fault;
    try {
      return this.#map(opened);
    } finally {
      for (const fd of opened.fds) closeSync(fd);
    }
  }

  #map({ fds, shape }: OpenIndexSet): string | null {
    const mapped: IndexMapping[] = [];
    for (const fd of fds) {
      const taken = this.#mappings.take(shape.file_bytes);
      if ('window' in taken) mapped.push(taken);
      const error = 'window' in taken ? taken.window.attach(fd, false) : taken.error;
      if (error === null) continue;
      for (const mapping of mapped) this.#mappings.give(mapping);
      return error;
    }
    this.#mapped = mapped;
    this.#memories = mapped.map(({ memory }) => memory);
    this.#firstWords = (this.#memories[0] as IndexMemory).words;
    this.#fileMask = shape.files - 1;
    this.#seed = shape.seed;
    this.#slotMask = shape.slots - 1;
    return null;
  }

  /** Detaches from the files. What was read from them before is a copy. */
  detach(): void {
    const mapped = this.#mapped;
    this.#mapped = [];
    this.#memories = NO_MEMORIES;
    this.#firstWords = NO_MEMORY.words;
    this.#fileMask = 0;
    this.#memory = NO_MEMORY;
    for (const mapping of mapped) this.#mappings.give(mapping);
  }
}

/** Used while nothing is attached. It is superseded, so that a look-up ends immediately. */
const NO_MEMORY = new IndexMemory(Buffer.alloc(HEADER_BYTES));
NO_MEMORY.words[SUPERSEDED_WORD] = 1;
const NO_MEMORIES: readonly IndexMemory[] = [NO_MEMORY];
