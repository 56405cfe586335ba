/** Of how many durations the percentiles are: some ten seconds of a busy queue, minutes of a quiet one. */
const KEPT = 1024;

export interface Percentiles {
  readonly p50_ms: number;
  readonly p99_ms: number;
}

/** The newest durations of something that is done again and again, in milliseconds. Adding one allocates nothing. */
export class RecentDurations {
  readonly #ring = new Float64Array(KEPT);
  #added = 0;

  add(milliseconds: number): void {
    this.#ring[this.#added % KEPT] = milliseconds;
    this.#added++;
  }

  /** Zeros while nothing was added. Sorts; meant for a metrics page. */
  percentiles(): Percentiles {
    const sorted = this.#ring.slice(0, Math.min(this.#added, KEPT)).sort();
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    return { p50_ms: at(0.5), p99_ms: at(0.99) };
  }
}
