import type { Database } from '../db/database.js';
import { refuseUnavailable } from './problems.js';

/** An environment may use at most this many times the connections that are free. */
const OF_FREE_ONES = 3;

/** How long a call waits for a connection: as long as a statement of the calls before it may take. */
const WAIT_MS_MAX = 5_000;

interface Waiter {
  take(): void;
}

interface Holder {
  held: number;
  readonly waiting: Set<Waiter>;
}

/**
 * Shares the connections of a pool between environments. A statement may take seconds, and statements of one environment may wait for each
 * other's locks. Without shares, an environment that makes many such calls at once would use all connections, and the calls of all others
 * would fail.
 *
 * An environment uses at most three times as many connections as are free. Of sixteen, one alone uses twelve and two use seven each, so
 * that the next one seldom has to wait. The rule is that of dynamic thresholds, by which the ports of a switch share its buffer (Choudhury
 * and Hahne 1998). If several environments wait for a connection, the one that uses the fewest gets it.
 */
export class ConnectionShares {
  readonly #database: Database;
  readonly #waitMsMax: number;
  readonly #holders = new Map<string, Holder>();
  #free: number;

  /** `database` has a pool of so many `connections`. */
  constructor(database: Database, connections: number, waitMsMax = WAIT_MS_MAX) {
    this.#database = database;
    this.#free = connections;
    this.#waitMsMax = waitMsMax;
  }

  /**
   * Returns the database as calls of the environment use it. If they have to wait for too long until a connection is free, it throws a
   * refusal.
   */
  of(environmentId: string): Database {
    const database = this.#database;
    return {
      query: (statement) => this.#with(environmentId, () => database.query(statement)),
      copyOut: (text, take) => this.#with(environmentId, () => database.copyOut(text, take)),
      transaction: (work) => this.#with(environmentId, () => database.transaction(work)),
    };
  }

  async #with<Result>(environmentId: string, work: () => Promise<Result>): Promise<Result> {
    const holder = this.#holders.get(environmentId) ?? { held: 0, waiting: new Set<Waiter>() };
    this.#holders.set(environmentId, holder);
    if (holder.waiting.size === 0 && this.#mayTake(holder)) this.#take(holder);
    else await this.#turn(environmentId, holder);
    try {
      return await work();
    } finally {
      this.#giveBack(environmentId, holder);
    }
  }

  #mayTake({ held }: Holder): boolean {
    return held < OF_FREE_ONES * this.#free;
  }

  #take(holder: Holder): void {
    holder.held++;
    this.#free--;
  }

  /** Resolves when a connection has been taken for the holder. */
  #turn(environmentId: string, holder: Holder): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        take: () => {
          clearTimeout(tooLong);
          holder.waiting.delete(waiter);
          this.#take(holder);
          resolve();
        },
      };
      const tooLong = setTimeout(() => {
        holder.waiting.delete(waiter);
        this.#forgetIfIdle(environmentId, holder);
        reject(refuseUnavailable('Other calls have used the database for too long.'));
      }, this.#waitMsMax);
      holder.waiting.add(waiter);
    });
  }

  #giveBack(environmentId: string, holder: Holder): void {
    holder.held--;
    this.#free++;
    for (let next = this.#next(); next !== undefined; next = this.#next()) next.take();
    this.#forgetIfIdle(environmentId, holder);
  }

  #forgetIfIdle(environmentId: string, { held, waiting }: Holder): void {
    if (held === 0 && waiting.size === 0) this.#holders.delete(environmentId);
  }

  /** The first call in line of the environment that uses the fewest connections, if it may take one. */
  #next(): Waiter | undefined {
    let fewest: Holder | undefined;
    for (const holder of this.#holders.values())
      if (holder.waiting.size > 0 && (fewest === undefined || holder.held < fewest.held)) fewest = holder;
    if (fewest === undefined || !this.#mayTake(fewest)) return undefined;
    const [first] = fewest.waiting;
    return first;
  }
}
