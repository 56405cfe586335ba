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

/** A way that has become longer is known after two of them at the latest. */
const ROUND_TRIP_WINDOW_MS = 30_000;

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
  /**
   * What a long way to the other side may add to both, at most: twice the time of the fastest of the newest answers, for what is lost
   * on the way is sent again a round trip later. Nothing where absent.
   */
  readonly roundTripMsMax?: number;
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
 * Both are longer by two round trips, where that is allowed for (`roundTripMsMax`): from another region every answer would be late.
 * An answer that came too late for everybody says how long it is.
 *
 * There is one timer for all waits: the first to begin is the first to be due. The waits are linked to each other in a list. A
 * Set would not do: each table that it outgrows points to the one after it, and once one of them has been promoted to V8's old
 * generation, so is every later one with all that waits in it (seen: 3 MB a second, and pauses of 5 ms).
 */
export class AdaptiveTimeout {
  readonly #options: AdaptiveTimeoutOptions;
  readonly #schedule: Scheduler;
  #state: 'long' | 'short' = 'long';
  readonly #roundTrip: RoundTrip;
  /** Ends of the list, in the order in which they are due. */
  #first: Wait | null = null;
  #last: Wait | null = null;
  /** Takes the timer back; null if none is set. */
  #disarm: (() => void) | null = null;

  constructor(options: AdaptiveTimeoutOptions) {
    this.#options = options;
    this.#schedule = options.schedule ?? afterSockets;
    this.#roundTrip = new RoundTrip(options.now, options.roundTripMsMax ?? 0);
  }

  get shortened(): boolean {
    return this.#state === 'short';
  }

  /** Begins a wait. It must be ended unless it is given up. */
  begin(wait: Wait): void {
    const { now, longMs, shortMs } = this.#options;
    const dueAt = now() + (this.shortened ? shortMs : longMs) + this.#roundTrip.ms;
    // The order is kept when the round trip is found to be shorter.
    wait.dueAt = this.#last === null ? dueAt : Math.max(dueAt, this.#last.dueAt);
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
    this.#roundTrip.note(tookMs);
    if (tookMs <= this.#options.longMs + this.#roundTrip.ms) this.#state = 'long';
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
    const dueAt = now + this.#options.shortMs + this.#roundTrip.ms;
    for (let wait = this.#first; wait !== null; wait = wait.next) wait.dueAt = Math.min(wait.dueAt, dueAt);
  }
}

/** The time of the fastest answer is that of the way; what others took longer is the load of the other side. */
class RoundTrip {
  readonly #now: () => number;
  readonly #msMax: number;
  /** Fastest answers of this window and of the one before it. */
  #fastestMs = Number.POSITIVE_INFINITY;
  #fastestBeforeMs = Number.POSITIVE_INFINITY;
  #windowEndsAt = Number.NEGATIVE_INFINITY;

  constructor(now: () => number, msMax: number) {
    this.#now = now;
    this.#msMax = msMax;
  }

  note(tookMs: number): void {
    const now = this.#now();
    if (now >= this.#windowEndsAt) {
      this.#fastestBeforeMs = this.#fastestMs;
      this.#fastestMs = Number.POSITIVE_INFINITY;
      this.#windowEndsAt = now + ROUND_TRIP_WINDOW_MS;
    }
    this.#fastestMs = Math.min(this.#fastestMs, tookMs);
  }

  /** What is waited for it. 0 before the first answer. */
  get ms(): number {
    const fastestMs = Math.min(this.#fastestMs, this.#fastestBeforeMs);
    return fastestMs === Number.POSITIVE_INFINITY ? 0 : Math.min(2 * fastestMs, this.#msMax);
  }
}
