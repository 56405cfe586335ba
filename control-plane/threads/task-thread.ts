import { fileURLToPath } from 'node:url';
import type { MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { THREAD_IDLE_MS } from '../../shared/base/limits.js';
import { ThreadLostError } from '../http/thread-lost-error.js';
import { type Outcome, resultOf } from './outcome.js';
import { Places } from './places.js';

export interface TaskThreadOptions {
  /** Its default export is a function from a task to its `Outcome`. */
  readonly module: URL;
  /** The `workerData` of the module. */
  readonly settings: unknown;
  /** How many tasks the thread works on at the same time. The others wait. */
  readonly tasksMax: number;
  /** Called with each message that the thread posts to its parent. */
  readonly onMessage?: (message: unknown) => void;
  /** Called with the error if the thread dies while it has nothing to do. */
  readonly onLost: (error: unknown) => void;
}

/**
 * One thread for work that would block the event loop. Its first task starts it, and it ends after a minute without a task. If it dies, its
 * current tasks fail, and the next task starts another thread.
 */
export class TaskThread<Task, Result> {
  readonly #pool: Piscina<Task, Outcome<Result>>;
  /** Tasks wait here, because the pool would start no thread for its own queue after one has died. */
  readonly #places: Places;

  constructor({ module, settings, tasksMax, onMessage, onLost }: TaskThreadOptions) {
    this.#places = new Places(tasksMax);
    this.#pool = new Piscina({
      filename: fileURLToPath(module),
      minThreads: 0,
      maxThreads: 1,
      concurrentTasksPerWorker: tasksMax,
      idleTimeout: THREAD_IDLE_MS,
      // Piscina's default blocks a thread between tasks with Atomics.wait, so that its idle connections would not be closed, and it would
      // not notice when the other side closes them.
      atomics: 'disabled',
      workerData: settings,
    });
    if (onMessage !== undefined) this.#pool.on('message', onMessage);
    this.#pool.on('error', (error: unknown) => {
      onLost(error);
      // If a thread dies while it starts, tasks that wait for it would wait forever.
      void this.#pool.destroy();
    });
  }

  /** Throws what the task throws, or `ThreadLostError` if its thread ends. Buffers and ports are transferred, not copied. */
  run(task: Task, transferred: readonly (ArrayBuffer | MessagePort)[] = []): Promise<Result> {
    return this.#places.with(() => this.#send(task, transferred));
  }

  async stop(): Promise<void> {
    await this.#pool.destroy();
  }

  async #send(task: Task, transferred: readonly (ArrayBuffer | MessagePort)[]): Promise<Result> {
    let outcome: Outcome<Result>;
    try {
      outcome = await this.#pool.run(task, { transferList: [...transferred] });
    } catch (cause) {
      throw new ThreadLostError('a thread ended with this task under way', { cause });
    }
    return resultOf(outcome);
  }
}
