import { backoffMs } from '../../shared/base/backoff.js';
import type { Logger } from '../../shared/base/log.js';
import type { PartHealth } from '../../shared/base/part-health.js';
import type { Scheduler } from '../../shared/base/scheduler.js';
import { assertTransition, type Predecessors } from '../../shared/base/transitions.js';

/** What `background` needs from a part. Parts manage their own connections, so only a failing start has to be handled here. */
export interface Part {
  start(): Promise<void> | void;
  stop(): Promise<void>;
  health(): PartHealth;
}

export interface PartRunnerInput<P extends Part> {
  readonly name: string;
  /** Creates a new part for every attempt. A part whose start failed is not started again. */
  create(): P;
  readonly log: Logger;
  readonly random: () => number;
  readonly schedule: Scheduler;
}

const RETRY_BASE_MS = 200;
const RETRY_CAP_MS = 10_000;

/**
 * idle      Not started yet. Changes to starting by `start()`.
 * starting  `part.start()` is in progress. Changes to running when it resolves, to waiting when it rejects.
 * running   The part works, and recovers by itself from external failures.
 * waiting   The start failed; a new part is created when the timer fires.
 * stopped   By `stop()`, from every mode. Final. A part that was starting is stopped after its start has finished.
 */
type State<P extends Part> =
  | { readonly mode: 'idle'; readonly part: null }
  | { readonly mode: 'starting'; readonly part: P; readonly over: Promise<boolean> }
  | { readonly mode: 'running'; readonly part: P }
  | { readonly mode: 'waiting'; readonly part: P | null; readonly reason: string; cancel(): void }
  | { readonly mode: 'stopped'; readonly part: P | null };

const PREDECESSORS: Predecessors<State<Part>['mode']> = {
  idle: [],
  starting: ['idle', 'waiting'],
  running: ['starting'],
  // From idle and from itself if a part cannot even be created.
  waiting: ['idle', 'starting', 'waiting'],
  stopped: ['idle', 'starting', 'running', 'waiting', 'stopped'],
};

/** Keeps one part of `background` running: neither a failure of its start nor one of another part ends the process. */
export class PartRunner<P extends Part> {
  readonly #input: PartRunnerInput<P>;
  #state: State<P> = { mode: 'idle', part: null };
  #failuresInRow = 0;

  constructor(input: PartRunnerInput<P>) {
    this.#input = input;
  }

  /** The newest part that was created, even if its start failed or it was stopped; null before the first. */
  get part(): P | null {
    return this.#state.part;
  }

  start(): void {
    if (this.#state.mode === 'idle') this.#begin();
  }

  /** Resolves when the part has drained. */
  async stop(): Promise<void> {
    const state = this.#state;
    this.#become({ mode: 'stopped', part: state.part });
    if (state.mode === 'waiting') state.cancel();
    if (state.mode === 'running' || (state.mode === 'starting' && (await state.over))) await state.part.stop();
  }

  health(): PartHealth {
    const state = this.#state;
    if (state.mode === 'running') return state.part.health();
    const reason = state.mode === 'waiting' ? state.reason : `the part is ${state.mode}`;
    return { part: this.#input.name, ok: false, reason };
  }

  #begin(): void {
    let part: P;
    try {
      part = this.#input.create();
    } catch (error) {
      this.#failed(error);
      return;
    }
    const over = Promise.resolve()
      .then(() => part.start())
      .then(
        () => this.#started(part),
        (error: unknown) => this.#failed(error),
      );
    this.#become({ mode: 'starting', part, over });
  }

  /** Returns true, because the part works, even if it is stopped immediately. */
  #started(part: P): boolean {
    this.#failuresInRow = 0;
    if (this.#state.mode === 'starting') this.#become({ mode: 'running', part });
    return true;
  }

  #failed(error: unknown): boolean {
    if (this.#state.mode === 'stopped') return false;
    const waitMs = backoffMs(this.#failuresInRow++, RETRY_BASE_MS, RETRY_CAP_MS, this.#input.random);
    this.#input.log.error(
      { code: 'part_start_failed', part: this.#input.name, err: error, retry_in_ms: waitMs },
      'a part could not be started',
    );
    const cancel = this.#input.schedule(waitMs, () => this.#begin());
    this.#become({ mode: 'waiting', part: this.#state.part, reason: `it could not be started: ${String(error)}`, cancel });
    return false;
  }

  #become(state: State<P>): void {
    assertTransition(`the part '${this.#input.name}'`, PREDECESSORS, this.#state.mode, state.mode);
    this.#state = state;
  }
}
