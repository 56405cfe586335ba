/** Blocks from `first` on, before `end`. */
export interface BlockRange {
  readonly first: number;
  readonly end: number;
}

/** Heights of the blocks of a list, in pixels. One that was never drawn is taken to be as high as the others are on average. */
export class BlockHeights {
  readonly #known = new Map<number, number>();
  #sum = 0;
  readonly #guess: number;

  /** `guess` is the height of a block while none is known. */
  constructor(guess: number) {
    this.#guess = guess;
  }

  set(block: number, height: number): void {
    this.#sum += height - (this.#known.get(block) ?? 0);
    this.#known.set(block, height);
  }

  clear(): void {
    this.#known.clear();
    this.#sum = 0;
  }

  /** Of the blocks together. */
  of({ first, end }: BlockRange): number {
    let height = 0;
    for (let block = first; block < end; block++) height += this.#of(block);
    return height;
  }

  /** Those of so many blocks that are between two heights of the list: at least one, if there are any. */
  between(top: number, bottom: number, blocks: number): BlockRange {
    let first = 0;
    let at = 0;
    while (first < blocks - 1 && at + this.#of(first) <= top) at += this.#of(first++);
    let end = first;
    while (end < blocks && (end === first || at < bottom)) at += this.#of(end++);
    return { first, end };
  }

  #of(block: number): number {
    return this.#known.get(block) ?? (this.#known.size === 0 ? this.#guess : this.#sum / this.#known.size);
  }
}
