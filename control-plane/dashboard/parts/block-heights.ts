/** Blocks from `first` on, before `end`. */
export interface BlockRange {
  readonly first: number;
  readonly end: number;
}

interface Drawn {
  readonly rows: number;
  readonly height: number;
}

/** Heights of the blocks of a list, in pixels. Rows that were never drawn are taken to be as high as the others are on average. */
export class BlockHeights {
  /** Rows of a block. The last block of a list may have fewer. */
  readonly blockRows: number;
  /** Of a row while none is known. */
  readonly #guess: number;
  readonly #known = new Map<number, Drawn>();
  readonly #sum = { rows: 0, height: 0 };

  constructor(blockRows: number, guess: number) {
    this.blockRows = blockRows;
    this.#guess = guess;
  }

  /** Takes the height that so many rows of a block have. */
  set(block: number, rows: number, height: number): void {
    const before = this.#known.get(block) ?? { rows: 0, height: 0 };
    this.#sum.rows += rows - before.rows;
    this.#sum.height += height - before.height;
    this.#known.set(block, { rows, height });
  }

  clear(): void {
    this.#known.clear();
    this.#sum.rows = 0;
    this.#sum.height = 0;
  }

  /** Of the blocks together, in a list of so many rows. */
  of({ first, end }: BlockRange, rows: number): number {
    let height = 0;
    for (let block = first; block < end; block++) height += this.#of(block, rows);
    return height;
  }

  /** The blocks of a list of so many rows that are between two heights of it: at least one, if there are any. */
  between(top: number, bottom: number, rows: number): BlockRange {
    const blocks = this.blocks(rows);
    let first = 0;
    let at = 0;
    while (first < blocks - 1 && at + this.#of(first, rows) <= top) at += this.#of(first++, rows);
    let end = first;
    while (end < blocks && (end === first || at < bottom)) at += this.#of(end++, rows);
    return { first, end };
  }

  /** Of a list of so many rows. */
  blocks(rows: number): number {
    return Math.ceil(rows / this.blockRows);
  }

  #of(block: number, listRows: number): number {
    const rows = Math.min(this.blockRows, listRows - block * this.blockRows);
    const known = this.#known.get(block);
    if (known?.rows === rows) return known.height;
    return rows * (this.#sum.rows === 0 ? this.#guess : this.#sum.height / this.#sum.rows);
  }
}
