import { setTimeout as delay } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { backoffMs } from '../../shared/base/backoff.js';
import { type Clock, systemClock } from '../../shared/base/clock.js';
import { InvariantError, invariant } from '../../shared/base/invariant.js';
import { FEED_ROWS_KEPT } from '../../shared/base/limits.js';
import type { Logger } from '../../shared/base/log.js';
import { createSignal, pause } from '../../shared/base/signal.js';
import { assertTransition, type Predecessors } from '../../shared/base/transitions.js';
import { assignPositions, pruneFeed } from './assign-positions.js';

/**
 * Numbers the configuration feed.
 *
 * A handler commits its object and its feed row, and then pokes. Pokes that arrive during a round are merged: the next round numbers
 * everything that was committed meanwhile. Without a poke, a round runs every second. This covers a process that crashed between
 * commit and poke, and another control plane's rows.
 *
 * States: `stopped` -> `running` (rounds succeed) <-> `failing` (since when; the connection is discarded, and new ones are tried
 * with a backoff) -> `stopped`. `stop()` runs one last round, so that everything poked before is numbered.
 */
type AssignerState =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'running' }
  | { readonly kind: 'failing'; readonly sinceMs: number; readonly attempts: number; readonly reason: string };

const PREDECESSORS: Predecessors<AssignerState['kind']> = {
  stopped: ['running', 'failing'],
  running: ['stopped', 'running', 'failing'],
  failing: ['running', 'failing'],
};

export interface AssignerOptions {
  /** The assigner holds one of its connections while it runs. */
  readonly pool: Pick<Pool, 'connect'>;
  readonly log: Logger;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly intervalMs?: number;
  readonly rowsKept?: number;
}

const INTERVAL_MS = 1000;
/**
 * Least time between two rounds that pokes request. A round costs a transaction and its flush, however few rows it numbers: without a
 * gap, with 32 writers, the rounds took 70 µs of PostgreSQL for each link created. A single change is numbered immediately.
 */
const ROUND_GAP_MS = 5;
/**
 * Every second, a round looks at all ids (a sweep). The other rounds look only at ids from a little below where the last sweep ended,
 * because index entries of numbered rows stay until a vacuum, and skipping 100,000 of them takes half a millisecond. If a transaction
 * stays open while this many others begin and end, its row waits for the sweep.
 */
const SWEPT_IDS_MARGIN = 10_000;
/** Backoff after failures: from 100 ms, doubling up to 5 s, so that a restart of PostgreSQL is noticed within 5 s. */
const RETRY_BASE_MS = 100;
const RETRY_MS_MAX = 5000;

export class Assigner {
  readonly #pool: Pick<Pool, 'connect'>;
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #intervalMs: number;
  readonly #rowsKept: number;
  readonly #signal = createSignal();
  readonly #stats = { rounds: 0, failures: 0 };
  #state: AssignerState = { kind: 'stopped' };
  #stopping = false;
  #nextSweepAt = 0;
  /** The highest id that got a position, and the id from which the rounds between two sweeps look. */
  #lastId = 0;
  #sweptId = 0;
  #client: PoolClient | null = null;
  #loop: Promise<void> = Promise.resolve();

  constructor(options: AssignerOptions) {
    this.#pool = options.pool;
    this.#log = options.log;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
    this.#intervalMs = options.intervalMs ?? INTERVAL_MS;
    this.#rowsKept = options.rowsKept ?? FEED_ROWS_KEPT;
  }

  /** Must be called after the commit of every transaction that inserted feed rows. Never waits, never throws. */
  poke(): void {
    this.#signal.raise();
  }

  start(): void {
    invariant(this.#state.kind === 'stopped', 'the assigner is started once');
    this.#stopping = false;
    this.#become({ kind: 'running' });
    this.#loop = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#signal.raise();
    await this.#loop;
  }

  stats(): { readonly rounds: number; readonly failures: number } {
    return { ...this.#stats };
  }

  health(): { part: string; ok: boolean; reason: string } {
    const state = this.#state;
    const reason =
      state.kind === 'failing'
        ? `the configuration feed has not been numbered since ${new Date(state.sinceMs).toISOString()}: ${state.reason}`
        : state.kind === 'stopped'
          ? 'the assigner is not running'
          : '';
    return { part: 'feed-assigner', ok: reason === '', reason };
  }

  /** Rejects only because of a bug in the program; that error ends the process. */
  async #run(): Promise<void> {
    for (;;) {
      const last = this.#stopping;
      const waitMs = await this.#round();
      if (last) break;
      // A poke ends the wait between two rounds, but not the wait after a failure, because under load there is always a poke.
      if (this.#state.kind === 'failing') await pause(this.#signal, waitMs, () => this.#stopping);
      else {
        await delay(ROUND_GAP_MS);
        await this.#signal.wait(waitMs);
      }
    }
    this.#client?.off('error', this.#onLost);
    this.#client?.release();
    this.#client = null;
    this.#become({ kind: 'stopped' });
  }

  #become(state: AssignerState): void {
    assertTransition('the feed assigner', PREDECESSORS, this.#state.kind, state.kind);
    this.#state = state;
  }

  /** Runs one round. Returns how long to wait for the next, in milliseconds. */
  async #round(): Promise<number> {
    try {
      this.#client ??= await this.#connect();
      const more = await this.#assign(this.#client);
      this.#become({ kind: 'running' });
      return more ? 0 : this.#intervalMs;
    } catch (error) {
      if (error instanceof InvariantError) throw error;
      return this.#fail(error);
    }
  }

  async #connect(): Promise<PoolClient> {
    const client = await this.#pool.connect();
    client.on('error', this.#onLost);
    return client;
  }

  /** Called if the connection is lost between two rounds. The next round's query fails, and the connection is replaced. */
  readonly #onLost = (error: Error): void => {
    this.#log.warn({ code: 'database_connection_lost', err: error }, 'the feed assigner lost its connection');
  };

  /** Numbers rows, and in a sweep also deletes some of the old ones. Returns whether there are more to delete; the next round does that. */
  async #assign(client: PoolClient): Promise<boolean> {
    this.#stats.rounds += 1;
    const sweep = performance.now() >= this.#nextSweepAt;
    for (let more = true; more; ) {
      const round = await assignPositions(client, sweep ? 0 : this.#sweptId);
      this.#lastId = Math.max(this.#lastId, round.lastId ?? 0);
      more = round.more;
    }
    if (!sweep) return false;
    this.#nextSweepAt = performance.now() + this.#intervalMs;
    this.#sweptId = Math.max(0, this.#lastId - SWEPT_IDS_MARGIN);
    const { more } = await pruneFeed(client, this.#rowsKept);
    if (more) this.#nextSweepAt = 0;
    return more;
  }

  #fail(error: unknown): number {
    this.#stats.failures += 1;
    this.#client?.release(true);
    this.#client = null;
    const before = this.#state.kind === 'failing' ? this.#state : { sinceMs: this.#clock(), attempts: 0 };
    this.#become({ kind: 'failing', sinceMs: before.sinceMs, attempts: before.attempts + 1, reason: String(error) });
    this.#log.warn(
      { code: 'feed_numbering_failed', err: error, attempts: before.attempts + 1 },
      'the configuration feed could not be numbered',
    );
    return Math.max(1, backoffMs(before.attempts, RETRY_BASE_MS, RETRY_MS_MAX, this.#random));
  }
}
