/**
 * Tokens are added at `perSecond`, up to `capacity`; each question takes one. `now` returns monotonic milliseconds.
 * (https://en.wikipedia.org/wiki/Token_bucket)
 */
export class TokenBucket {
  readonly #perSecond: number;
  readonly #capacity: number;
  readonly #now: () => number;
  #tokens: number;
  #filledAt: number;

  constructor(perSecond: number, capacity: number, now: () => number) {
    this.#perSecond = perSecond;
    this.#capacity = capacity;
    this.#now = now;
    this.#tokens = capacity;
    this.#filledAt = now();
  }

  /** Takes a token; false if there is none. */
  take(): boolean {
    const now = this.#now();
    this.#tokens = Math.min(this.#capacity, this.#tokens + ((now - this.#filledAt) * this.#perSecond) / 1000);
    this.#filledAt = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
