import pgListen from 'pg-listen';
import { backoffMs } from '../../shared/base/backoff.js';
import { InvariantError } from '../../shared/base/invariant.js';
import type { Logger } from '../../shared/base/log.js';
import { createSignal, pause } from '../../shared/base/signal.js';
import { assertTransition, type Predecessors } from '../../shared/base/transitions.js';
import { connectionSettings } from './connection.js';

/**
 * Keeps one connection that LISTENs, and passes every notification on as a hint, without interpreting it: a hint only means
 * "read now".
 *
 * States: `stopped` -> `connecting` -> `listening` -> `waiting` (the connection was lost or refused; until the next attempt) ->
 * `connecting` ... -> `stopped`. Notifications sent in any state but `listening` are lost. Therefore `onHint` is also called
 * each time listening begins, so that a reader misses nothing.
 *
 * pg-listen owns the connection and nothing else. Its own reconnecting is turned off (a retry limit of 1 makes no attempt): it
 * continues after `close()`, and stops for good if the connection is lost between its reconnect and its LISTEN. Each connection
 * is a new subscriber, which ends when it reports an error. Payloads are not parsed, because one that is not JSON would raise
 * an error.
 *
 * Its check every 10 s detects a connection that a firewall has dropped. The server cannot be asked whether it still treats the
 * connection as a listener; the owner detects that by its own polls and calls `restart`.
 */
export type ListenerState = 'stopped' | 'connecting' | 'listening' | 'waiting';

export interface ListenerOptions {
  readonly databaseUrl: string;
  readonly channels: readonly string[];
  /** Replaces the channels' names in PostgreSQL's list of connections. */
  readonly name?: string;
  readonly log: Logger;
  readonly random: () => number;
  readonly onHint: () => void;
  /** Called with the text of each notification. */
  readonly onText?: (text: string) => void;
}

type Subscriber = ReturnType<typeof pgListen.default>;

const RETRY_BASE_MS = 50;
const RETRY_MS_MAX = 2000;
const CHECK_INTERVAL_MS = 10_000;
/** No statement of this connection does any work. */
const LIMITS = { queryMs: 5000 };

const PREDECESSORS: Predecessors<ListenerState> = {
  stopped: ['connecting', 'listening', 'waiting'],
  connecting: ['stopped', 'waiting'],
  listening: ['connecting'],
  waiting: ['connecting', 'listening'],
};

export class NotificationListener {
  readonly #options: ListenerOptions;
  readonly #signal = createSignal();
  #state: ListenerState = 'stopped';
  #stopping = false;
  #restarting = false;
  #connections = 0;
  #notifications = 0;
  #loop: Promise<void> = Promise.resolve();

  constructor(options: ListenerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#become('connecting');
    this.#stopping = false;
    this.#loop = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#signal.raise();
    await this.#loop;
  }

  /** Discards the connection and opens another one. */
  restart(): void {
    this.#restarting = true;
    this.#signal.raise();
  }

  stats(): { readonly state: ListenerState; readonly connections: number; readonly notifications: number } {
    return { state: this.#state, connections: this.#connections, notifications: this.#notifications };
  }

  async #run(): Promise<void> {
    let attempts = 0;
    while (!this.#stopping) {
      const listened = await this.#listenUntilLost();
      attempts = listened ? 0 : attempts + 1;
      if (this.#stopping) break;
      this.#become('waiting');
      await pause(this.#signal, backoffMs(attempts, RETRY_BASE_MS, RETRY_MS_MAX, this.#options.random), () => this.#stopping);
      if (!this.#stopping) this.#become('connecting');
    }
    this.#become('stopped');
  }

  #become(state: ListenerState): void {
    assertTransition('the listener for notifications', PREDECESSORS, this.#state, state);
    this.#state = state;
  }

  /** Resolves when the connection is over, for whatever reason. Returns whether it had begun to listen. */
  async #listenUntilLost(): Promise<boolean> {
    let subscriber: Subscriber | null = null;
    let lost = false;
    try {
      subscriber = this.#subscriber();
      subscriber.events.on('error', (error) => {
        this.#options.log.warn({ code: 'notification_connection_lost', err: error }, 'the notification connection was lost');
        lost = true;
        this.#signal.raise();
      });
      subscriber.events.on('notification', ({ payload }) => this.#onNotification(payload));
      await this.#listen(subscriber);
      this.#restarting = false;
      while (!lost && !this.#stopping && !this.#restarting) await this.#signal.wait(60_000);
      return true;
    } catch (error) {
      if (error instanceof InvariantError) throw error;
      this.#options.log.warn({ code: 'notifications_unavailable', err: error }, 'notifications cannot be received; polling goes on');
      return false;
    } finally {
      subscriber
        ?.close()
        .catch((error: unknown) =>
          this.#options.log.debug(
            { code: 'database_connection_end_failed', err: error },
            'the notification connection did not end cleanly',
          ),
        );
    }
  }

  /** Throws if a file that the connection string names cannot be read. */
  #subscriber(): Subscriber {
    const { databaseUrl, channels, name = channels.join(' ') } = this.#options;
    return pgListen.default(connectionSettings(databaseUrl, `link-service listen ${name}`, LIMITS), {
      retryLimit: 1,
      paranoidChecking: CHECK_INTERVAL_MS,
      parse: (payload) => payload,
    });
  }

  async #listen(subscriber: Subscriber): Promise<void> {
    await subscriber.connect();
    for (const channel of this.#options.channels) await subscriber.listenTo(channel);
    this.#connections += 1;
    this.#become('listening');
    this.#options.onHint();
  }

  #onNotification(payload: unknown): void {
    this.#notifications += 1;
    if (typeof payload === 'string') this.#options.onText?.(payload);
    this.#options.onHint();
  }
}
