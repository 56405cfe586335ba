import type pg from 'pg';
import type { Logger } from '../../shared/base/log.js';
import { createConnection, endConnection } from '../database/connection.js';

const QUERY_MS_MAX = 10_000;
/** A page of a bootstrap may have to be read from a disk that is busy with other work. */
const BOOTSTRAP_QUERY_MS_MAX = 60_000;

export interface SyncUrls {
  readonly databaseUrl: string;
  /** For connections that need no session of their own. */
  readonly pooledUrl: string;
}

/**
 * The connection that reads the feed, and the one of a bootstrap. The session of the latter holds the lock that is its turn, so
 * it must not come from a pool, which would share that session.
 */
export class SyncConnections {
  readonly #urls: SyncUrls;
  readonly #log: Logger;
  #feed: pg.Client | null = null;
  #bootstrap: pg.Client | null = null;

  constructor(urls: SyncUrls, log: Logger) {
    this.#urls = urls;
    this.#log = log;
  }

  /** Null before `openFeed`, and after `endAll`. */
  get feed(): pg.Client | null {
    return this.#feed;
  }

  async openFeed(): Promise<pg.Client> {
    this.#feed = await this.#connect(this.#urls.pooledUrl, 'sync', QUERY_MS_MAX);
    return this.#feed;
  }

  async openBootstrap(): Promise<pg.Client> {
    this.#bootstrap = await this.#connect(this.#urls.databaseUrl, 'bootstrap', BOOTSTRAP_QUERY_MS_MAX);
    return this.#bootstrap;
  }

  endBootstrap(): void {
    if (this.#bootstrap !== null) endConnection(this.#bootstrap, this.#onEndError);
    this.#bootstrap = null;
  }

  endAll(): void {
    if (this.#feed !== null) endConnection(this.#feed, this.#onEndError);
    this.#feed = null;
    this.endBootstrap();
  }

  async #connect(url: string, part: string, queryMs: number): Promise<pg.Client> {
    const client = createConnection(url, part, queryMs);
    // If the connection is lost between two statements, the next one fails.
    client.on('error', (error) =>
      this.#log.warn({ code: 'database_connection_lost', err: error }, 'a connection of the synchronisation was lost'),
    );
    try {
      await client.connect();
    } catch (error) {
      endConnection(client, this.#onEndError);
      throw error;
    }
    return client;
  }

  readonly #onEndError = (error: unknown): void => {
    this.#log.debug({ code: 'database_connection_end_failed', err: error }, 'a connection of the synchronisation did not end cleanly');
  };
}
