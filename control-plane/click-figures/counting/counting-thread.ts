import type { Logger } from '../../../shared/base/log.js';
import { TaskThread } from '../../threads/task-thread.js';

/** What the thread is started with. */
export interface CountingSettings {
  readonly databaseUrl: string;
  readonly clickRetentionDays: number;
}

export interface CountingTask {
  readonly what: 'clicks' | 'prefix' | 'links' | 'columns';
  readonly nowMs: number;
}

/** Counts clicks on a thread apart from requests. At 100,000 clicks a second it takes a core. */
export class CountingThread {
  readonly #thread: TaskThread<CountingTask, number>;

  constructor(settings: CountingSettings, log: Logger) {
    this.#thread = new TaskThread({
      module: new URL('./counting.worker.js', import.meta.url),
      settings,
      tasksMax: 1,
      onMessage: (error) => log.warn({ code: 'database_connection_lost', err: error }, 'the database connection of the counting was lost'),
      onLost: (error) => log.error({ code: 'counting_thread_ended', err: error }, 'the thread that counts clicks ended'),
    });
  }

  /** Counts the oldest waiting clicks. Returns how many; 0 if none are waiting. */
  count(nowMs: number): Promise<number> {
    return this.#thread.run({ what: 'clicks', nowMs });
  }

  /** Builds the prefixes of one window (`createPrefixes`). Returns false if none is due, or if the figures of all that are due are locked. */
  async makePrefix(nowMs: number): Promise<boolean> {
    return (await this.#thread.run({ what: 'prefix', nowMs })) > 0;
  }

  /** Adds up the clicks of some links. Returns false if none have changed, or if their figures are locked. */
  async addUpLinks(nowMs: number): Promise<boolean> {
    return (await this.#thread.run({ what: 'links', nowMs })) > 0;
  }

  /** Makes the columns of a part of a day. Returns false if there is nothing to make. */
  async countDays(nowMs: number): Promise<boolean> {
    return (await this.#thread.run({ what: 'columns', nowMs })) > 0;
  }

  async stop(): Promise<void> {
    await this.#thread.stop();
  }
}
