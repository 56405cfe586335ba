import type { Duplex, Readable } from 'node:stream';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { InvariantError } from '../../shared/base/invariant.js';
import { clientClass } from '../../shared/net/pooled-client.js';
import { beginSpan } from '../../shared/tracing/tracer.js';

/** A statement. Those on the hot path have a name, and are prepared once per connection. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

export interface Rows<Row> {
  readonly rows: readonly Row[];
  readonly rowCount: number;
}

/** The part of a database that SQL functions need. They neither begin nor end transactions. */
export interface Queryable {
  query<Row>(statement: Statement): Promise<Rows<Row>>;
}

/** Takes a chunk. If it returns a promise, the next chunk is read after that has resolved. */
export type TakeChunk = (chunk: Buffer) => Promise<void> | undefined;

export interface Database extends Queryable {
  /** Runs `work` in a transaction. Commits when it resolves, and rolls back when it throws. Within a transaction, it joins that one. */
  transaction<Result>(work: (database: Database) => Promise<Result>): Promise<Result>;
  /** Runs a `COPY ... TO STDOUT`, and passes its output on in chunks that do not end at row boundaries. */
  copyOut(text: string, take: TakeChunk): Promise<void>;
}

/** A database that is only read. */
export type Snapshot = Pick<Database, 'query' | 'copyOut'>;

/** PostgreSQL cannot be reached, closed the connection, or took too long. It is unknown whether the statement had an effect. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
}

/**
 * Returns the message of the driver or of PostgreSQL in one line. If a host name has several addresses, the error is an AggregateError
 * with an error for each of them, and no message.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof DatabaseUnavailableError && error.cause !== undefined) return reasonOf(error.cause);
  if (error instanceof AggregateError && error.errors.length > 0) return [...new Set(error.errors.map(reasonOf))].join(', ');
  const { message, code } = error as NodeJS.ErrnoException;
  return message || (code ?? 'unknown');
}

/**
 * SQLSTATE classes and codes (PostgreSQL, appendix A) that concern the server and not the statement: connections, resources,
 * interventions, its system; time-outs of idle transactions; a server that is read-only because it is a standby since a failover (25006;
 * 55000 if the statement takes a lock, 0A000 if it reads an unlogged table); prepared statements whose tables a migration has changed
 * (0A000); and transactions that conflict with others.
 */
const UNAVAILABLE_CLASSES = new Set(['08', '53', '57', '58']);
const UNAVAILABLE_CODES = new Set(['0A000', '25006', '25P03', '25P04', '40001', '40P01', '55000', '55P03']);

/** SQLSTATE unique_violation. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505';
}

/** SQLSTATE undefined_table. */
export function isUndefinedTable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '42P01';
}

/** SQLSTATE undefined_table, undefined_column and undefined_function: the schema is not the one that the statement is for. */
const OTHER_SCHEMA_CODES = new Set(['42P01', '42703', '42883']);

/** Whether the statement names what the schema does not have, as before the migrations of the release have run. */
export function isOfOtherSchema(error: unknown): boolean {
  return error instanceof pg.DatabaseError && OTHER_SCHEMA_CODES.has(error.code ?? '');
}

/** SQLSTATE invalid_regular_expression. */
export function isInvalidRegularExpression(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '2201B';
}

/** SQLSTATE query_canceled: the statement exceeded its timeout. */
export function isStatementTimeout(error: unknown): boolean {
  return error instanceof DatabaseUnavailableError && error.cause instanceof pg.DatabaseError && error.cause.code === '57014';
}

/** SQLSTATE lock_not_available: the lock could not be taken within lock_timeout. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof DatabaseUnavailableError && error.cause instanceof pg.DatabaseError && error.cause.code === '55P03';
}

/** How long a handler waits for a connection, and for one statement. After that, the caller gets 503 instead of waiting on. */
const CONNECT_TIMEOUT_MS = 2_000;
export const STATEMENT_TIMEOUT_MS = 5_000;

/**
 * PostgreSQL compiles statements that it believes to be expensive, if it was built so. With 1.5 million clicks that made every statistic
 * slower, by a fifth to a half. A PgBouncer gives the setting to one of its sessions, and over time to all.
 */
const NO_JIT = 'SET jit = off';

/** `onLost` is called for every connection that breaks, whether idle or in use. Work on it fails independently of that. */
export function createPool(connectionString: string, connections: number, name: string, onLost: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    Client: clientClass(connectionString),
    max: connections,
    application_name: name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    // The server enforces `statement_timeout`. The client gives up by itself if the network loses the response.
    query_timeout: STATEMENT_TIMEOUT_MS + 1_000,
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
    onConnect: async (client) => void (await client.query(NO_JIT)),
  });
  return withLossesTold(pool, onLost);
}

/** The next statement fails with the same cause, and reports it. */
function withLossesTold(pool: pg.Pool, onLost: (error: Error) => void): pg.Pool {
  // pg-pool listens for errors only while a connection is idle. One that breaks in use, for example between two statements of a
  // transaction, would end the process by an unhandled 'error' event.
  pool.on('connect', (client) => client.on('error', onLost));
  // The pool emits the same errors again for connections that were idle.
  pool.on('error', () => {});
  return pool;
}

/** A statement that takes longer than this is considered to hang. */
const LONG_STATEMENT_TIMEOUT_MS = 3_600_000;

/**
 * Settings of sessions that hold session locks. With them, the server notices within 25 s that the client's host has failed without closing
 * the connection. By default it takes two hours, during which nobody else can take the locks.
 */
export const NOTICE_LOST_HOST =
  'SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3; SET tcp_user_timeout = 20000';

/**
 * Creates a pool, usually of one connection, for work that may take long, such as an operator's command or the counting of clicks. It must
 * connect to the server directly, not through a PgBouncer.
 */
export function createLongStatementPool(connectionString: string, name: string, onLost: (error: Error) => void, connections = 1): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    Client: clientClass(connectionString),
    max: connections,
    application_name: name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: LONG_STATEMENT_TIMEOUT_MS,
    query_timeout: LONG_STATEMENT_TIMEOUT_MS + 1_000,
    keepAlive: true,
    onConnect: async (client) => {
      await client.query(`${NO_JIT}; ${NOTICE_LOST_HOST}`);
    },
  });
  return withLossesTold(pool, onLost);
}

/** An error that ends the session concerns the server too. PgBouncer reports in this way why it got no session (for example 28000). */
const ENDING_SEVERITIES = new Set(['FATAL', 'PANIC']);

/**
 * Converts an error to what it means to a caller. An error with a SQLSTATE concerns the statement, unless its class or severity concerns
 * the server. A programming error of ours is returned as it is. Any other error from the driver concerns the connection (the driver's
 * time-outs and lost connections have no code).
 */
export function classify(error: unknown): unknown {
  if (error instanceof pg.DatabaseError) {
    const code = error.code ?? '';
    const isOfServer =
      UNAVAILABLE_CLASSES.has(code.slice(0, 2)) || UNAVAILABLE_CODES.has(code) || ENDING_SEVERITIES.has(error.severity ?? '');
    return isOfServer ? new DatabaseUnavailableError('PostgreSQL refused the statement', { cause: error }) : error;
  }
  if (error instanceof TypeError || error instanceof RangeError || error instanceof InvariantError) return error;
  return new DatabaseUnavailableError('lost PostgreSQL', { cause: error });
}

async function run<Row>(client: pg.PoolClient, statement: Statement): Promise<Rows<Row>> {
  const { name, text, values } = statement;
  const span = beginSpan(() => ({
    name: name ?? commandOf(text),
    kind: 'part',
    attributes: { 'db.system.name': 'postgresql', 'db.query.summary': name ?? commandOf(text) },
  }));
  try {
    const result = await client.query<Row & pg.QueryResultRow>({
      text,
      values: values as unknown[],
      ...(name === undefined ? {} : { name }),
    });
    return { rows: result.rows, rowCount: result.rowCount ?? 0 };
  } catch (error) {
    span?.fail(error instanceof pg.DatabaseError ? (error.code ?? 'unknown') : 'connection');
    throw classify(error);
  } finally {
    span?.end();
  }
}

/** `SELECT`, `COMMIT`: the first word of a statement. */
function commandOf(text: string): string {
  return /\w+/.exec(text)?.[0] ?? 'statement';
}

async function runCopyOut(client: pg.PoolClient, text: string, take: TakeChunk): Promise<void> {
  // The driver replaces this callback by one that stops its timeout, but pg-copy-streams never calls it. It keeps the connection.
  const copy: Readable & { readonly callback?: () => void; readonly connection?: { readonly stream: Duplex } } = client.query(copyTo(text));
  let isTaking = false;
  try {
    for await (const chunk of copy) {
      isTaking = true;
      await take(chunk as Buffer);
      isTaking = false;
    }
  } catch (error) {
    if (isTaking || !(error instanceof pg.DatabaseError)) await close(copy, copy.connection?.stream);
    throw isTaking ? error : classify(error);
  } finally {
    copy.callback?.();
  }
}

/** Closes the connection of a COPY that was not read to its end. No other statement would be answered before the rest of it was read. */
async function close(copy: Readable, stream: Duplex | undefined): Promise<void> {
  // The driver tells the COPY as well that its connection is lost.
  copy.on('error', () => {});
  if (stream === undefined || stream.closed) return;
  await new Promise((resolve) => stream.once('close', resolve).destroy());
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    // Whatever prevents a connection, even a wrong password, leaves the caller without a database.
    throw new DatabaseUnavailableError('cannot connect to PostgreSQL', { cause: error });
  }
}

/** Returns the connection to the pool. If it failed and its state is unknown, it is closed instead of reused. */
function release(client: pg.PoolClient, error: unknown): void {
  client.release(error instanceof DatabaseUnavailableError);
}

function joined(client: pg.PoolClient): Database {
  const database: Database = {
    query: (statement) => run(client, statement),
    copyOut: (text, take) => runCopyOut(client, text, take),
    transaction: (work) => work(database),
  };
  return database;
}

async function transaction<Result>(pool: pg.Pool, work: (database: Database) => Promise<Result>): Promise<Result> {
  const client = await connect(pool);
  let failure: unknown = null;
  try {
    await run(client, { text: 'BEGIN', values: [] });
    const result = await work(joined(client));
    await run(client, { text: 'COMMIT', values: [] });
    return result;
  } catch (error) {
    failure = error;
    if (!(error instanceof DatabaseUnavailableError))
      await run(client, { text: 'ROLLBACK', values: [] }).catch((rollbackError: unknown) => {
        // The caller gets the first error. This one only means that the connection cannot be reused.
        failure = rollbackError;
      });
    throw error;
  } finally {
    release(client, failure);
  }
}

async function withClient<Result>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
  const client = await connect(pool);
  let failure: unknown = null;
  try {
    return await work(client);
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    release(client, failure);
  }
}

export function createDatabase(pool: pg.Pool): Database {
  return {
    query: <Row>(statement: Statement) => withClient(pool, (client) => run<Row>(client, statement)),
    copyOut: (text, take) => withClient(pool, (client) => runCopyOut(client, text, take)),
    transaction: (work) => transaction(pool, work),
  };
}
