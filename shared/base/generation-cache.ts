export interface CacheStats {
  readonly hits: number;
  readonly misses: number;
  readonly entries: number;
}

/** A text with what was made of it. */
export interface CachedText<Value> {
  /** The string that was remembered: who keeps it in place of his own compares and hashes it at no cost later on. */
  readonly text: string;
  readonly value: Value;
}

/** Enough that the texts in use rarely share a place, few enough to stay in the processor's cache. A power of two. */
const FRONT_PLACES = 256;

/**
 * What a pure function makes of a text, remembered. Two maps of bounded size: when the young one is full it becomes the
 * old one, and the old one goes. What is in use is taken over again, so that a flood of made-up texts costs one look in
 * the old map, never the memory. (An LRU list writes on every hit; this writes on none.) The bound is on the number of
 * entries: the caller bounds the length of a text.
 *
 * In front of the maps stands a small table of texts that were found in them, so that no flood can take their places. It
 * is asked by length and three characters: comparing a text is much cheaper than hashing one of a hundred characters,
 * which a Map does for each string that comes from outside (40 ns in place of 150 for a user agent).
 */
export class GenerationCache<Value> {
  readonly #entriesMax: number;
  readonly #make: (text: string) => Value;
  readonly #front: (CachedText<Value> | null)[] = new Array(FRONT_PLACES).fill(null);
  #young = new Map<string, CachedText<Value>>();
  #old = new Map<string, CachedText<Value>>();
  #hits = 0;
  #misses = 0;

  constructor(entriesMax: number, make: (text: string) => Value) {
    this.#entriesMax = entriesMax;
    this.#make = make;
  }

  of(text: string): Value {
    return this.entryOf(text).value;
  }

  entryOf(text: string): CachedText<Value> {
    const place = frontPlace(text);
    const front = this.#front[place] as CachedText<Value> | null;
    if (front !== null && front.text === text) {
      this.#hits++;
      return front;
    }
    const young = this.#young.get(text);
    if (young === undefined) return this.#fromOldOrNew(text, place);
    this.#hits++;
    this.#front[place] = young;
    return young;
  }

  #fromOldOrNew(text: string, place: number): CachedText<Value> {
    const old = this.#old.get(text);
    if (old === undefined) this.#misses++;
    else {
      this.#hits++;
      this.#front[place] = old;
    }
    const entry = old ?? { text, value: this.#make(text) };
    if (this.#young.size >= this.#entriesMax) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(text, entry);
    return entry;
  }

  stats(): CacheStats {
    return { hits: this.#hits, misses: this.#misses, entries: this.#young.size + this.#old.size };
  }
}

/** User agents differ in their length and near their ends, where versions stand. */
function frontPlace(text: string): number {
  const { length } = text;
  if (length < 8) return length;
  const mixed = length + 7 * text.charCodeAt(length - 1) + 31 * text.charCodeAt(length - 8) + 127 * text.charCodeAt(length >> 1);
  return mixed & (FRONT_PLACES - 1);
}
