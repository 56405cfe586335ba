import pg from 'pg';

/** Time to reach PostgreSQL and log in. */
const CONNECT_MS_MAX = 5000;

/**
 * A connection that a part of the engine owns alone. Whoever makes one ends it with `endConnection`, whatever happened.
 * `queryMs` bounds every statement: a peer that is gone without a word would otherwise be waited for until TCP gives up.
 */
export function createConnection(databaseUrl: string, part: string, queryMs: number): pg.Client {
  return new pg.Client({
    connectionString: databaseUrl,
    application_name: `link-service ${part}`,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    query_timeout: queryMs,
    keepAlive: true,
  });
}

/** Ends the connection at once and without waiting: a statement under way fails, a dead peer is not asked. */
export function endConnection(client: pg.Client, onError: (error: unknown) => void): void {
  client.end().catch(onError);
}
