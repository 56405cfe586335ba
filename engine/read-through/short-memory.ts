/** Values that are remembered for a fixed time. The oldest are dropped if there are too many. `now` returns monotonic milliseconds. */
export class ShortMemory<Value> {
  readonly #entriesMax: number;
  readonly #keptMs: number;
  readonly #now: () => number;
  /** In the order of expiry, because every entry lives equally long and is moved to the end when it is renewed. */
  readonly #entries = new Map<string, { readonly value: Value; readonly until: number }>();

  constructor(entriesMax: number, keptMs: number, now: () => number) {
    this.#entriesMax = entriesMax;
    this.#keptMs = keptMs;
    this.#now = now;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.until > this.#now()) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  put(key: string, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, until: this.#now() + this.#keptMs });
    for (const [oldest, { until }] of this.#entries) {
      if (this.#entries.size <= this.#entriesMax && until > this.#now()) return;
      this.#entries.delete(oldest);
    }
  }

  get size(): number {
    return this.#entries.size;
  }
}
