import { Places } from '../threads/places.js';

/** Runs a limited number of tasks of each environment at the same time. Its others wait, first come, first served. */
export class EnvironmentPlaces {
  readonly #max: number;
  readonly #environments = new Map<string, { readonly places: Places; tasks: number }>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Environments with tasks that run or wait. */
  get size(): number {
    return this.#environments.size;
  }

  async with<Result>(environmentId: string, work: () => Promise<Result>): Promise<Result> {
    const environment = this.#environments.get(environmentId) ?? { places: new Places(this.#max), tasks: 0 };
    this.#environments.set(environmentId, environment);
    environment.tasks++;
    try {
      return await environment.places.with(work);
    } finally {
      if (--environment.tasks === 0) this.#environments.delete(environmentId);
    }
  }
}
