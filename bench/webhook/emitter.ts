import type { BenchQueue } from './queue.js';

/** Emits events at an even rate, one per transaction, and records when each was committed. */
export class Emitter {
  readonly #queue: BenchQueue;
  readonly #committedAt = new Map<string, number>();

  constructor(queue: BenchQueue) {
    this.#queue = queue;
  }

  async run(eventsPerSecond: number, seconds: number): Promise<void> {
    const underWay = new Set<Promise<void>>();
    const beganAt = performance.now();
    for (let index = 0; index < eventsPerSecond * seconds; index++) {
      const waitMs = beganAt + (index * 1000) / eventsPerSecond - performance.now();
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      const emission = this.#emit().finally(() => underWay.delete(emission));
      underWay.add(emission);
    }
    await Promise.all(underWay);
  }

  /** Sends the notification of the service after the commit. */
  async #emit(): Promise<void> {
    const [id] = await this.#queue.emit(1);
    this.#committedAt.set(id as string, Date.now());
    await this.#queue.pool.query("SELECT pg_notify('webhook_due', '{}')");
  }

  /** Returns the milliseconds from commit to arrival, the shortest first, and forgets the events. */
  waits(arrivals: readonly (readonly [eventId: string, atMs: number])[]): readonly number[] {
    const waits = arrivals.map(([id, atMs]) => atMs - (this.#committedAt.get(id) ?? Number.NaN)).filter((wait) => !Number.isNaN(wait));
    this.#committedAt.clear();
    return waits.sort((a, b) => a - b);
  }
}
