import type { Logger } from '../../shared/base/log.js';
import { TaskThread } from '../threads/task-thread.js';

/** What the thread is made of. */
export interface CountingSettings {
  readonly databaseUrl: string;
  readonly clickRetentionDays: number;
}

export interface CountingTask {
  readonly what: 'clicks' | 'prefix' | 'links' | 'groups';
  readonly nowMs: number;
}

/** Counts clicks beside the requests: at 100,000 clicks a second it takes a core. */
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

  /** Counts the oldest clicks that wait. Returns how many; 0 if none do. */
  count(nowMs: number): Promise<number> {
    return this.#thread.run({ what: 'clicks', nowMs });
  }

  /** Adds up a long list for days that are over. Returns false if there is none to be added up, or if its figures are being changed. */
  async makePrefix(nowMs: number): Promise<boolean> {
    return (await this.#thread.run({ what: 'prefix', nowMs })) > 0;
  }

  /** Adds up the clicks of some links. Returns false if none have changed, or if their figures are being changed. */
  async addUpLinks(nowMs: number): Promise<boolean> {
    return (await this.#thread.run({ what: 'links', nowMs })) > 0;
  }

  /** Counts the groups of a day that is over by one of its fields. Returns false if there is nothing to be counted. */
  async countDayGroups(nowMs: number): Promise<boolean> {
    return (await this.#thread.run({ what: 'groups', nowMs })) > 0;
  }

  async stop(): Promise<void> {
    await this.#thread.stop();
  }
}
