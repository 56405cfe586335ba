import pg from 'pg';
import { reasonOf } from '../../control-plane/db/database.js';
import { within } from '../local/within.js';

/**
 * What is at the other end of a connection string: `direct`, the server itself; `session`, a pooler that gives each client a
 * session for as long as it is connected; `transaction`, one that gives each transaction any session.
 */
export type Way = 'direct' | 'session' | 'transaction';

export interface WayFact {
  readonly way: Way;
  /** Names one database of one server, since its start. */
  readonly server: string;
}

/** Why it cannot be used, where nothing can be said of it. */
export type WayOrFault = WayFact | { readonly fault: string };

const TIMEOUT_MS = 3_000;
const ALL_TIMEOUT_MS = 10_000;
/** A pooler that hands its sessions out in turn shows itself in the first of them, unless others ask it at that moment. */
const ROUNDS = 5;

/** As a finding needs it: nothing is thrown but faults of the program. */
export async function wayOrFault(connectionString: string): Promise<WayOrFault> {
  try {
    return (await within(ALL_TIMEOUT_MS, readWay(connectionString))) ?? { fault: `no reply within ${ALL_TIMEOUT_MS / 1000} s` };
  } catch (error) {
    if (error instanceof TypeError && !('code' in error)) throw error;
    return { fault: reasonOf(error) };
  }
}

/**
 * A pooler cannot know which session a client will have, so that it makes up the number of the process that it names at the start.
 * Whether sessions are shared shows while a second client has a transaction open: it has got the session of the first one, or
 * the first one gets another. Nothing is written. Throws what the driver throws.
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

/** The driver keeps the number that the start named, and its types leave it out. */
type Client = pg.Client & { readonly processID: number };

/** Without limits in the parameters of the start, for which PgBouncer refuses a client. */
async function open(connectionString: string): Promise<Client> {
  const client = new pg.Client({
    connectionString,
    application_name: 'linkd-doctor',
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  client.on('error', () => undefined); // the statement under way, or the next one, fails
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
    // Asked first: where there is one session for all, the first client would wait for it.
    if ((await backendOf(other)).pid === before.pid) return true;
    return (await backendOf(client)).pid !== before.pid;
  } finally {
    await other.query('ROLLBACK');
  }
}
