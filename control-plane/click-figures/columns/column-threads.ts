import { availableParallelism } from 'node:os';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Logger } from '../../../shared/base/log.js';
import { TaskThread } from '../../threads/task-thread.js';
import type { ColumnsCounted } from './column-count.js';
import type { PackedSums } from './group-sums.js';

/** PostgreSQL, which reads the columns on another core, would not keep more threads busy. */
const THREADS_MAX = 4;
/** Each call holds a connection, of which there are fewer. */
const COUNTS_AT_ONCE = 256;

export interface CountTask {
  readonly counted: ColumnsCounted;
  /** Receives rows for a `PartReader`, each time of whole parts, and answers each with the number of groups so far. Null ends the count: the answer is the sums. */
  readonly port: MessagePort;
}

/** Threads that count the clicks of columns. Other calls would wait, because a range may have many millions. */
export class ColumnThreads {
  readonly #threads: readonly TaskThread<CountTask, null>[];

  constructor(log: Logger) {
    this.#threads = Array.from(
      { length: Math.min(availableParallelism(), THREADS_MAX) },
      () =>
        new TaskThread({
          module: new URL('./column-count.worker.js', import.meta.url),
          settings: null,
          tasksMax: COUNTS_AT_ONCE,
          onLost: (error) => log.error({ code: 'column_thread_ended', err: error }, 'a thread that counts clicks of columns ended'),
        }),
    );
  }

  /** Begins a count in each thread. All have to be closed. */
  begin(counted: ColumnsCounted): readonly ThreadCount[] {
    return this.#threads.map((thread) => new ThreadCount(thread, counted));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.stop()));
  }
}

interface Asked {
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

/** A count in another thread. */
export class ThreadCount {
  readonly #port: MessagePort;
  /** What the thread has not answered yet, in the order in which it will. */
  readonly #asked: Asked[] = [];
  #failure: { readonly error: unknown } | null = null;

  constructor(thread: TaskThread<CountTask, null>, counted: ColumnsCounted) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.on('message', (answer) => this.#asked.shift()?.resolve(answer));
    thread.run({ counted, port: port2 }, [port2]).catch((error: unknown) => {
      this.#failure = { error };
      for (const { reject } of this.#asked.splice(0)) reject(error);
    });
  }

  /** How many messages the thread has not answered. */
  get waiting(): number {
    return this.#asked.length;
  }

  /** Returns how many groups there are once the rows are counted. Their buffer is transferred. */
  count(rows: Uint8Array): Promise<number> {
    return this.#ask(rows, [rows.buffer as ArrayBuffer]) as Promise<number>;
  }

  /** Returns the sums by each key, for a `ColumnCount` of the same. */
  sums(): Promise<readonly PackedSums[]> {
    return this.#ask(null, []) as Promise<readonly PackedSums[]>;
  }

  close(): void {
    this.#port.close();
  }

  #ask(message: Uint8Array | null, transferred: readonly ArrayBuffer[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== null) {
        reject(this.#failure.error);
        return;
      }
      this.#asked.push({ resolve, reject });
      this.#port.postMessage(message, transferred);
    });
  }
}
