import pg from 'pg';
import { isPooled } from '../base/pooled-url.js';

/** Returns the class of clients for the URL: one that PgBouncer in transaction mode can serve, or the driver's own. */
export function clientClass(connectionString: string): typeof pg.Client {
  return isPooled(connectionString) ? PooledClient : pg.Client;
}

/** Parameters that the driver would send when it connects. PgBouncer refuses a session that has them. */
const SESSION_LIMITS = ['statement_timeout', 'idle_in_transaction_session_timeout'] as const;

/**
 * A client that keeps nothing in its session, because the next transaction may run in another one. Statements have no
 * names (PgBouncer before 1.21 does not carry prepared statements over), and time limits are set in each transaction,
 * in the message that begins it. Only the client's `query_timeout` limits a statement outside of transactions.
 */
class PooledClient extends pg.Client {
  readonly #limits: string;

  constructor(config: string | pg.ClientConfig = {}) {
    const given: pg.ClientConfig = typeof config === 'string' ? { connectionString: config } : config;
    super(Object.fromEntries(Object.entries(given).filter(([name]) => !(SESSION_LIMITS as readonly string[]).includes(name))));
    this.#limits = SESSION_LIMITS.map((name) => (given[name] === undefined ? '' : `; SET LOCAL ${name} = ${Number(given[name])}`)).join('');
  }

  override query(statement: never, ...rest: never[]): never {
    return super.query(this.#adapt(statement) as never, ...(rest as [])) as never;
  }

  #adapt(statement: string | object): unknown {
    if (typeof statement === 'string') return this.#withLimits(statement);
    // An object that submits itself, such as a COPY, has no name.
    if (!('text' in statement) || 'submit' in statement) return statement;
    const { name: _, ...unnamed } = statement as pg.QueryConfig;
    return { ...unnamed, text: this.#withLimits(unnamed.text) };
  }

  #withLimits(text: string): string {
    return /^BEGIN\b/.test(text) ? text + this.#limits : text;
  }
}
