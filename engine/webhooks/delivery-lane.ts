import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { Delivery } from './deliver.js';
import type { DeliveryReport, WorkerSettings } from './deliver.worker.js';

export interface DeliveryLaneOptions {
  readonly module: URL;
  readonly settings: WorkerSettings;
  readonly onReports: (reports: readonly DeliveryReport[]) => void;
  /** The thread died or was replaced while these deliveries were under way. Those that it had already reported are among them. */
  readonly onLost: (error: unknown, keys: readonly number[]) => void;
}

type Batch = readonly Delivery[];

/** One thread and its deliveries. If it dies, its pool replaces it; if it hangs, it is replaced on demand. */
export class DeliveryLane {
  readonly #options: DeliveryLaneOptions;
  readonly #batches = new Set<Batch>();
  #pool: Piscina;
  #isUp = false;
  #load = 0;

  constructor(options: DeliveryLaneOptions) {
    this.#options = options;
    this.#pool = this.#start();
  }

  /** Whether the thread has begun to work. On a busy machine its start may take seconds. */
  get isUp(): boolean {
    return this.#isUp;
  }

  /** How many deliveries are under way. */
  get load(): number {
    return this.#load;
  }

  /** All deliveries of a batch begin at once; each is reported as it ends. Resolves when the batch has ended or is lost. */
  async send(batch: Batch): Promise<void> {
    this.#batches.add(batch);
    this.#load += batch.length;
    try {
      await this.#pool.run(batch);
      this.#batches.delete(batch);
    } catch (error) {
      // The deliveries of an abandoned thread have already been reported.
      if (!this.#batches.delete(batch)) return;
      this.#awaitThread(this.#pool);
      this.#lost(error, [batch]);
    }
  }

  /** Whether the delivery is in a batch that is under way. */
  holds(key: number): boolean {
    for (const batch of this.#batches) if (batch.some((delivery) => delivery.key === key)) return true;
    return false;
  }

  /**
   * Gives up on everything that is under way: the thread hangs with it and is replaced. A thread that has not begun to work yet
   * has sent nothing, and is kept.
   */
  giveUp(): void {
    const batches = [...this.#batches];
    this.#batches.clear();
    if (!this.#isUp) {
      this.#load = 0;
      this.#options.onReports(keysOf(batches).map((key) => ({ key, result: null })));
      this.#options.onLost(new Error('a delivery thread has not begun to work within the time of a lease'), []);
      return;
    }
    const hanging = this.#pool;
    this.#pool = this.#start();
    void hanging.destroy();
    this.#lost(new Error('a delivery thread has reported nothing for the time of a lease'), batches);
  }

  async stop(): Promise<void> {
    await this.#pool.destroy();
  }

  /** The thread has been replaced and has nothing under way. */
  #lost(error: unknown, batches: readonly Batch[]): void {
    this.#load = 0;
    this.#options.onLost(error, keysOf(batches));
  }

  #start(): Piscina {
    const { module, settings, onReports, onLost } = this.#options;
    const pool = new Piscina({
      filename: fileURLToPath(module),
      // A pool ends all its threads or none. Each thread has a pool of its own, so that it can be ended alone.
      minThreads: 1,
      maxThreads: 1,
      // A task is a batch that waits for the network; `endpoint-slots.ts` limits what is under way.
      concurrentTasksPerWorker: 4096,
      // By default, Piscina halts a thread between tasks with Atomics.wait: its kept-alive sockets would not notice that the other
      // side has closed them.
      atomics: 'disabled',
      workerData: settings,
    });
    pool.on('message', (reports: readonly DeliveryReport[]) => {
      this.#load = Math.max(0, this.#load - reports.length);
      onReports(reports);
    });
    // A thread died while it had nothing to do. Without a listener this would end the process.
    pool.on('error', (error: unknown) => onLost(error, []));
    this.#awaitThread(pool);
    return pool;
  }

  #awaitThread(pool: Piscina): void {
    this.#isUp = false;
    pool.run([]).then(
      () => {
        if (pool === this.#pool) this.#isUp = true;
      },
      // The thread died or was ended as it began. The other batches that it was given report that.
      () => undefined,
    );
  }
}

function keysOf(batches: readonly Batch[]): readonly number[] {
  return batches.flatMap((batch) => batch.map(({ key }) => key));
}
