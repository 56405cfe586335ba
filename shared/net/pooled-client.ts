import type { EventEmitter } from 'node:events';
import pg from 'pg';
import { isPooled } from '../base/pooled-url.js';

/**
 * Returns the class of clients for the URL: one that PgBouncer in transaction mode can serve, or the driver's own. Either one fails when
 * it connects, and not when it is made, if a file that the URL names (sslrootcert, sslcert, sslkey) cannot be read.
 */
export function clientClass(connectionString: string): typeof pg.Client {
  return isPooled(connectionString) ? CarefulPooledClient : CarefulClient;
}

/** The parts of the driver's class that its types leave out. */
interface Starting {
  /** The parameters that are sent when the client connects. */
  getStartupConf(): Readonly<Record<string, string>>;
}

interface Reporting {
  /** Emits `parameterStatus` for each parameter that the server reports. */
  readonly connection: EventEmitter<{ parameterStatus: [{ readonly parameterName: string; readonly parameterValue: string }] }>;
}

const startupOfDriver = (pg.Client.prototype as unknown as Starting).getStartupConf;

/** A server reports this before a session begins, and when it becomes a primary. A primary that becomes a standby ends its sessions. */
const STANDBY_PARAMETER = 'in_hot_standby';

/**
 * The driver reads times only in the form of ISO 8601, which a server, a database or a role may have replaced by another one. The value
 * is PostgreSQL's default, so that a PgBouncer has nothing to set in its sessions; it accepts this parameter.
 *
 * A standby is a server that cannot be reached. For some seconds after a failover, a proxy may still lead to the former primary, which is a
 * standby by then: it would answer reads, but not with what the new primary has just stored.
 */
class DirectClient extends pg.Client implements Starting {
  #isStandby = false;

  constructor(config: string | pg.ClientConfig = {}) {
    super(config);
    (this as unknown as Reporting).connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (parameterName === STANDBY_PARAMETER) this.#isStandby = parameterValue === 'on';
    });
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
    if (callback !== undefined) {
      this.#connectToPrimary(callback);
      return undefined;
    }
    return new Promise((resolve, reject) => {
      this.#connectToPrimary((error) => (error ? reject(error) : resolve(this)));
    });
  }

  /**
   * Calls back in the same turn as the driver, with null if there is no error: a pool listens for errors of the client from then on, and the
   * packet that begins the session may end it too.
   */
  #connectToPrimary(callback: (error: Error) => void): void {
    super.connect((error: Error) => {
      if (error || !this.#isStandby) {
        callback(error);
        return;
      }
      this.on('error', () => {}); // the server may end the session before this does
      this.end().catch(() => {});
      callback(new Error('the server is a standby'));
    });
  }

  getStartupConf(): Readonly<Record<string, string>> {
    return { ...startupOfDriver.call(this as unknown as Starting), DateStyle: 'ISO, MDY' };
  }
}

/** Parameters that the driver would send when it connects. PgBouncer refuses a session that has them. */
const SESSION_LIMITS = ['statement_timeout', 'idle_in_transaction_session_timeout'] as const;

/**
 * A client that keeps nothing in its session, because the next transaction may run in another one. Statements have no
 * names (PgBouncer before 1.21 does not carry prepared statements over), and time limits are set in each transaction,
 * in the message that begins it. Only the client's `query_timeout` limits a statement outside of transactions.
 */
class PooledClient extends DirectClient {
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

/** Stands for a client that could not be made. */
class UnusableClient extends pg.Client {
  readonly #fault: Error;

  constructor(fault: Error) {
    super({});
    this.#fault = fault;
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
    if (callback === undefined) return Promise.reject(this.#fault);
    process.nextTick(callback, this.#fault);
    return undefined;
  }
}

/**
 * The driver reads the files of a connection string in the constructor of each client. While one of them is missing, for example because
 * it is being renewed, no connection can be opened. To callers this is a server that cannot be reached. The next
 * client reads the files again.
 */
function careful(clients: typeof pg.Client): typeof pg.Client {
  return new Proxy(clients, {
    construct(target, parameters): pg.Client {
      try {
        return Reflect.construct(target, parameters) as pg.Client;
      } catch (error) {
        return new UnusableClient(error as Error);
      }
    },
  });
}

const CarefulClient = careful(DirectClient);
const CarefulPooledClient = careful(PooledClient);
