/**
 * Remembers the most recent texts in two sets. When the newer set is full, the older one is dropped, so between one and two
 * times the limit are remembered.
 */
export class RecentTexts {
  readonly #textsMax: number;
  #young = new Set<string>();
  #old = new Set<string>();

  constructor(textsMax: number) {
    this.#textsMax = textsMax;
  }

  /** Returns whether the text is not remembered yet, and remembers it. */
  isNew(text: string): boolean {
    if (this.#young.has(text) || this.#old.has(text)) return false;
    if (this.#young.size >= this.#textsMax) {
      this.#old = this.#young;
      this.#young = new Set();
    }
    this.#young.add(text);
    return true;
  }
}
