import type pg from 'pg';
import { InvariantError, invariant } from '../../shared/base/invariant.js';
import type { Logger } from '../../shared/base/log.js';
import { assertTransition, type Predecessors } from '../../shared/base/transitions.js';
import { DatabaseSession } from './database-session.js';
import { PassLoop } from './pass-loop.js';

/**
 * Work on the database that is done in rounds over one connection, and for which no caller waits.
 *
 * `stopped`     Until `start`, and after `stop`.
 * `connecting`  No connection yet. Exits: `working`; `waiting` if connecting fails.
 * `working`     Rounds run, each at the time that the previous one returned, or immediately when there is new work. Exits:
 *               `waiting` on any error. Unfinished work remains to be done; the rounds themselves ensure that.
 *               `connecting` if the connection broke between two rounds.
 * `waiting`     After a growing time another connection is opened. Exit: `connecting`.
 */
type LoopState = 'stopped' | 'connecting' | 'working' | 'waiting';

export interface RoundLoopOptions {
  readonly databaseUrl: string;
  /** The part that does the work, for the log and for PostgreSQL's list of connections. */
  readonly part: string;
  readonly log: Logger;
  readonly random: () => number;
  /** Does the work that is due. Returns after how many milliseconds to run again. */
  readonly round: (client: pg.Client) => Promise<number>;
  /** Runs once at a stop, if there is a connection. */
  readonly lastRound: (client: pg.Client) => Promise<void>;
}

export interface RoundLoopStats {
  readonly state: LoopState;
  readonly failures: number;
}

const LIMITS = { queryMs: 5000 };
const BACKOFF_MS_MAX = 5000;
/** Limit on the time that work in progress at a stop and the last round take together. */
const STOP_MS_MAX = 1500;

const PREDECESSORS: Predecessors<LoopState> = {
  stopped: ['stopped', 'connecting', 'working', 'waiting'],
  // From itself in the first round, because `start` has already set this state. From `working` if the connection broke between rounds.
  connecting: ['stopped', 'connecting', 'working', 'waiting'],
  working: ['connecting'],
  waiting: ['connecting', 'working'],
};

export class RoundLoop {
  readonly #options: RoundLoopOptions;
  readonly #log: Logger;
  readonly #loop: PassLoop;
  #state: LoopState = 'stopped';
  #stopping = false;
  readonly #session: DatabaseSession;
  #failures = 0;

  constructor(options: RoundLoopOptions) {
    this.#options = options;
    this.#log = options.log.child({ part: options.part });
    this.#session = new DatabaseSession({
      databaseUrl: options.databaseUrl,
      name: `link-service ${options.part}`,
      limits: LIMITS,
      log: options.log,
    });
    this.#loop = new PassLoop({
      pass: async () => Math.ceil(await options.round(await this.#connection())),
      onFailure: (error, failuresInARow) => this.#failed(error, failuresInARow),
      gapMs: 0,
      backoffMsMax: BACKOFF_MS_MAX,
      random: options.random,
    });
  }

  start(): void {
    invariant(this.#state === 'stopped', 'a loop is started once');
    this.#become('connecting');
    this.#loop.start();
  }

  /** Signals new work. A wait after a failure is not shortened. */
  raise(): void {
    this.#loop.poke();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    const late = setTimeout(() => this.#session.discard(), STOP_MS_MAX);
    await this.#loop.stop();
    if (this.#session.isOpen) await this.#lastRound();
    clearTimeout(late);
    this.#session.discard();
    this.#become('stopped');
  }

  stats(): RoundLoopStats {
    return { state: this.#state, failures: this.#failures };
  }

  #become(state: LoopState): void {
    assertTransition(`the loop of rounds '${this.#options.part}'`, PREDECESSORS, this.#state, state);
    this.#state = state;
  }

  async #connection(): Promise<pg.Client> {
    if (this.#session.isOpen) return this.#session.client();
    this.#become('connecting');
    const client = await this.#session.client();
    this.#become('working');
    return client;
  }

  async #lastRound(): Promise<void> {
    try {
      await this.#options.lastRound(await this.#session.client());
    } catch (error) {
      if (error instanceof InvariantError) throw error;
      this.#log.warn({ code: 'round_end_failed', err: error }, 'the last round could not be ended');
    }
  }

  /** The next round opens another connection. */
  #failed(error: unknown, attempts: number): void {
    if (this.#stopping) return;
    this.#failures += 1;
    this.#session.discard();
    this.#become('waiting');
    this.#log.warn({ code: 'database_unwritable', err: error, attempts }, 'the database cannot be written; trying again');
  }
}
