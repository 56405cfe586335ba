import type { Scheduler } from '../../shared/base/scheduler.js';

/**
 * A timer that lets sockets have their turn first: where this process itself was held up, its timers are due before the
 * answer that has long come is read.
 */
const afterSockets: Scheduler = (milliseconds, run) => {
  let turn: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    turn = setImmediate(run);
  }, milliseconds);
  return () => {
    clearTimeout(timer);
    clearImmediate(turn);
  };
};

/** Base class of those who wait, so that a wait needs no object of its own. */
export abstract class Wait {
  /** When it has been long enough, in monotonic milliseconds. This and the neighbours in the queue are `AdaptiveTimeout`'s own. */
  dueAt = 0;
  previous: Wait | null = null;
  next: Wait | null = null;

  /** Called when the time is over. */
  abstract giveUp(): void;
}

/** A wait that calls a function. */
export class CallbackWait extends Wait {
  override readonly giveUp: () => void;

  constructor(giveUp: () => void) {
    super();
    this.giveUp = giveUp;
  }
}

export interface AdaptiveTimeoutOptions {
  readonly longMs: number;
  readonly shortMs: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly schedule?: Scheduler;
}

/**
 * How long to wait for somebody who may be loaded, and may hang.
 *
 * `long`   A wait lasts `longMs`: a loaded server answers late, and late is better than not at all.
 *          Left when one wait ends without an answer: then the others have `shortMs` left at most.
 * `short`  A wait lasts `shortMs`. Left when an answer comes that took no longer than `longMs`, whether
 *          or not anybody still waits for it.
 *
 * There is one timer for all waits: the first to begin is the first to be due. The waits are linked to each other in a list. A
 * Set would not do: each table that it outgrows points to the one after it, and once one of them has been promoted to V8's old
 * generation, so is every later one with all that waits in it (seen: 3 MB a second, and pauses of 5 ms).
 */
export class AdaptiveTimeout {
  readonly #options: AdaptiveTimeoutOptions;
  readonly #schedule: Scheduler;
  #state: 'long' | 'short' = 'long';
  /** Ends of the list, in the order in which they are due. */
  #first: Wait | null = null;
  #last: Wait | null = null;
  /** Takes the timer back; null if none is set. */
  #disarm: (() => void) | null = null;

  constructor(options: AdaptiveTimeoutOptions) {
    this.#options = options;
    this.#schedule = options.schedule ?? afterSockets;
  }

  get shortened(): boolean {
    return this.#state === 'short';
  }

  /** Begins a wait. It must be ended unless it is given up. */
  begin(wait: Wait): void {
    const { now, longMs, shortMs } = this.#options;
    wait.dueAt = now() + (this.shortened ? shortMs : longMs);
    wait.previous = this.#last;
    if (this.#last === null) this.#first = wait;
    else this.#last.next = wait;
    this.#last = wait;
    if (this.#disarm === null) this.#arm();
  }

  /** Does nothing if the wait has ended. */
  end(wait: Wait): void {
    if (!this.#remove(wait) || this.#first !== null) return;
    this.#disarm?.();
    this.#disarm = null;
  }

  /** An answer came; `tookMs` is the time since it was asked for. */
  answered(tookMs: number): void {
    if (tookMs <= this.#options.longMs) this.#state = 'long';
  }

  /** False if it is not in the list. */
  #remove(wait: Wait): boolean {
    const { previous, next } = wait;
    if (previous === null && this.#first !== wait) return false;
    if (previous === null) this.#first = next;
    else previous.next = next;
    if (next === null) this.#last = previous;
    else next.previous = previous;
    wait.previous = null;
    wait.next = null;
    return true;
  }

  /** For the first that is due. */
  #arm(): void {
    const first = this.#first;
    this.#disarm = first === null ? null : this.#schedule(Math.ceil(first.dueAt - this.#options.now()), () => this.#giveUpDue());
  }

  #giveUpDue(): void {
    const now = this.#options.now();
    for (let wait = this.#first; wait !== null && wait.dueAt <= now; wait = this.#first) {
      this.#remove(wait);
      this.#shorten(now);
      wait.giveUp();
    }
    this.#arm();
  }

  #shorten(now: number): void {
    if (this.shortened) return;
    this.#state = 'short';
    const dueAt = now + this.#options.shortMs;
    for (let wait = this.#first; wait !== null; wait = wait.next) wait.dueAt = Math.min(wait.dueAt, dueAt);
  }
}
