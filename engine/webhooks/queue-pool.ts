import pg from 'pg';

/**
 * Connections of the queue. Every statement on them reads or writes a few rows it finds by an index. The planner knows
 * too little of tables that are empty at one moment and hold a million rows at the next: on a fresh partition it chose a
 * hash join over every partition of the log. So these connections may only use indexes and nested loops.
 */
const SESSION = `SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_seqscan = off; SET idle_in_transaction_session_timeout = '10s'`;

/** A statement of the queue takes milliseconds. The server gives up before we do, so that no claim is committed that nobody waits for any more. */
const STATEMENT_TIMEOUT_MS = 13_000;

/** One each for the writer, the janitor and the full scans, and two for a claim, which reads targets and bodies at once. */
const CONNECTIONS_MAX = 5;
/** A server that does not answer is given up after this time, so that a return is noticed within 5 s. */
const CONNECT_TIMEOUT_MS = 2000;
const QUERY_TIMEOUT_MS = 15_000;

export function createQueuePool(databaseUrl: string, onError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'link-service webhooks',
    onConnect: async (client) => {
      await client.query(`${SESSION}; SET statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
    },
  });
  // A connection that breaks between two statements of a transaction says so by an 'error' event, and the pool listens
  // only while a connection is idle: without a listener of its own that event would end the process.
  pool.on('connect', (client) => client.on('error', onError));
  // Repeats the same errors, for connections that were idle.
  pool.on('error', () => {});
  return pool;
}
