import type pg from 'pg';
import { backoffMs } from '../../shared/base/backoff.js';
import type { Logger } from '../../shared/base/log.js';
import { createWake, pause } from '../../shared/base/wake.js';
import { createConnection, endConnection } from '../sql/connection.js';

/**
 * Keeps one connection that LISTENs, and passes every notification on as a hint, without looking at what it says: the
 * hint's only meaning is "read now".
 *
 * States: `stopped` -> `connecting` -> `listening` -> `waiting` (the connection was lost or refused; until the next
 * attempt) -> `connecting` ... -> `stopped`. Notifications sent in any state but `listening` are lost, so `onHint` is
 * also called each time listening begins: whoever reads then misses nothing.
 *
 * Whether the server still counts the connection as a listener cannot be asked of a connection. The owner finds out by
 * its own polls and calls `restart`.
 */
export type ListenerState = 'stopped' | 'connecting' | 'listening' | 'waiting';

export interface ListenerOptions {
  readonly databaseUrl: string;
  readonly channel: string;
  readonly log: Logger;
  readonly random: () => number;
  readonly onHint: () => void;
}

const RETRY_BASE_MS = 50;
const RETRY_MS_MAX = 2000;
const LISTEN_MS_MAX = 5000;

export class Listener {
  readonly #options: ListenerOptions;
  readonly #wake = createWake();
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
    this.#stopping = false;
    this.#loop = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#wake.raise();
    await this.#loop;
  }

  /** Throws the connection away and makes another one. */
  restart(): void {
    this.#restarting = true;
    this.#wake.raise();
  }

  stats(): { readonly state: ListenerState; readonly connections: number; readonly notifications: number } {
    return { state: this.#state, connections: this.#connections, notifications: this.#notifications };
  }

  async #run(): Promise<void> {
    let attempts = 0;
    while (!this.#stopping) {
      this.#state = 'connecting';
      const listened = await this.#listenUntilLost();
      attempts = listened ? 0 : attempts + 1;
      if (this.#stopping) break;
      this.#state = 'waiting';
      await pause(this.#wake, backoffMs(attempts, RETRY_BASE_MS, RETRY_MS_MAX, this.#options.random), () => this.#stopping);
    }
    this.#state = 'stopped';
  }

  /** Resolves when the connection is over, for whatever reason. Answers whether it had come to listening. */
  async #listenUntilLost(): Promise<boolean> {
    const client = createConnection(this.#options.databaseUrl, `listen ${this.#options.channel}`, LISTEN_MS_MAX);
    let lost = false;
    const onLost = (error?: Error) => {
      if (error !== undefined) this.#options.log.warn({ err: error }, 'the notification connection was lost');
      lost = true;
      this.#wake.raise();
    };
    client.on('error', onLost);
    client.on('end', () => onLost());
    client.on('notification', () => this.#onNotification());
    try {
      await this.#listen(client);
      this.#restarting = false;
      while (!lost && !this.#stopping && !this.#restarting) await this.#wake.wait(60_000);
      return true;
    } catch (error) {
      this.#options.log.warn({ err: error }, 'notifications cannot be received; polling goes on');
      return false;
    } finally {
      endConnection(client, (error) => this.#options.log.debug({ err: error }, 'the notification connection did not end cleanly'));
    }
  }

  async #listen(client: pg.Client): Promise<void> {
    await client.connect();
    await client.query(`LISTEN ${client.escapeIdentifier(this.#options.channel)}`);
    this.#connections += 1;
    this.#state = 'listening';
    this.#options.onHint();
  }

  #onNotification(): void {
    this.#notifications += 1;
    this.#options.onHint();
  }
}
