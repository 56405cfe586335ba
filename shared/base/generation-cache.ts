export interface CacheStats {
  readonly hits: number;
  readonly misses: number;
  readonly entries: number;
}

/**
 * What a pure function makes of a text, remembered. Two maps of bounded size: when the young one is full it becomes the
 * old one, and the old one goes. What is in use is taken over again, so that a flood of made-up texts costs one look in
 * the old map, never the memory. (An LRU list writes on every hit; this writes on none.) The bound is on the number of
 * entries: the caller bounds the length of a text.
 */
export class GenerationCache<Value> {
  readonly #entriesMax: number;
  readonly #make: (text: string) => Value;
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();
  #hits = 0;
  #misses = 0;

  constructor(entriesMax: number, make: (text: string) => Value) {
    this.#entriesMax = entriesMax;
    this.#make = make;
  }

  of(text: string): Value {
    const young = this.#young.get(text);
    if (young !== undefined) {
      this.#hits++;
      return young;
    }
    return this.#fromOldOrNew(text);
  }

  #fromOldOrNew(text: string): Value {
    const old = this.#old.get(text);
    if (old === undefined) this.#misses++;
    else this.#hits++;
    const value = old ?? this.#make(text);
    if (this.#young.size >= this.#entriesMax) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(text, value);
    return value;
  }

  stats(): CacheStats {
    return { hits: this.#hits, misses: this.#misses, entries: this.#young.size + this.#old.size };
  }
}
