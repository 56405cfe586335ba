import type pg from 'pg';
import { backoffMs } from '../../shared/base/backoff.js';
import type { Logger } from '../../shared/base/log.js';
import { assertTransition, type Predecessors } from '../../shared/base/transitions.js';
import { createConnection, endConnection } from './connection.js';

/**
 * A connection for queries whose callers prefer no answer to a late one.
 *
 * `opening`  The first attempt, or the one made immediately after a loss. Queries wait for it, because a server that
 *            only closed this connection accepts a new one within a few milliseconds.
 * `ready`    Queries are sent, one after the other. A loss, an error of the server or an answer that takes a second
 *            leads to `opening`.
 * `away`     That attempt failed. Queries are refused immediately while attempts continue with growing waits. The first
 *            that succeeds leads to `ready`.
 * `stopped`  Final.
 */
type ConnectionState =
  | { readonly kind: 'opening'; readonly opened: Promise<void> }
  | { readonly kind: 'ready'; readonly client: pg.Client }
  | { readonly kind: 'away' }
  | { readonly kind: 'stopped' };

/** PostgreSQL could not be queried, so nothing is known. */
export class LookupUnavailableError extends Error {
  override readonly name = 'LookupUnavailableError';
}

const LIMITS = { connectMs: 1000, queryMs: 1000 };
/** Waits between attempts: 100 ms doubling to 2 s. */
const RETRY_BASE_MS = 100;
const RETRY_MS_MAX = 2000;

export interface LookupConnectionOptions {
  readonly databaseUrl: string;
  /** The part that sends the queries, for the log and for PostgreSQL's list of connections. */
  readonly part: string;
  readonly log: Logger;
  readonly random: () => number;
}

const PREDECESSORS: Predecessors<ConnectionState['kind']> = {
  opening: ['ready'],
  ready: ['opening', 'away'],
  away: ['opening', 'away'],
  stopped: ['opening', 'ready', 'away', 'stopped'],
};

export class LookupConnection {
  readonly #options: LookupConnectionOptions;
  #state: ConnectionState;
  #retry: NodeJS.Timeout | null = null;
  /** The connection that is being opened or in use, so that a stop can end it. */
  #client: pg.Client | null = null;
  /** Settles when the query under way has ended. Never rejects. */
  #ended: Promise<unknown> = Promise.resolve();

  constructor(options: LookupConnectionOptions) {
    this.#options = options;
    this.#state = { kind: 'opening', opened: this.#open(0) };
  }

  kind(): ConnectionState['kind'] {
    return this.#state.kind;
  }

  /** Runs the query. Rejects with `LookupUnavailableError` if PostgreSQL could not be queried. */
  async ask<Value>(question: (client: pg.Client) => Promise<Value>): Promise<Value> {
    if (this.#state.kind === 'opening') await this.#state.opened;
    if (this.#state.kind !== 'ready') throw new LookupUnavailableError('PostgreSQL is away');
    const { client } = this.#state;
    // It waits here and not in the client, whose time limit would count the time of the queries before it.
    const answer = this.#ended.then(() => this.#run(client, question));
    this.#ended = answer.catch(() => undefined);
    return answer;
  }

  async #run<Value>(client: pg.Client, question: (client: pg.Client) => Promise<Value>): Promise<Value> {
    if (this.#state.kind !== 'ready' || this.#state.client !== client)
      throw new LookupUnavailableError('the connection was lost before the query was sent');
    try {
      return await question(client);
    } catch (error) {
      this.#lose(client, error);
      throw new LookupUnavailableError('PostgreSQL did not answer', { cause: error });
    }
  }

  stop(): void {
    this.#become({ kind: 'stopped' });
    if (this.#retry !== null) clearTimeout(this.#retry);
    if (this.#client !== null) this.#end(this.#client);
    this.#client = null;
  }

  /** Never rejects: the outcome is in the state. */
  async #open(attempts: number): Promise<void> {
    const client = createConnection(this.#options.databaseUrl, `link-service ${this.#options.part}`, LIMITS);
    this.#client = client;
    client.on('error', (error) => this.#lose(client, error));
    client.on('end', () => this.#lose(client, new Error('the connection was closed')));
    try {
      await client.connect();
    } catch (error) {
      this.#end(client);
      this.#retryLater(attempts, error);
      return;
    }
    // It was stopped, or the connection was lost again, while it was being opened.
    if (this.#state.kind === 'stopped' || this.#client !== client) this.#end(client);
    else this.#become({ kind: 'ready', client });
  }

  #retryLater(attempts: number, error: unknown): void {
    if (this.#state.kind === 'stopped') return;
    if (attempts === 0)
      this.#options.log.warn({ code: 'lookup_unavailable', err: error, part: this.#options.part }, 'PostgreSQL cannot be queried');
    this.#become({ kind: 'away' });
    const waitMs = backoffMs(attempts, RETRY_BASE_MS, RETRY_MS_MAX, this.#options.random);
    this.#retry = setTimeout(() => void this.#open(attempts + 1), waitMs);
    this.#retry.unref();
  }

  #lose(client: pg.Client, error: unknown): void {
    if (this.#state.kind !== 'ready' || this.#state.client !== client) return;
    this.#options.log.warn({ code: 'database_connection_lost', err: error, part: this.#options.part }, 'a connection for queries was lost');
    this.#end(client);
    this.#become({ kind: 'opening', opened: this.#open(0) });
  }

  #become(state: ConnectionState): void {
    assertTransition('a connection for questions', PREDECESSORS, this.#state.kind, state.kind);
    this.#state = state;
  }

  #end(client: pg.Client): void {
    endConnection(client, (error) =>
      this.#options.log.debug(
        { code: 'database_connection_end_failed', err: error, part: this.#options.part },
        'a connection did not end cleanly',
      ),
    );
  }
}
