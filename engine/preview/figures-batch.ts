import { FIGURE_INTERVALS_MAX } from '../../shared/base/limits.js';
import { type FigureRow, Figures } from './figures.js';
import type { IntervalFigures } from './sql.js';

const INTERVAL_MS = 900_000;

/** Figures of one statement. */
export interface NumberedFigures {
  readonly number: number;
  readonly figures: readonly IntervalFigures[];
}

/**
 * Figures on their way into the database, by the quarter of an hour in which they were counted. What is being written
 * keeps its number until it was written, so that the same is sent again after a failure; what is counted meanwhile goes
 * with the next number.
 */
export class FiguresBatch {
  readonly #clock: () => number;
  readonly #intervals = new Map<number, Figures>();
  #number: number | null = null;
  #writing: readonly IntervalFigures[] | null = null;

  /** Milliseconds since the epoch. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  isNumbered(): boolean {
    return this.#number !== null;
  }

  /** The newest number that the database knows of this engine. */
  numberFrom(number: number): void {
    this.#number = number;
  }

  add(rows: readonly FigureRow[]): void {
    if (rows.length === 0) return;
    const interval = Math.floor(this.#clock() / INTERVAL_MS) * INTERVAL_MS;
    const newest = [...this.#intervals.keys()].at(-1);
    // Past the bound the newest interval takes what is counted: none is lost, some are a little early.
    const into = newest !== undefined && !this.#intervals.has(interval) && this.#intervals.size >= FIGURE_INTERVALS_MAX ? newest : interval;
    const figures = this.#intervals.get(into) ?? new Figures();
    figures.add(rows);
    this.#intervals.set(into, figures);
  }

  /** What is to be written now: what was not known to be written the last time, else all there is; null if that is nothing. */
  next(): NumberedFigures | null {
    if (this.#number === null) return null;
    this.#writing ??= this.#takeAll();
    return this.#writing === null ? null : { number: this.#number + 1, figures: this.#writing };
  }

  /** What `next` gave is in the database. */
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
