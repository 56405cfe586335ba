import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { THREAD_IDLE_MS } from '../../shared/base/limits.js';
import { ThreadLostError } from '../http/thread-lost-error.js';
import { type Outcome, resultOf } from './outcome.js';
import { Places } from './places.js';

export interface TaskThreadOptions {
  /** Exports by default a function from a task to its `Outcome`. */
  readonly module: URL;
  /** What the module finds as its `workerData`. */
  readonly settings: unknown;
  /** Tasks that the thread has under way at once. The others wait. */
  readonly tasksMax: number;
  /** Told of what the thread posts to its parent. */
  readonly onMessage?: (message: unknown) => void;
  /** Told of a thread that died while it had nothing to do. */
  readonly onLost: (error: unknown) => void;
}

/**
 * One thread for work that would hold up the event loop. It is started by its first task, and ends if it has had none for a
 * minute. If it dies, what it had under way fails, and the next task is given to another one.
 */
export class TaskThread<Task, Result> {
  readonly #pool: Piscina<Task, Outcome<Result>>;
  /** What waits does so here: the pool would start no thread for its own queue when one has died. */
  readonly #places: Places;

  constructor({ module, settings, tasksMax, onMessage, onLost }: TaskThreadOptions) {
    this.#places = new Places(tasksMax);
    this.#pool = new Piscina({
      filename: fileURLToPath(module),
      minThreads: 0,
      maxThreads: 1,
      concurrentTasksPerWorker: tasksMax,
      idleTimeout: THREAD_IDLE_MS,
      // Piscina's default halts a thread between tasks with Atomics.wait: its idle connections would not be closed, nor be
      // noticed when the other side closes them.
      atomics: 'disabled',
      workerData: settings,
    });
    if (onMessage !== undefined) this.#pool.on('message', onMessage);
    this.#pool.on('error', (error: unknown) => {
      onLost(error);
      // A thread that dies as it begins leaves what waits for it waiting.
      void this.#pool.destroy();
    });
  }

  /** Throws what the task throws, and `ThreadLostError` if its thread ends. The buffers are given away, not copied. */
  run(task: Task, buffers: readonly ArrayBuffer[] = []): Promise<Result> {
    return this.#places.with(() => this.#send(task, buffers));
  }

  async stop(): Promise<void> {
    await this.#pool.destroy();
  }

  async #send(task: Task, buffers: readonly ArrayBuffer[]): Promise<Result> {
    let outcome: Outcome<Result>;
    try {
      outcome = await this.#pool.run(task, { transferList: [...buffers] });
    } catch (cause) {
      throw new ThreadLostError('a thread ended with this task under way', { cause });
    }
    return resultOf(outcome);
  }
}
