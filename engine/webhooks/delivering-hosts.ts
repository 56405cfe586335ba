/** What a host needs to know of another one to share the limits of endpoints with it. */
export interface DeliveringHost {
  readonly id: string;
  /** Another value each time the host writes its row. */
  readonly beat: string;
  readonly delivers: boolean;
}

/**
 * A host that comes sends nothing for so long: the others see its row within two seconds, and what they have under way beyond their
 * new share ends within the ten seconds of an attempt.
 */
export const SETTLING_MS = 15_000;
/** A row that stands still for so long is one of a host that has ended, and its attempts with it. */
export const SILENT_MS = 15_000;

interface Seen {
  readonly beat: string;
  readonly sinceMs: number;
}

/** How many hosts deliver, as one of them sees it: each takes its part of what an endpoint and a receiving host may be sent at once. */
export class DeliveringHosts {
  readonly #now: () => number;
  #seen = new Map<string, Seen>();
  /** When this host was first seen beside others, or alone. */
  #settlesAtMs: number | null = null;
  #others = 0;

  /** `now` gives monotonic milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** 0 while this host must not send anything yet. */
  get count(): number {
    return this.#settlesAtMs === null || this.#now() < this.#settlesAtMs ? 0 : this.#others + 1;
  }

  /** All rows as they stand. */
  observe(self: string, rows: readonly DeliveringHost[]): void {
    const seen = new Map<string, Seen>();
    for (const { id, beat } of rows) {
      const before = this.#seen.get(id);
      seen.set(id, before?.beat === beat ? before : { beat, sinceMs: this.#now() });
    }
    this.#seen = seen;
    const lives = ({ id }: DeliveringHost) => this.#now() - (seen.get(id)?.sinceMs ?? 0) < SILENT_MS;
    this.#others = rows.filter((row) => row.id !== self && row.delivers && lives(row)).length;
    if (this.#others === 0) this.#settlesAtMs = this.#now();
    else this.#settlesAtMs ??= this.#now() + SETTLING_MS;
  }
}
