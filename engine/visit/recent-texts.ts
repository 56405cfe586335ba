/**
 * The texts that were seen last, of bounded number: two sets, of which the old one goes when the young one is full. Between
 * one and two times the bound are remembered.
 */
export class RecentTexts {
  readonly #textsMax: number;
  #young = new Set<string>();
  #old = new Set<string>();

  constructor(textsMax: number) {
    this.#textsMax = textsMax;
  }

  /** Whether the text is none of them; from now on it is. */
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
