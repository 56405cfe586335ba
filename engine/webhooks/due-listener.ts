import pg from 'pg';
import { FEED_CHANNEL, WEBHOOK_CHANNEL } from '../../shared/feed/channel.js';
import { WakeLoop } from './wake-loop.js';

export interface DueListenerOptions {
  readonly databaseUrl: string;
  readonly onDue: () => void;
  readonly onFailure: (error: unknown, failuresInRow: number) => void;
}

const GAP_MS = 10;
const CONNECT_TIMEOUT_MS = 2000;
/** A connection that a firewall forgot says nothing. Asking over it finds that out; the queue is polled every second meanwhile. */
const CHECK_INTERVAL_MS = 10_000;
const QUERY_TIMEOUT_MS = 2000;

/**
 * Listens for `webhook_due`, and for the configuration feed's channel too: a change of an object and its event are
 * committed together, and the feed's assigner already sends one notification for all that was committed, so that the
 * writers of events need not notify themselves (which costs them PostgreSQL's one notification lock). A notification is a hint and its payload is not read: whoever gets one looks at the queue.
 * Every (re)connection counts as a notification, for those sent meanwhile are lost. Behind a pooler that shares
 * connections between transactions LISTEN does nothing, and the poll remains.
 */
export class DueListener {
  readonly #options: DueListenerOptions;
  readonly #loop: WakeLoop;
  #client: pg.Client | null = null;

  constructor(options: DueListenerOptions) {
    this.#options = options;
    this.#loop = new WakeLoop({ pass: () => this.#pass(), onFailure: options.onFailure, gapMs: GAP_MS });
  }

  start(): void {
    this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#client?.end();
    this.#client = null;
  }

  async #pass(): Promise<number> {
    if (this.#client === null) await this.#connect();
    else await this.#client.query('SELECT 1');
    return CHECK_INTERVAL_MS;
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#options.databaseUrl,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      keepAlive: true,
      application_name: 'link-service webhook listener',
    });
    const lost = () => {
      if (this.#client !== client) return;
      this.#client = null;
      this.#loop.poke();
    };
    // pg says 'error' for a connection that breaks and 'end' for every one that is over; either means a new one.
    client.on('error', lost);
    client.on('end', lost);
    client.on('notification', this.#options.onDue);
    await client.connect();
    await client.query(`LISTEN ${WEBHOOK_CHANNEL}; LISTEN ${FEED_CHANNEL}`);
    this.#client = client;
    this.#options.onDue();
  }
}
