import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { Logger } from '../../shared/base/log.js';
import type { Delivery } from './deliver.js';
import type { DeliveryReport, WorkerSettings } from './deliver.worker.js';

export interface DeliveryThreadsOptions extends WorkerSettings {
  readonly threads: number;
  /** What a thread runs; `deliver.worker.js` where absent. */
  readonly module?: URL;
  readonly logger: Logger;
  readonly onReports: (reports: readonly DeliveryReport[]) => void;
  /** A thread died with these under way. What it had reported before is among them and has to be known as such. */
  readonly onLost: (keys: readonly number[]) => void;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/** Deliveries in one task of a thread: a task costs 60 to 80 µs of round trip, a delivery in it none. */
const BATCH_MAX = 64;

/**
 * For how long a failure without a report since counts as failing. Longer than a lease and the look that finds what was
 * lost: threads that die of every delivery are never taken to be well. A thread that died while there was nothing to do is
 * replaced, and nobody may ever report anything again.
 */
const FAILING_FOR_MS = 60_000;

/** The threads that sign and send. A thread that dies is replaced by the pool; its work is told to the owner as lost. */
export class DeliveryThreads {
  readonly #options: DeliveryThreadsOptions;
  #pool: Piscina;
  readonly #now: () => number;
  #failures = 0;
  /** null where something was reported since. */
  #failedAtMs: number | null = null;

  constructor(options: DeliveryThreadsOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#pool = this.#start();
  }

  /** Small numbers are spread over all threads, large ones go in full batches. */
  send(deliveries: readonly Delivery[]): void {
    const size = Math.min(BATCH_MAX, Math.ceil(deliveries.length / this.#options.threads));
    for (let at = 0; at < deliveries.length; at += size) {
      const batch = deliveries.slice(at, at + size);
      this.#pool.run(batch).catch((error: unknown) =>
        this.#failed(
          error,
          batch.map(({ key }) => key),
        ),
      );
    }
  }

  /**
   * Starts new threads and ends these with all they have under way, which is told as lost: a thread that hangs would be
   * handed its share of the work for ever.
   */
  replace(): void {
    const hanging = this.#pool;
    this.#pool = this.#start();
    this.#failed(new Error('a delivery thread has reported nothing for the time of a lease'), []);
    void hanging.destroy();
  }

  /** How many threads died or hung, and whether that is how it stands: one did a moment ago, and nothing was reported since. */
  stats(): { readonly failures: number; readonly failing: boolean } {
    const failing = this.#failedAtMs !== null && this.#now() < this.#failedAtMs + FAILING_FOR_MS;
    return { failures: this.#failures, failing };
  }

  /** Ends the threads with whatever they have under way. */
  async stop(): Promise<void> {
    await this.#pool.destroy();
  }

  #start(): Piscina {
    const pool = createPool(this.#options);
    pool.on('message', (reports: readonly DeliveryReport[]) => {
      this.#failedAtMs = null;
      this.#options.onReports(reports);
    });
    // A thread that dies while it has nothing to do; without a listener this would end the process.
    pool.on('error', (error: unknown) => this.#failed(error, []));
    return pool;
  }

  #failed(error: unknown, keys: readonly number[]): void {
    this.#failures++;
    this.#failedAtMs = this.#now();
    this.#options.logger.error({ err: error, deliveries: keys.length }, 'a webhook delivery thread failed');
    this.#options.onLost(keys);
  }
}

const DELIVERY_MODULE = new URL('deliver.worker.js', import.meta.url);

function createPool({ threads, module = DELIVERY_MODULE, serviceName, allow, timeoutMs }: DeliveryThreadsOptions): Piscina {
  const workerData: WorkerSettings = { serviceName, allow, timeoutMs };
  return new Piscina({
    filename: fileURLToPath(module),
    minThreads: threads,
    maxThreads: threads,
    // A task is a batch that waits for the network; what is under way is bounded by `endpoint-slots.ts`.
    concurrentTasksPerWorker: 4096,
    // Piscina's default halts a thread between tasks with Atomics.wait: its kept-alive sockets would not notice that the
    // other side has closed them.
    atomics: 'disabled',
    workerData,
  });
}
