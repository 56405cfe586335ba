import type pg from 'pg';
import { reasonOf } from '../../control-plane/db/database.js';
import { within } from '../../shared/base/within.js';
import { clientClass } from '../../shared/net/pooled-client.js';

/**
 * What is at the other end of a connection string: `direct`, the server itself; `session`, a pooler that assigns a session to each client
 * for as long as it is connected; `transaction`, a pooler that assigns any session to each transaction.
 */
export type Way = 'direct' | 'session' | 'transaction';

export interface WayFact {
  readonly way: Way;
  /** Identifies one database of one server, since the server's start. */
  readonly server: string;
}

/** `fault` is why the connection string cannot be used. */
export type WayOrFault = WayFact | { readonly fault: string };

const TIMEOUT_MS = 3_000;
const ALL_TIMEOUT_MS = 10_000;
/** A pooler that hands out its sessions in turn is detected in the first round, unless other clients use it at that moment. */
const ROUNDS = 5;

/** Returns the result as a finding needs it. Throws only faults of the program. */
export async function wayOrFault(connectionString: string): Promise<WayOrFault> {
  try {
    return (await within(ALL_TIMEOUT_MS, readWay(connectionString))) ?? { fault: `no reply within ${ALL_TIMEOUT_MS / 1000} s` };
  } catch (error) {
    if (error instanceof TypeError && !('code' in error)) throw error;
    return { fault: reasonOf(error) };
  }
}

/**
 * A pooler cannot know in advance which session a client will get, so it makes up the process id that it sends at startup. Whether sessions
 * are shared becomes visible while a second client has a transaction open: either it has got the session of the first client, or the first
 * client gets another one. Nothing is written. Throws what the driver throws.
 */
export async function readWay(connectionString: string): Promise<WayFact> {
  const client = await open(connectionString);
  try {
    const { pid, server } = await backendOf(client);
    if (pid === client.processID) return { way: 'direct', server };
    return { way: (await sharesSessions(client, connectionString)) ? 'transaction' : 'session', server };
  } finally {
    await client.end();
  }
}

/** The driver keeps the process id from startup, but its types omit it. */
type Client = pg.Client & { readonly processID: number };

/** Without limits in the startup parameters, because PgBouncer refuses a client that sends them. */
async function open(connectionString: string): Promise<Client> {
  const client = new (clientClass(connectionString))({
    connectionString,
    application_name: 'linkd-doctor',
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  client.on('error', () => undefined); // the current statement, or the next one, fails
  await client.connect();
  return client as Client;
}

async function backendOf(client: pg.Client): Promise<{ readonly pid: number; readonly server: string }> {
  const { rows } = await client.query<{ pid: number; server: string }>(
    `SELECT pg_backend_pid() AS pid, current_database() || ' since ' || pg_postmaster_start_time() AS server`,
  );
  return rows[0] as { pid: number; server: string };
}

async function sharesSessions(client: pg.Client, connectionString: string): Promise<boolean> {
  const other = await open(connectionString);
  try {
    for (let round = 0; round < ROUNDS; round++) if (await changesSession(client, other)) return true;
    return false;
  } finally {
    await other.end();
  }
}

async function changesSession(client: pg.Client, other: pg.Client): Promise<boolean> {
  const before = await backendOf(client);
  await other.query('BEGIN');
  try {
    // Queried first: if all clients share a single session, the first client would wait for it.
    if ((await backendOf(other)).pid === before.pid) return true;
    return (await backendOf(client)).pid !== before.pid;
  } finally {
    await other.query('ROLLBACK');
  }
}
