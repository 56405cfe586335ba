import { addAbortSignal, Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { type ClickHouseClient, ClickHouseError, ClickHouseLogLevel, type ClickHouseSettings, createClient } from '@clickhouse/client';
import { InvariantError } from '../base/invariant.js';
import { withDeadline } from '../base/with-deadline.js';

/** ClickHouse cannot be reached, went away, took too long or has no room. It is not known whether an insertion took effect. */
export class ClickHouseUnavailableError extends Error {
  override readonly name = 'ClickHouseUnavailableError';
}

/** Values of a statement's `{name:Type}`: they never become part of its text. */
export type QueryValues = Readonly<Record<string, string | number | boolean | readonly (string | number | bigint)[]>>;

/** Called when a statement has ended, with its kind, how long it took in seconds, and whether it succeeded. */
export type OnStatement = (kind: 'read' | 'change' | 'insert', seconds: number, ok: boolean) => void;

export interface ClickHouseOptions {
  /** CLICKHOUSE_URL: `https://user:password@host:8443/database`. */
  readonly url: string;
  /** Timeout of a statement, on the server and from its call to the end of its answer, with the time that it waits for a connection. */
  readonly timeoutMs: number;
  /** How long the server may take to answer anything before it is sent the first statement. If absent, it is not asked. */
  readonly firstAnswerMs?: number | undefined;
  /** The name of the client in system.query_log. */
  readonly application: string;
  readonly onStatement?: OnStatement;
  /** Maximum number of connections, each with one statement at a time. */
  readonly connections?: number;
}

/** How much longer than the server the client waits, because the server's error explains the cause better. */
const GRACE_MS = 1_000;
const CONNECTIONS_MAX = 16;
const TOLD_CHARACTERS_MAX = 200;
/** Less than the 256 KiB that the server accepts by default. */
const LONG_TEXT_CHARACTERS = 100_000;
/** Without this the server may have begun its answer, with status 200, when the statement fails. The failure would be one of the rows. */
const ANSWERED_AT_END = { wait_end_of_query: 1 } as const;
/** Makes the server check whether the client is still there, which it does for statements that may change nothing. */
const CANCELLED_WITH_CONNECTION = { readonly: '2', cancel_http_readonly_queries_on_client_close: 1 } as const;

/**
 * https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp: codes that concern the statement itself. An unknown
 * column (47) is not one of them: the table is perhaps that of another release.
 */
const FAULTS_OF_STATEMENTS = new Set(['27', '36', '43', '46', '53', '62', '386', '456']);

type ExecParams = Parameters<ClickHouseClient['exec']>[0];

/** Statements to a ClickHouse server over HTTP. */
export class ClickHouse {
  readonly #client: ClickHouseClient;
  readonly #onStatement: OnStatement;
  readonly #endsAfterMs: number;
  /** Null once the server has answered, or if it is not asked. */
  #firstAnswerMs: number | null;

  constructor({ url, timeoutMs, firstAnswerMs, application, onStatement = () => {}, connections = CONNECTIONS_MAX }: ClickHouseOptions) {
    this.#onStatement = onStatement;
    this.#firstAnswerMs = firstAnswerMs ?? null;
    this.#endsAfterMs = timeoutMs + GRACE_MS;
    this.#client = createClient({
      url,
      application,
      request_timeout: this.#endsAfterMs,
      max_open_connections: connections,
      // Failures are reported by the errors that are thrown.
      log: { level: ClickHouseLogLevel.OFF },
      clickhouse_settings: { max_execution_time: Math.ceil(timeoutMs / 1000), output_format_json_quote_64bit_integers: 1 },
    });
  }

  /** Returns the rows of a SELECT; 64-bit numbers are returned as texts. Once `abort` is aborted, the server stops working on it. */
  rows<Row>(text: string, values: QueryValues = {}, abort?: AbortSignal): Promise<readonly Row[]> {
    return this.#measured('read', async () => {
      const clickhouse_settings = { ...ANSWERED_AT_END, ...sizeOf(text), ...(abort === undefined ? {} : CANCELLED_WITH_CONNECTION) };
      return rowsOf<Row>(
        await this.#send({ query: `${text}\nFORMAT JSONEachRow`, query_params: { ...values }, clickhouse_settings }, abort),
      );
    });
  }

  /** Returns the row of a SELECT that always has one. An answer without it is not ClickHouse's, but perhaps that of a proxy. */
  async row<Row>(text: string, values: QueryValues = {}, abort?: AbortSignal): Promise<Row> {
    const [row] = await this.rows<Row>(text, values, abort);
    if (row === undefined) throw new ClickHouseUnavailableError('ClickHouse cannot be reached: the answer is empty');
    return row;
  }

  /** Runs a statement without an answer. The statement has ended when this resolves. */
  async run(text: string, values: QueryValues = {}, settings: ClickHouseSettings = {}): Promise<void> {
    await this.#measured('change', () =>
      this.#send({
        query: text,
        query_params: { ...values },
        clickhouse_settings: { ...ANSWERED_AT_END, mutations_sync: '2', ...sizeOf(text), ...settings },
      }),
    );
  }

  /**
   * Inserts rows in RowBinary. Of insertions with one token only the first one counts, however often it is sent, as
   * long as the table remembers the token. Resolves when the rows are stored.
   */
  async insert(text: string, rows: readonly Buffer[], token: string, abort?: AbortSignal): Promise<void> {
    await this.#measured('insert', async () => {
      const insertion = {
        query: text,
        values: Readable.from(rows, { objectMode: false }),
        clickhouse_settings: {
          ...ANSWERED_AT_END,
          insert_deduplication_token: token,
          insert_deduplicate: 1,
          // One block, and with it one part. What another setting would put off would not be stored yet when it is answered.
          async_insert: 0,
          max_insert_block_size: '1048576',
        },
      } as const;
      const told = await this.#send(insertion, abort);
      if (told !== '') throw new Error(`an insertion is answered without text, and not with ${told.slice(0, TOLD_CHARACTERS_MAX)}`);
    });
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  /** Returns the text of the answer. Ends when `abort` is aborted, or after the time that a statement may take. */
  async #send(statement: ExecParams, abort?: AbortSignal): Promise<string> {
    if (this.#firstAnswerMs !== null) await this.#exec({ query: 'SELECT 1' }, this.#firstAnswerMs, abort);
    this.#firstAnswerMs = null;
    return this.#exec(statement, this.#endsAfterMs, abort);
  }

  #exec(statement: ExecParams, endsAfterMs: number, abort?: AbortSignal): Promise<string> {
    return withDeadline(endsAfterMs, abort, async (signal) => {
      try {
        const { stream } = await this.#client.exec({ ...statement, abort_signal: signal });
        // The client no longer listens to the signal once the answer has begun.
        return await textOf(addAbortSignal(signal, stream));
      } catch (error) {
        throw signal.aborted && abort?.aborted !== true ? new Error(`no answer within ${endsAfterMs} ms`) : error;
      }
    });
  }

  async #measured<Result>(kind: Parameters<OnStatement>[0], work: () => Promise<Result>): Promise<Result> {
    const beganAt = performance.now();
    let ok = false;
    try {
      const result = await classified(work);
      ok = true;
      return result;
    } finally {
      this.#onStatement(kind, (performance.now() - beganAt) / 1000, ok);
    }
  }
}

/** Parses JSONEachRow. What ends within a row was cut off, perhaps by a proxy that ends it as if it were whole. */
function rowsOf<Row>(answer: string): readonly Row[] {
  if (answer === '') return [];
  if (!answer.endsWith('\n')) throw new Error('the answer ends within a row');
  return answer
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
}

/** The settings that a text of this size needs. */
function sizeOf(text: string): ClickHouseSettings {
  return text.length > LONG_TEXT_CHARACTERS ? { max_query_size: String(2 * text.length) } : {};
}

async function classified<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError || error instanceof InvariantError) throw error;
    if (error instanceof ClickHouseError && FAULTS_OF_STATEMENTS.has(error.code)) throw error;
    const told =
      error instanceof Error ? error.message || ((error as NodeJS.ErrnoException).code ?? 'an error without text') : String(error);
    const what = error instanceof ClickHouseError ? 'ClickHouse reports' : 'ClickHouse cannot be reached';
    throw new ClickHouseUnavailableError(`${what}: ${told.trim()}`, { cause: error });
  }
}
