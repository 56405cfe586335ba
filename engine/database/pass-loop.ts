import { backoffMs } from '../../shared/base/backoff.js';
import { InvariantError } from '../../shared/base/invariant.js';
import { type Scheduler, systemScheduler } from '../../shared/base/scheduler.js';
import { assertTransition, type Predecessors } from '../../shared/base/transitions.js';

/**
 * Runs one pass after another, never two at once.
 *
 *   idle      no pass is under way; a timer holds the time of the next one; `poke` brings it forward
 *   running   a pass is under way; `poke` asks for another right after it
 *   failing   the last pass failed; the next one comes after a backoff, and `poke` does not shorten it
 *   stopped   nothing runs any more
 *
 * A failed pass is the outside world's doing (the database is away): it is reported and tried again. A broken invariant
 * is ours and ends the process.
 */
export interface PassLoopOptions {
  /** Returns how many milliseconds to wait for the next pass if nobody calls `poke`. */
  readonly pass: () => Promise<number>;
  readonly onFailure: (error: unknown, failuresInRow: number) => void;
  /** Least distance between the end of a pass and the next: what is poked meanwhile goes into one pass. */
  readonly gapMs: number;
  readonly random?: () => number;
  /** Monotonic milliseconds, and timers on them. */
  readonly now?: () => number;
  readonly schedule?: Scheduler;
}

/** Well under the 5 s in which work goes on after the database has returned. */
const BACKOFF_BASE_MS = 100;
const BACKOFF_CAP_MS = 2000;

type State = 'idle' | 'running' | 'failing' | 'stopped';

const PREDECESSORS: Predecessors<State> = {
  idle: ['stopped', 'idle', 'running'],
  running: ['idle', 'failing'],
  failing: ['running'],
  stopped: ['idle', 'running', 'failing', 'stopped'],
};

export class PassLoop {
  readonly #options: PassLoopOptions;
  #state: State = 'stopped';
  #poked = false;
  #failures = 0;
  readonly #now: () => number;
  readonly #schedule: Scheduler;
  #cancelTimer: () => void = () => undefined;
  #dueAt = 0;
  #running: Promise<void> = Promise.resolve();

  constructor(options: PassLoopOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#schedule = options.schedule ?? systemScheduler;
  }

  start(): void {
    if (this.#state !== 'stopped') return;
    this.#waitFor('idle', 0);
  }

  poke(): void {
    this.#poked = true;
    // A timer that is sooner stays: pokes closer together than the gap would push it away for ever.
    if (this.#state === 'idle' && this.#dueAt > this.#now() + this.#options.gapMs) this.#waitFor('idle', this.#options.gapMs);
  }

  /** How many passes failed since the last one that did not. */
  get failures(): number {
    return this.#failures;
  }

  /** No pass begins after this; resolves when the one under way has ended. */
  async stop(): Promise<void> {
    this.#become('stopped');
    this.#cancelTimer();
    await this.#running;
  }

  #become(state: State): void {
    assertTransition('a loop of passes', PREDECESSORS, this.#state, state);
    this.#state = state;
  }

  /** The next pass comes after `waitMs`. */
  #waitFor(state: 'idle' | 'failing', waitMs: number): void {
    this.#become(state);
    this.#dueAt = this.#now() + waitMs;
    this.#cancelTimer();
    this.#cancelTimer = this.#schedule(waitMs, () => {
      this.#running = this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#become('running');
    this.#poked = false;
    let waitMs: number;
    try {
      waitMs = await this.#options.pass();
      this.#failures = 0;
    } catch (error) {
      if (error instanceof InvariantError) throw error;
      this.#failures++;
      this.#options.onFailure(error, this.#failures);
      if (this.#isStopped()) return;
      this.#waitFor('failing', backoffMs(this.#failures, BACKOFF_BASE_MS, BACKOFF_CAP_MS, this.#options.random));
      return;
    }
    if (this.#isStopped()) return;
    this.#waitFor('idle', this.#poked ? this.#options.gapMs : Math.max(waitMs, this.#options.gapMs));
  }

  #isStopped(): boolean {
    return this.#state === 'stopped';
  }
}
