/** The blocks from `first` up to, but not including, `end`. */
export interface BlockRange {
  readonly first: number;
  readonly end: number;
}

interface Drawn {
  readonly rows: number;
  readonly height: number;
}

/** Heights of the blocks of a list, in pixels. Rows that were never drawn are assumed to have the average height of the others. */
export class BlockHeights {
  /** Rows per block. The last block of a list may have fewer. */
  readonly blockRows: number;
  /** Height of a row while no height is known. */
  readonly #guess: number;
  readonly #known = new Map<number, Drawn>();
  readonly #sum = { rows: 0, height: 0 };

  constructor(blockRows: number, guess: number) {
    this.blockRows = blockRows;
    this.#guess = guess;
  }

  /** Stores the height of a block that has so many rows. */
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

  /** The total height of the blocks, in a list of so many rows. */
  of({ first, end }: BlockRange, rows: number): number {
    let height = 0;
    for (let block = first; block < end; block++) height += this.#of(block, rows);
    return height;
  }

  /** The blocks between two heights of a list of so many rows. At least one block, unless the list is empty. */
  between(top: number, bottom: number, rows: number): BlockRange {
    const blocks = this.blocks(rows);
    let first = 0;
    let at = 0;
    while (first < blocks - 1 && at + this.#of(first, rows) <= top) at += this.#of(first++, rows);
    let end = first;
    while (end < blocks && (end === first || at < bottom)) at += this.#of(end++, rows);
    return { first, end };
  }

  /** The number of blocks of a list of so many rows. */
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
