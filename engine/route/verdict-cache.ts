import { recogniseVisitor, type Visitor } from '../../shared/resolve/visitor.js';

export interface VerdictStats {
  readonly hits: number;
  readonly misses: number;
  readonly entries: number;
}

/**
 * Verdicts by user agent. Two maps of bounded size: when the young one is full it becomes the old one, and the old one
 * goes. What is in use is taken over again, so that a flood of made-up user agents costs one look in the old map, never
 * the memory. (An LRU list writes on every hit; this writes on none.)
 */
export class VerdictCache {
  readonly #entriesMax: number;
  #young = new Map<string, Visitor>();
  #old = new Map<string, Visitor>();
  #hits = 0;
  #misses = 0;

  constructor(entriesMax: number) {
    this.#entriesMax = entriesMax;
  }

  of(userAgent: string): Visitor {
    const young = this.#young.get(userAgent);
    if (young !== undefined) {
      this.#hits++;
      return young;
    }
    return this.#fromOldOrNew(userAgent);
  }

  #fromOldOrNew(userAgent: string): Visitor {
    const old = this.#old.get(userAgent);
    if (old === undefined) this.#misses++;
    else this.#hits++;
    const visitor = old ?? recogniseVisitor(userAgent);
    if (this.#young.size >= this.#entriesMax) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(userAgent, visitor);
    return visitor;
  }

  stats(): VerdictStats {
    return { hits: this.#hits, misses: this.#misses, entries: this.#young.size + this.#old.size };
  }
}
