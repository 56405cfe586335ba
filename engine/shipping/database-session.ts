import type pg from 'pg';
import { clientClass } from '../../shared/net/pooled-client.js';

/** A server that says nothing for so long is taken for gone. */
const CONNECT_TIMEOUT_MS = 5_000;
/** No statement of the flusher takes a hundredth of it; a session that is stuck on the server ends, and lets go of its locks. */
const STATEMENT_TIMEOUT_MS = 30_000;
/** A flusher that was stopped in the middle of a transaction holds up nobody for longer. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;

/** One connection at a time: made when it is needed, thrown away after any failure. */
export class DatabaseSession {
  readonly #databaseUrl: string;
  readonly #name: string;
  #client: pg.Client | null = null;

  constructor(databaseUrl: string, name: string) {
    this.#databaseUrl = databaseUrl;
    this.#name = name;
  }

  /** The open connection, or a new one. */
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
    // A connection that breaks while nothing is asked of it: the next use makes another one.
    client.on('error', () => {
      if (this.#client === client) this.#client = null;
    });
    try {
      await client.connect();
    } catch (error) {
      // Where it is the login that failed or took too long, the socket may still be open.
      client.end().catch(() => undefined);
      throw error;
    }
    this.#client = client;
    return client;
  }

  /** Ends the connection, whatever is under way on it: that then fails. Waits for nothing: the other side may be gone. */
  discard(): void {
    const client = this.#client;
    this.#client = null;
    // The connection is thrown away: an error of it says nothing new.
    client?.end().catch(() => undefined);
  }
}
