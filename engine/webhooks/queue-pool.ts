import pg from 'pg';
import { clientClass } from '../../shared/net/pooled-client.js';
import { connectionSettings } from '../database/connection.js';

/**
 * The connections of the queue. Every statement on them reads or writes a few rows that it finds by an index. The planner knows
 * too little about tables that are empty at one moment and hold a million rows at the next: on a fresh partition it chose a hash
 * join over every partition of the log. So these connections may use only indexes and nested loops. PostgreSQL before 18 adds the
 * price of what is forbidden to its estimates, and then compiles a statement for a second that runs for a millisecond: not here.
 */
const SESSION = `SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_seqscan = off; SET jit = off; SET idle_in_transaction_session_timeout = '10s'`;

/**
 * A statement of the queue takes milliseconds. The server gives up before the client does, so that it commits no claim that nobody
 * waits for any more.
 */
const STATEMENT_TIMEOUT_MS = 13_000;

/** One connection each for the writer, the janitor and the full scans, and two for a claim, which reads targets and bodies at once. */
const CONNECTIONS_MAX = 5;
/** The wait for a server that does not answer ends after this time, so that its return is noticed within 5 s. */
const CONNECT_TIMEOUT_MS = 2000;
const QUERY_TIMEOUT_MS = 15_000;

export function createQueuePool(databaseUrl: string, onError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({
    ...connectionSettings(databaseUrl, 'link-service webhooks', { connectMs: CONNECT_TIMEOUT_MS, queryMs: QUERY_TIMEOUT_MS }),
    Client: clientClass(databaseUrl),
    max: CONNECTIONS_MAX,
    onConnect: async (client) => {
      await client.query(`${SESSION}; SET statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
    },
  });
  // A connection that breaks between two statements of a transaction emits an 'error' event, and the pool listens only while a
  // connection is idle. Without a listener of its own, that event would end the process.
  pool.on('connect', (client) => client.on('error', onError));
  // The pool repeats the same errors for connections that were idle.
  pool.on('error', () => {});
  return pool;
}
