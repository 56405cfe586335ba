import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { InvariantError } from '../../shared/base/invariant.js';
import { clientClass } from '../../shared/net/pooled-client.js';
import { beginSpan } from '../../shared/tracing/tracer.js';

/** One statement. Hot ones carry a name and are prepared once per connection. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

export interface Rows<Row> {
  readonly rows: readonly Row[];
  readonly rowCount: number;
}

/** What an sql function needs: it neither opens nor ends a transaction. */
export interface Queryable {
  query<Row>(statement: Statement): Promise<Rows<Row>>;
}

/** What comes after a piece waits for the promise that it is answered with. */
export type TakeChunk = (chunk: Buffer) => Promise<void> | undefined;

export interface Database extends Queryable {
  /** Runs `work` in one transaction, committed when it answers and rolled back when it throws. Inside a transaction it joins that one. */
  transaction<Result>(work: (database: Database) => Promise<Result>): Promise<Result>;
  /** Runs a `COPY ... TO STDOUT` and passes on what comes, in pieces that keep to no boundary. */
  copyOut(text: string, take: TakeChunk): Promise<void>;
}

/** PostgreSQL cannot be reached, went away, or took too long. Whether the statement had an effect is not known. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
}

/**
 * What the driver or PostgreSQL said, in one line. A name with several addresses has an error for each, and none of its own
 * (AggregateError).
 */
export function reasonOf(error: unknown): string {
  if (error instanceof DatabaseUnavailableError && error.cause !== undefined) return reasonOf(error.cause);
  if (error instanceof AggregateError && error.errors.length > 0) return [...new Set(error.errors.map(reasonOf))].join(', ');
  const { message, code } = error as NodeJS.ErrnoException;
  return message || (code ?? 'unknown');
}

/**
 * SQLSTATE classes and codes (PostgreSQL, appendix A) that speak of the server and not of the statement: connections,
 * resources, interventions, its system; time-outs of idle transactions, a server that is read-only because it is the
 * standby since a failover (25006; 55000 where the statement takes a lock, 0A000 where it reads an unlogged table), prepared statements
 * whose tables a migration has changed (0A000), and transactions that met others.
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

/** SQLSTATE invalid_regular_expression. */
export function isInvalidRegularExpression(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '2201B';
}

/** SQLSTATE query_canceled: the statement took longer than it may. */
export function isStatementTimeout(error: unknown): boolean {
  return error instanceof DatabaseUnavailableError && error.cause instanceof pg.DatabaseError && error.cause.code === '57014';
}

/** SQLSTATE lock_not_available: the lock was not to be had within lock_timeout. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof DatabaseUnavailableError && error.cause instanceof pg.DatabaseError && error.cause.code === '55P03';
}

/** How long a handler waits for a connection, and for one statement; then the caller gets 503 rather than a hang. */
const CONNECT_TIMEOUT_MS = 2_000;
export const STATEMENT_TIMEOUT_MS = 5_000;

/** `onLost` is called for every connection that breaks, whether idle or in use; the work on it fails by itself. */
export function createPool(connectionString: string, connections: number, name: string, onLost: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    Client: clientClass(connectionString),
    max: connections,
    application_name: name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    // The server enforces the first; the client gives up by itself where the network swallows the answer.
    query_timeout: STATEMENT_TIMEOUT_MS + 1_000,
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
  });
  // pg-pool listens only while a connection is idle: one that breaks in use, between two statements of a transaction say,
  // would end the process by an 'error' event that nobody hears.
  pool.on('connect', (client) => client.on('error', onLost));
  // Repeats the same errors, of connections that were idle.
  pool.on('error', () => {});
  return pool;
}

/** A statement that takes longer than this is taken for one that hangs. */
const LONG_STATEMENT_TIMEOUT_MS = 3_600_000;

/**
 * Settings of sessions that hold locks of their own: the server notices within 25 s that their host is gone, which may not have said so.
 * By default it takes two hours, in which nobody else has the locks.
 */
export const NOTICE_LOST_HOST =
  'SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3; SET tcp_user_timeout = 20000';

/**
 * Connections, usually one, for work that may take its time: a command of the operator, the counting of clicks. They are the server's own,
 * not those of a PgBouncer.
 */
export function createLongStatementPool(connectionString: string, name: string, onLost: (error: Error) => void, connections = 1): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: connections,
    application_name: name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: LONG_STATEMENT_TIMEOUT_MS,
    query_timeout: LONG_STATEMENT_TIMEOUT_MS + 1_000,
    keepAlive: true,
    onConnect: async (client) => {
      await client.query(NOTICE_LOST_HOST);
    },
  });
  pool.on('connect', (client) => client.on('error', onLost));
  // Repeats the same errors; the next statement fails with the same cause and reports it.
  pool.on('error', () => {});
  return pool;
}

/** An error that ends the session speaks of the server too: PgBouncer hands on so, in answer to a statement, why it got no session (28000, say). */
const ENDING_SEVERITIES = new Set(['FATAL', 'PANIC']);

/**
 * The error as what it means to a caller. An error with a SQLSTATE is PostgreSQL's word on the statement, unless its
 * class or severity speaks of the server; a programming error of ours stays what it is; whatever else comes out of the driver is the
 * connection's (the driver's time-outs and lost connections carry no code).
 */
function classify(error: unknown): unknown {
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
  // The driver sets its time-out in the place of this callback, and stops it there; pg-copy-streams never calls it.
  const copy: AsyncIterable<Buffer> & { readonly callback?: () => void } = client.query(copyTo(text));
  try {
    for await (const chunk of copy) {
      const taken = take(chunk);
      if (taken !== undefined) await taken;
    }
  } catch (error) {
    throw classify(error);
  } finally {
    copy.callback?.();
  }
}

/** One connection of its own, of which the statement under way or the next one fails if it breaks. Throws `DatabaseUnavailableError`. */
export async function openClient(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    throw new DatabaseUnavailableError('cannot connect to PostgreSQL', { cause: error });
  }
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    // Whatever keeps a connection from being made, a wrong password too, leaves the caller without a database.
    throw new DatabaseUnavailableError('cannot connect to PostgreSQL', { cause: error });
  }
}

/** A connection that failed in an unknown state is closed, not reused. */
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
        // The first error is the caller's; this one only says that the connection is of no more use.
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
