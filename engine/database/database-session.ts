import type pg from 'pg';
import type { Logger } from '../../shared/base/log.js';
import { type ConnectionLimits, createConnection, endConnection } from './connection.js';

export interface SessionOptions {
  readonly databaseUrl: string;
  /** For the log and for PostgreSQL's list of connections. */
  readonly name: string;
  readonly limits: ConnectionLimits;
  readonly log: Logger;
}

/** One connection at a time, which one part of the engine owns: opened when needed, discarded after any failure. */
export class DatabaseSession {
  readonly #options: SessionOptions;
  #client: pg.Client | null = null;
  /** Makes the attempt to open a connection fail; null if there is none. */
  #abort: ((error: Error) => void) | null = null;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#client !== null;
  }

  /** Returns the open connection, or a new one. Must not be called while one is being opened. */
  async client(): Promise<pg.Client> {
    if (this.#client !== null) return this.#client;
    const { databaseUrl, name, limits } = this.#options;
    const client = createConnection(databaseUrl, name, limits);
    client.on('error', (error) => this.#lose(client, error));
    // The driver resolves nothing if a connection is ended while it is being opened.
    const aborted = new Promise<never>((_, reject) => {
      this.#abort = reject;
    });
    try {
      await Promise.race([client.connect(), aborted]);
    } catch (error) {
      // If the login failed or timed out, the socket may still be open.
      this.#end(client);
      throw error;
    } finally {
      this.#abort = null;
    }
    this.#client = client;
    return client;
  }

  /** Ends the connection, or the attempt to open one. Anything under way on it fails. Does not wait, because the other side may be gone. */
  discard(): void {
    this.#abort?.(new Error('the connection was discarded while it was being opened'));
    if (this.#client !== null) this.#end(this.#client);
    this.#client = null;
  }

  /** The connection broke, perhaps while idle. The next use opens another one. */
  #lose(client: pg.Client, error: Error): void {
    if (this.#client !== client) return;
    this.#client = null;
    this.#options.log.warn({ code: 'database_connection_lost', err: error, connection: this.#options.name }, 'a connection was lost');
  }

  #end(client: pg.Client): void {
    const { log, name } = this.#options;
    endConnection(client, (error) =>
      log.debug({ code: 'database_connection_end_failed', err: error, connection: name }, 'a connection did not end cleanly'),
    );
  }
}
