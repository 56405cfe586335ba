import type { Logger } from '../../shared/base/log.js';
import type { Listener } from '../database/listener.js';

/** So many polls in a row that bring what no notification announced mean that the subscription is dead. */
const SILENT_POLLS_MAX = 3;

/** Finds out that the server no longer counts a connection as a listener, which cannot be asked of it. */
export class SubscriptionWatch {
  readonly #listener: Pick<Listener, 'stats' | 'restart'>;
  readonly #log: Logger;
  #silentPolls = 0;
  #atLastPoll = { rows: 0, notifications: 0 };

  constructor(listener: Pick<Listener, 'stats' | 'restart'>, log: Logger) {
    this.#listener = listener;
    this.#log = log;
  }

  /** To be called after each poll. `rows`: how many were applied so far. */
  polled(rows: number): void {
    const { state, notifications } = this.#listener.stats();
    const silent = state === 'listening' && rows > this.#atLastPoll.rows && notifications === this.#atLastPoll.notifications;
    this.#atLastPoll = { rows, notifications };
    this.#silentPolls = silent ? this.#silentPolls + 1 : 0;
    if (this.#silentPolls < SILENT_POLLS_MAX) return;
    this.#log.warn({ code: 'notifications_missing' }, 'notifications do not arrive; subscribing again');
    this.#silentPolls = 0;
    this.#listener.restart();
  }
}
