/** A row that its owner writes again and again while the owner lives. */
export interface BeatRow {
  readonly id: string;
  /** A different value each time the owner writes the row. */
  readonly beat: string;
}

interface Seen {
  readonly beat: string;
  readonly sinceMs: number;
}

/** How long rows have been unchanged, as measured by this process. No clock is compared with that of another host. */
export class Beats {
  readonly #now: () => number;
  #seen = new Map<string, Seen>();

  /** `now` returns monotonic milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Takes all rows as they are now. A row that is not among them is forgotten. */
  observe(rows: readonly BeatRow[]): void {
    const seen = new Map<string, Seen>();
    for (const { id, beat } of rows) {
      const before = this.#seen.get(id);
      seen.set(id, before?.beat === beat ? before : { beat, sinceMs: this.#now() });
    }
    this.#seen = seen;
  }

  forget(): void {
    this.#seen.clear();
  }

  /** Returns the milliseconds since the row was first seen with its present beat; 0 for a row, or a beat of it, that was not seen. */
  stillMs(id: string, beat?: string): number {
    const seen = this.#seen.get(id);
    return seen === undefined || (beat !== undefined && beat !== seen.beat) ? 0 : this.#now() - seen.sinceMs;
  }
}
