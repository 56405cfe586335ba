import { Client } from 'undici';
import { type ConnectorOptions, connectGuarded } from './guarded-connector.js';
import { TlsSessions } from './tls-sessions.js';

/**
 * Keep-alive connections by origin. One undici `Client` is one connection and carries one request at a time. undici's
 * own `Pool` is not used: its connections outlive the request that asked for them, so that a deadline over DNS, connect
 * and TLS could not end them, and requests in its queue stay waiting when a connection fails.
 */
export interface Connection {
  readonly origin: string;
  readonly client: Client;
  /** Aborts connecting; has no effect on an open connection. */
  readonly connecting: AbortController;
  /** Monotonic milliseconds. */
  readonly openedAtMs: number;
}

export interface PoolOptions extends Omit<ConnectorOptions, 'tls'> {
  /** Certificates (PEM) to trust instead of the built-in ones. */
  readonly ca?: string;
  /** Idle connections kept for one origin. */
  readonly idlePerOriginMax: number;
  /** Idle connections kept in all. */
  readonly idleMax: number;
  /** Shorter than the 5 s after which common servers close an idle connection, so that no request is sent while the server closes it. */
  readonly idleTimeoutMs: number;
  /** A connection that is older is not used again, however busy it is: by then the name may have another address. */
  readonly ageMaxMs: number;
}

/** Passed to `abort`, which otherwise creates a DOMException with a stack for each connection. */
const DISCARDED = Symbol('discarded');

export class ConnectionPool {
  readonly #options: PoolOptions;
  readonly #connector: ConnectorOptions;
  /** The most recently used connection is last and is taken first, so that connections that are not needed grow old and are closed. */
  readonly #idle = new Map<string, Connection[]>();
  readonly #all = new Set<Connection>();
  #idleCount = 0;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#connector = { ...options, tls: new TlsSessions(options.ca) };
  }

  /** Returns an idle connection to the origin of `url`, or a new one that connects when it is first used. */
  take(url: URL): Connection {
    const idle = this.#idle.get(url.origin);
    const connection = idle?.pop();
    if (connection === undefined) return this.open(url);
    this.#idleCount--;
    if (idle?.length === 0) this.#idle.delete(url.origin);
    return connection;
  }

  /** Returns a connection that connects when it is first used. */
  open(url: URL): Connection {
    const connecting = new AbortController();
    const client = new Client(url.origin, {
      connect: (_target, callback) => {
        connectGuarded(url, this.#connector, connecting.signal).then(
          (socket) => callback(null, socket),
          (error: Error) => callback(error, null),
        );
      },
      pipelining: 1,
      keepAliveTimeout: this.#options.idleTimeoutMs,
      keepAliveMaxTimeout: this.#options.idleTimeoutMs,
      // The caller's one deadline covers these.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const connection: Connection = { origin: url.origin, client, connecting, openedAtMs: performance.now() };
    // The other side closed it, or it was idle for too long. If it is in use, the request under way gets the error itself.
    client.on('disconnect', () => this.#dropIdle(connection));
    this.#all.add(connection);
    return connection;
  }

  /** Returns false if the connection was discarded, or the pool is closed. */
  has(connection: Connection): boolean {
    return this.#all.has(connection);
  }

  /** Gives a connection back after a whole answer. */
  giveBack(connection: Connection): void {
    if (connection.client.destroyed) return;
    const { idlePerOriginMax, idleMax, ageMaxMs } = this.#options;
    const idle = this.#idle.get(connection.origin) ?? [];
    const isOld = performance.now() - connection.openedAtMs >= ageMaxMs;
    if (isOld || idle.length >= idlePerOriginMax || this.#idleCount >= idleMax) {
      this.discard(connection);
      return;
    }
    idle.push(connection);
    this.#idle.set(connection.origin, idle);
    this.#idleCount++;
  }

  /** Closes a connection, whatever state it is in. */
  discard(connection: Connection): void {
    this.#forget(connection);
    connection.connecting.abort(DISCARDED);
    void connection.client.destroy();
  }

  async close(): Promise<void> {
    const all = [...this.#all];
    for (const connection of all) {
      this.#forget(connection);
      connection.connecting.abort(DISCARDED);
    }
    await Promise.all(all.map((connection) => connection.client.destroy()));
  }

  stats(): { readonly connections: number; readonly idle: number } {
    return { connections: this.#all.size, idle: this.#idleCount };
  }

  #dropIdle(connection: Connection): void {
    if (this.#idle.get(connection.origin)?.includes(connection)) this.discard(connection);
  }

  #forget(connection: Connection): void {
    this.#all.delete(connection);
    const idle = this.#idle.get(connection.origin);
    const at = idle?.indexOf(connection) ?? -1;
    if (idle === undefined || at === -1) return;
    idle.splice(at, 1);
    this.#idleCount--;
    if (idle.length === 0) this.#idle.delete(connection.origin);
  }
}
