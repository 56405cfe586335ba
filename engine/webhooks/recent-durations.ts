/** The number of durations from which percentiles are computed: some ten seconds of a busy queue, minutes of a quiet one. */
const KEPT = 1024;

export interface Percentiles {
  readonly p50_ms: number;
  readonly p99_ms: number;
}

/** The newest durations of a repeated operation, in milliseconds. Adding one allocates nothing. */
export class RecentDurations {
  readonly #ring = new Float64Array(KEPT);
  #added = 0;

  add(milliseconds: number): void {
    this.#ring[this.#added % KEPT] = milliseconds;
    this.#added++;
  }

  /** Returns zeros if nothing was added. Sorts the durations; meant for a metrics page. */
  percentiles(): Percentiles {
    const sorted = this.#ring.slice(0, Math.min(this.#added, KEPT)).sort();
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    return { p50_ms: at(0.5), p99_ms: at(0.99) };
  }
}
