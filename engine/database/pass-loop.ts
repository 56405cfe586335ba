import { backoffMs } from '../../shared/base/backoff.js';
import { InvariantError } from '../../shared/base/invariant.js';
import { type Scheduler, systemScheduler } from '../../shared/base/scheduler.js';
import { assertTransition, type Predecessors } from '../../shared/base/transitions.js';

/**
 * Runs one pass after another, never two at the same time.
 *
 *   idle      no pass is in progress; a timer is set for the next one; `poke` brings it forward
 *   running   a pass is in progress; `poke` requests another one right after it
 *   failing   the last pass failed; the next one follows after a backoff, which `poke` does not shorten
 *   stopped   nothing runs any more
 *
 * A pass that fails is caused by the outside world (the database is away): the failure is reported and the pass retried. A
 * broken invariant is our own fault and ends the process.
 */
export interface PassLoopOptions {
  /** Returns how many milliseconds to wait for the next pass unless `poke` is called. */
  readonly pass: () => Promise<number>;
  readonly onFailure: (error: unknown, failuresInRow: number) => void;
  /** Minimum time between the end of a pass and the next one. Pokes in that time are combined into one pass. */
  readonly gapMs: number;
  /** The longest wait after a failure; 2 s by default, well under the 5 s within which work must resume after the database has returned. */
  readonly backoffMsMax?: number;
  readonly random?: () => number;
  /** Monotonic milliseconds, which the timers use too. */
  readonly now?: () => number;
  readonly schedule?: Scheduler;
}

const BACKOFF_BASE_MS = 100;
const BACKOFF_MS_MAX = 2000;

/** A timer that fires in this turn of the event loop if there is nothing to wait for; the shortest timer of Node.js takes 1 ms. */
const withoutDelay: Scheduler = (milliseconds, run) => {
  if (milliseconds > 0) return systemScheduler(milliseconds, run);
  const immediate = setImmediate(run);
  return () => clearImmediate(immediate);
};

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
    this.#schedule = options.schedule ?? withoutDelay;
  }

  start(): void {
    if (this.#state !== 'stopped') return;
    this.#waitFor('idle', 0);
  }

  poke(): void {
    this.#poked = true;
    // A timer that fires sooner stays, because pokes closer together than the gap would postpone it forever.
    if (this.#state === 'idle' && this.#dueAt > this.#now() + this.#options.gapMs) this.#waitFor('idle', this.#options.gapMs);
  }

  /** Number of failed passes since the last successful one. */
  get failures(): number {
    return this.#failures;
  }

  /** No pass begins after this. Resolves when the one in progress has ended. */
  async stop(): Promise<void> {
    this.#become('stopped');
    this.#cancelTimer();
    await this.#running;
  }

  #become(state: State): void {
    assertTransition('a loop of passes', PREDECESSORS, this.#state, state);
    this.#state = state;
  }

  /** Schedules the next pass after `waitMs`. */
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
      this.#waitFor(
        'failing',
        backoffMs(this.#failures, BACKOFF_BASE_MS, this.#options.backoffMsMax ?? BACKOFF_MS_MAX, this.#options.random),
      );
      return;
    }
    if (this.#isStopped()) return;
    this.#waitFor('idle', this.#poked ? this.#options.gapMs : Math.max(waitMs, this.#options.gapMs));
  }

  #isStopped(): boolean {
    return this.#state === 'stopped';
  }
}
