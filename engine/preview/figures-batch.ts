import { FIGURE_INTERVALS_MAX } from '../../shared/base/limits.js';
import { type FigureRow, Figures } from './figures.js';
import type { IntervalFigures } from './sql.js';

const INTERVAL_MS = 900_000;

/** The figures of one statement. */
export interface NumberedFigures {
  readonly number: number;
  readonly figures: readonly IntervalFigures[];
}

/**
 * Figures on their way into the database, by the quarter of an hour in which they were counted. Figures that are being written
 * keep their number until they are written, so that the same figures are sent again after a failure. What is counted meanwhile
 * gets the next number.
 */
export class FiguresBatch {
  readonly #clock: () => number;
  readonly #intervals = new Map<number, Figures>();
  #number: number | null = null;
  #writing: readonly IntervalFigures[] | null = null;

  /** `clock` returns milliseconds since the epoch. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** Sets the newest number that the database has for this engine. */
  numberFrom(number: number): void {
    this.#number = number;
  }

  add(rows: readonly FigureRow[]): void {
    if (rows.length === 0) return;
    const interval = Math.floor(this.#clock() / INTERVAL_MS) * INTERVAL_MS;
    const newest = [...this.#intervals.keys()].at(-1);
    // At the limit, counts go to the newest interval: none is lost, but some are dated a little early.
    const into = newest !== undefined && !this.#intervals.has(interval) && this.#intervals.size >= FIGURE_INTERVALS_MAX ? newest : interval;
    const figures = this.#intervals.get(into) ?? new Figures();
    figures.add(rows);
    this.#intervals.set(into, figures);
  }

  /**
   * Returns what to write now: what is not known to have been written the last time, otherwise everything; null if there is
   * nothing, or the number is not known yet.
   */
  next(): NumberedFigures | null {
    if (this.#number === null) return null;
    this.#writing ??= this.#takeAll();
    return this.#writing === null ? null : { number: this.#number + 1, figures: this.#writing };
  }

  /** Records that what `next` returned is in the database. */
  written(): void {
    this.#writing = null;
    if (this.#number !== null) this.#number += 1;
  }

  #takeAll(): readonly IntervalFigures[] | null {
    if (this.#intervals.size === 0) return null;
    const all = Array.from(this.#intervals, ([interval_start_ms, figures]) =>
      figures.take().map((row) => ({ ...row, interval_start_ms })),
    ).flat();
    this.#intervals.clear();
    return all;
  }
}
