import type { ClientBase } from 'pg';
import type { EngineFigures } from '../membership/heartbeat.js';
import type { Figures } from './figures.js';
import { FiguresBatch } from './figures-batch.js';
import { addMetadataFigures } from './sql.js';

/** Adds the host's figures to those in the database, at most once each. */
export class FiguresWriter implements EngineFigures {
  readonly #figures: Figures;
  readonly #batch: FiguresBatch;

  /** `clock` returns milliseconds since the epoch. */
  constructor(figures: Figures, clock: () => number) {
    this.#figures = figures;
    this.#batch = new FiguresBatch(clock);
  }

  numberFrom(number: number): void {
    this.#batch.numberFrom(number);
  }

  async write(client: ClientBase, engineId: string): Promise<void> {
    this.#batch.add(this.#figures.take());
    for (let batch = this.#batch.next(); batch !== null; batch = this.#batch.next()) {
      await addMetadataFigures(client, { engineId, ...batch });
      this.#batch.written();
    }
  }
}
