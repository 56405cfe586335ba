import type { Scheduler } from '../../shared/base/scheduler.js';

/**
 * A timer that lets sockets be handled first: if this process itself was held up, its timers expire before it reads an answer
 * that arrived long ago.
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

/** A longer round trip is known after two windows at the latest. */
const ROUND_TRIP_WINDOW_MS = 30_000;

/** Base class of waiting callers, so that a wait needs no object of its own. */
export abstract class Wait {
  /** When the wait is over, in monotonic milliseconds. This and the links of the list belong to `AdaptiveTimeout`. */
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
   * The most that a long network distance may add to both: twice the time of the fastest recent answer, because a lost packet
   * is sent again a round trip later. Nothing is added if absent.
   */
  readonly roundTripMsMax?: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly schedule?: Scheduler;
}

/**
 * How long to wait for a server that may be loaded, and may hang.
 *
 * `long`   A wait lasts `longMs`: a loaded server answers late, and late is better than not at all.
 *          Left when one wait ends without an answer. Then the others have at most `shortMs` left.
 * `short`  A wait lasts `shortMs`. Left when an answer arrives that took no longer than `longMs`, even if
 *          no caller waits for it any more.
 *
 * Both are longer by two round trips if `roundTripMsMax` permits: otherwise every answer from another region would be late. An
 * answer that came too late for all callers still shows how long a round trip is.
 *
 * There is one timer for all waits: the first to begin is the first to be due. The waits form a linked list. A Set is
 * unsuitable: each table that it outgrows points to the next one, and after one of them has been promoted to V8's old
 * generation, so is every later one with all waits in it (observed: 3 MB a second, and pauses of 5 ms).
 */
export class AdaptiveTimeout {
  readonly #options: AdaptiveTimeoutOptions;
  readonly #schedule: Scheduler;
  #state: 'long' | 'short' = 'long';
  readonly #roundTrip: RoundTrip;
  /** Ends of the list, in the order in which the waits are due. */
  #first: Wait | null = null;
  #last: Wait | null = null;
  /** Cancels the timer; null if none is set. */
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
    // Keeps the order if the round trip is found to be shorter.
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

  /** Must be called for every answer; `tookMs` is the time since the query. */
  answered(tookMs: number): void {
    this.#roundTrip.note(tookMs);
    if (tookMs <= this.#options.longMs + this.#roundTrip.ms) this.#state = 'long';
  }

  /** Returns false if it is not in the list. */
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

  /** Sets the timer for the first wait that is due. */
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

/** The time of the fastest answer is that of the network. The additional time of the others is the load of the other side. */
class RoundTrip {
  readonly #now: () => number;
  readonly #msMax: number;
  /** Fastest answers of this window and of the previous one. */
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

  /**
   * How much to add to a wait for the round trip, in milliseconds: twice the fastest recent answer, up to the limit; 0 before
   * any answer has arrived.
   */
  get ms(): number {
    const fastestMs = Math.min(this.#fastestMs, this.#fastestBeforeMs);
    return fastestMs === Number.POSITIVE_INFINITY ? 0 : Math.min(2 * fastestMs, this.#msMax);
  }
}
