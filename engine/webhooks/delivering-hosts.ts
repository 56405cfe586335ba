import { type BeatRow, Beats } from '../../shared/base/beats.js';

/** What a host needs to know about another one to share the limits of endpoints with it. */
export interface DeliveringHost extends BeatRow {
  readonly delivers: boolean;
}

/**
 * A new host sends nothing for this time: the others see its row within two seconds, and their running attempts that exceed their
 * new share end within ten seconds.
 */
export const SETTLING_MS = 15_000;
/** If a row has not changed for this time, its host has stopped, and so have its attempts. */
export const SILENT_MS = 15_000;

/**
 * How many hosts deliver, as one of them sees it. Each takes its part of what may be sent at once to an endpoint and to a
 * receiving host.
 */
export class DeliveringHosts {
  readonly #now: () => number;
  readonly #beats: Beats;
  /** When this host may begin to send, in monotonic milliseconds; null before the first observation. */
  #settlesAtMs: number | null = null;
  #others = 0;

  /** `now` gives monotonic milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
    this.#beats = new Beats(now);
  }

  /** 0 while this host must not send anything yet. */
  get count(): number {
    return this.#settlesAtMs === null || this.#now() < this.#settlesAtMs ? 0 : this.#others + 1;
  }

  /** Takes all current rows. */
  observe(self: string, rows: readonly DeliveringHost[]): void {
    this.#beats.observe(rows);
    this.#others = rows.filter(({ id, delivers }) => id !== self && delivers && this.#beats.stillMs(id) < SILENT_MS).length;
    if (this.#others === 0) this.#settlesAtMs = this.#now();
    else this.#settlesAtMs ??= this.#now() + SETTLING_MS;
  }
}
