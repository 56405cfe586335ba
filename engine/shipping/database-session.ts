import type pg from 'pg';
import { clientClass } from '../../shared/net/pooled-client.js';

/** A server that does not respond within this time is considered gone. */
const CONNECT_TIMEOUT_MS = 5_000;
/**
 * No statement of the flusher takes a hundredth of this time. A session that is stuck on the server ends after it, and releases
 * its locks.
 */
const STATEMENT_TIMEOUT_MS = 30_000;
/** Limits how long a flusher that was suspended in the middle of a transaction holds up others. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;

/** One connection at a time: opened when needed, discarded after any failure. */
export class DatabaseSession {
  readonly #databaseUrl: string;
  readonly #name: string;
  #client: pg.Client | null = null;

  constructor(databaseUrl: string, name: string) {
    this.#databaseUrl = databaseUrl;
    this.#name = name;
  }

  /** Returns the open connection, or a new one. */
  async client(): Promise<pg.Client> {
    if (this.#client !== null) return this.#client;
    const client = new (clientClass(this.#databaseUrl))({
      connectionString: this.#databaseUrl,
      application_name: this.#name,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    });
    // The connection broke while idle. The next use opens another one.
    client.on('error', () => {
      if (this.#client === client) this.#client = null;
    });
    try {
      await client.connect();
    } catch (error) {
      // If the login failed or timed out, the socket may still be open.
      client.end().catch(() => undefined);
      throw error;
    }
    this.#client = client;
    return client;
  }

  /** Ends the connection. Anything under way on it fails. Does not wait, because the other side may be gone. */
  discard(): void {
    const client = this.#client;
    this.#client = null;
    // The connection is discarded, so its errors are of no interest.
    client?.end().catch(() => undefined);
  }
}
