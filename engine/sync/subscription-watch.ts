import type { Logger } from '../../shared/base/log.js';
import type { NotificationListener } from '../database/notification-listener.js';

/** This many polls in a row that find rows without a preceding notification mean that the subscription is dead. */
const SILENT_POLLS_MAX = 3;

/** Detects that the server no longer treats a connection as a listener. The server cannot be queried for that. */
export class SubscriptionWatch {
  readonly #listener: Pick<NotificationListener, 'stats' | 'restart'>;
  readonly #log: Logger;
  #silentPolls = 0;
  #atLastPoll = { rows: 0, notifications: 0 };

  constructor(listener: Pick<NotificationListener, 'stats' | 'restart'>, log: Logger) {
    this.#listener = listener;
    this.#log = log;
  }

  /** Must be called after each poll. `rows` is the number of rows applied so far. */
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
