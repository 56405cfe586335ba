import type pg from 'pg';
import { clientClass } from '../../shared/net/pooled-client.js';

/**
 * A connection that a part of the engine owns alone. The part that makes one ends it with `endConnection`, whatever happened.
 * `queryMs` bounds every statement: a peer that is gone without a word would otherwise be waited for until TCP gives up.
 * `connectMs` is the time to reach PostgreSQL and log in.
 */
export function createConnection(databaseUrl: string, part: string, queryMs: number, connectMs = 5000): pg.Client {
  return new (clientClass(databaseUrl))({
    connectionString: databaseUrl,
    application_name: `link-service ${part}`,
    connectionTimeoutMillis: connectMs,
    query_timeout: queryMs,
    keepAlive: true,
  });
}

/** Ends the connection at once and without waiting: a statement under way fails, a dead peer is not asked. */
export function endConnection(client: pg.Client, onError: (error: unknown) => void): void {
  client.end().catch(onError);
}
