/** For how long something is taken for due after it was found. */
const KEPT_MS = 60_000;

/**
 * What is due for the environments: found by one statement over all of them, then done one by one. If it were found again before each, an
 * installation with thousands of environments would spend its time on finding.
 *
 * `find` returns what is due. `work` does one of these, or returns false if that is not possible at the moment or no longer necessary,
 * because another process has done it.
 */
export class DueList<Item> {
  readonly #find: (nowMs: number) => Promise<readonly Item[]>;
  readonly #work: (item: Item) => Promise<boolean>;
  /** The next one is the last. */
  #items: Item[] = [];
  #foundMs = 0;

  constructor(find: (nowMs: number) => Promise<readonly Item[]>, work: (item: Item) => Promise<boolean>) {
    this.#find = find;
    this.#work = work;
  }

  /** Does one of what is due. Returns false if nothing is due, or nothing of it can be done at the moment. */
  async step(nowMs: number): Promise<boolean> {
    if (Math.abs(nowMs - this.#foundMs) > KEPT_MS) this.#items = [];
    if (await this.#doNext()) return true;
    this.#items = (await this.#find(nowMs)).toReversed();
    this.#foundMs = nowMs;
    return this.#doNext();
  }

  /** An item that fails is left out until it is found again, so that it does not hold up the others. */
  async #doNext(): Promise<boolean> {
    for (let item = this.#items.pop(); item !== undefined; item = this.#items.pop()) if (await this.#work(item)) return true;
    return false;
  }
}
