import type pg from 'pg';
import { clientClass } from '../../shared/net/pooled-client.js';

/**
 * Creates a connection that one part of the engine owns alone. That part must end it with `endConnection`, whatever happened.
 * `queryMs` limits every statement: otherwise a peer that disappeared silently would be waited for until TCP gives up.
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

/** Ends the connection immediately and without waiting: a statement in progress fails, and a dead peer does not delay it. */
export function endConnection(client: pg.Client, onError: (error: unknown) => void): void {
  client.end().catch(onError);
}
