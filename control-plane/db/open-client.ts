import type pg from 'pg';
import { clientClass } from '../../shared/net/pooled-client.js';
import { DatabaseUnavailableError } from './database.js';

/** How long a single connection may take. Nothing waits for it but a command or a start, which may do so on a busy machine. */
const CLIENT_CONNECT_TIMEOUT_MS = 10_000;

export interface ClientLimits {
  readonly connectMs?: number;
  /** How long each statement may take; without it, as long as it needs. */
  readonly queryMs?: number;
}

/**
 * Opens a single connection. If it breaks, the current or the next statement fails. Throws `DatabaseUnavailableError`, also if the server
 * accepts the connection and does not reply.
 */
export async function openClient(
  connectionString: string,
  { connectMs = CLIENT_CONNECT_TIMEOUT_MS, queryMs }: ClientLimits = {},
): Promise<pg.Client> {
  const client = new (clientClass(connectionString))({
    connectionString,
    connectionTimeoutMillis: connectMs,
    ...(queryMs === undefined ? {} : { query_timeout: queryMs }),
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    throw new DatabaseUnavailableError('cannot connect to PostgreSQL', { cause: error });
  }
}
