import type pg from 'pg';
import { clientClass } from '../../shared/net/pooled-client.js';

/** Time limits of a connection, in milliseconds. Those that are absent do not apply. */
export interface ConnectionLimits {
  /** To reach PostgreSQL and log in; 5 s by default. */
  readonly connectMs?: number;
  /** For an answer to a statement. Without it, a peer that disappeared silently is waited for until TCP gives up. */
  readonly queryMs?: number;
  /** After which the server ends a statement, and a session that is idle in a transaction. */
  readonly statementMs?: number;
  readonly idleInTransactionMs?: number;
}

const CONNECT_MS_MAX = 5000;

/** Returns the settings that all connections of the engine have. `name` is for PostgreSQL's list of connections. */
export function connectionSettings(databaseUrl: string, name: string, limits: ConnectionLimits): pg.ClientConfig {
  return {
    connectionString: databaseUrl,
    application_name: name,
    connectionTimeoutMillis: limits.connectMs ?? CONNECT_MS_MAX,
    query_timeout: limits.queryMs,
    statement_timeout: limits.statementMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionMs,
    keepAlive: true,
  };
}

/** Creates a connection that one part of the engine owns alone. That part must end it with `endConnection`, whatever happened. */
export function createConnection(databaseUrl: string, name: string, limits: ConnectionLimits): pg.Client {
  return new (clientClass(databaseUrl))(connectionSettings(databaseUrl, name, limits));
}

/** Ends the connection immediately and without waiting: a statement in progress fails, and a dead peer does not delay it. */
export function endConnection(client: pg.Client, onError: (error: unknown) => void): void {
  client.end().catch(onError);
}
