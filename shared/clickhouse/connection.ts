import { Readable } from 'node:stream';
import { type ClickHouseClient, ClickHouseError, ClickHouseLogLevel, type ClickHouseSettings, createClient } from '@clickhouse/client';
import { InvariantError } from '../base/invariant.js';

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
  /** Timeout of a statement, on the server and while its answer is awaited. */
  readonly timeoutMs: number;
  /** The name of the client in system.query_log. */
  readonly application: string;
  readonly onStatement?: OnStatement;
  /** Maximum number of connections, each with one statement at a time. */
  readonly connections?: number;
}

/** How much longer than the server the client waits, because the server's error explains the cause better. */
const GRACE_MS = 1_000;
const CONNECTIONS_MAX = 16;
/** Less than the 256 KiB that the server accepts by default. */
const LONG_TEXT_CHARACTERS = 100_000;
/** Makes the server check whether the client is still there, which it does for statements that may change nothing. */
const CANCELLED_WITH_CONNECTION = { readonly: '2', cancel_http_readonly_queries_on_client_close: 1 } as const;

/** https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp: codes that concern the statement itself. */
const FAULTS_OF_STATEMENTS = new Set(['27', '36', '43', '46', '47', '53', '62', '386', '456']);

/** Statements to a ClickHouse server over HTTP. */
export class ClickHouse {
  readonly #client: ClickHouseClient;
  readonly #onStatement: OnStatement;

  constructor({ url, timeoutMs, application, onStatement = () => {}, connections = CONNECTIONS_MAX }: ClickHouseOptions) {
    this.#onStatement = onStatement;
    this.#client = createClient({
      url,
      application,
      request_timeout: timeoutMs + GRACE_MS,
      max_open_connections: connections,
      // Failures are reported by the errors that are thrown.
      log: { level: ClickHouseLogLevel.OFF },
      clickhouse_settings: { max_execution_time: Math.ceil(timeoutMs / 1000), output_format_json_quote_64bit_integers: 1 },
    });
  }

  /** Returns the rows of a SELECT; 64-bit numbers are returned as texts. Once `abort` is aborted, the server stops working on it. */
  rows<Row>(text: string, values: QueryValues = {}, abort?: AbortSignal): Promise<readonly Row[]> {
    return this.#measured('read', async () => {
      abort?.throwIfAborted();
      const answer = await this.#client.query({
        query: text,
        query_params: { ...values },
        format: 'JSONEachRow',
        clickhouse_settings: {
          ...sizeOf(text),
          ...(abort === undefined ? {} : CANCELLED_WITH_CONNECTION),
        },
        ...(abort === undefined ? {} : { abort_signal: abort }),
      });
      return (await answer.json()) as readonly Row[];
    });
  }

  /** Runs a statement without an answer. The statement has ended when this resolves. */
  async run(text: string, values: QueryValues = {}, settings: ClickHouseSettings = {}): Promise<void> {
    await this.#measured('change', () =>
      this.#client.command({
        query: text,
        query_params: { ...values },
        clickhouse_settings: { wait_end_of_query: 1, mutations_sync: '2', ...sizeOf(text), ...settings },
      }),
    );
  }

  /**
   * Inserts rows in RowBinary. Of insertions with one token only the first one counts, however often it is sent, as
   * long as the table remembers the token. Resolves when the rows are stored.
   */
  async insert(text: string, rows: readonly Buffer[], token: string, abort?: AbortSignal): Promise<void> {
    await this.#measured('insert', async () => {
      const { stream } = await this.#client.exec({
        query: text,
        values: Readable.from(rows, { objectMode: false }),
        ...(abort === undefined ? {} : { abort_signal: abort }),
        clickhouse_settings: {
          insert_deduplication_token: token,
          insert_deduplicate: 1,
          // One block, and with it one part. What another setting would put off would not be stored yet when it is answered.
          async_insert: 0,
          wait_end_of_query: 1,
          max_insert_block_size: '1048576',
        },
      });
      for await (const _ of stream);
    });
  }

  async close(): Promise<void> {
    await this.#client.close();
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
    const told = error instanceof Error ? error.message || String((error as NodeJS.ErrnoException).code) : String(error);
    throw new ClickHouseUnavailableError(`ClickHouse cannot be reached: ${told}`, { cause: error });
  }
}
