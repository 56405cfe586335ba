import type { Scheduler } from '../../shared/base/scheduler.js';
import type { CallBudget } from './call-budget.js';
import type { FigureColumn } from './figures.js';
import type { InFlightFetch } from './in-flight-fetch.js';

export interface CallQueueParts {
  readonly budget: CallBudget;
  /** Whether the breaker would let a call pass. */
  readonly mayPass: () => boolean;
  readonly call: (fetching: InFlightFetch) => void;
  /** Ends the fetch without a call. `column` is the figure that says why. */
  readonly refuse: (fetching: InFlightFetch, column: FigureColumn) => void;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly schedule: Scheduler;
}

/**
 * Calls that wait for the limits of their API, first come, first served. This is where a call is refused because of a limit: at
 * once if it could not begin while somebody waits for the answer, otherwise when nobody waits any more.
 */
export class CallQueue {
  readonly #parts: CallQueueParts;
  readonly #waiting: InFlightFetch[] = [];
  #cancelTimer: () => void = () => undefined;

  constructor(parts: CallQueueParts) {
    this.#parts = parts;
    parts.budget.onRoom = () => this.#dispatch();
  }

  /** Makes the call at once or later, or refuses it. */
  enter(fetching: InFlightFetch): void {
    const { budget, call, refuse } = this.#parts;
    const waitMs = budget.waitMs();
    if (waitMs === 0 && this.#waiting.length === 0) call(fetching);
    else if (this.#isWorthWaiting(fetching, waitMs)) {
      fetching.become('queued');
      this.#waiting.push(fetching);
      this.#dispatch();
    } else refuse(fetching, 'skipped_throttled');
  }

  leave(fetching: InFlightFetch): void {
    const at = this.#waiting.indexOf(fetching);
    if (at !== -1) this.#waiting.splice(at, 1);
  }

  stop(): void {
    this.#cancelTimer();
  }

  /** A call may end at any moment, but when the window has room is known. */
  #isWorthWaiting(fetching: InFlightFetch, waitMs: number): boolean {
    const { budget, now } = this.#parts;
    const leftMs = fetching.untilMs() - now();
    if (leftMs <= 0) return false;
    return waitMs === Number.POSITIVE_INFINITY ? budget.underWay > 0 : waitMs < leftMs;
  }

  /** Lets calls begin as far as the limits allow. Runs again when they may allow more, or when somebody stops waiting. */
  #dispatch(): void {
    const { budget, mayPass, call, refuse, now, schedule } = this.#parts;
    this.#cancelTimer();
    const nowMs = now();
    for (const fetching of [...this.#waiting]) {
      if (!mayPass()) refuse(fetching, 'skipped_breaker_open');
      else if (fetching.untilMs() <= nowMs) refuse(fetching, 'skipped_throttled');
      else if (budget.waitMs() === 0) {
        this.leave(fetching);
        call(fetching);
      }
    }
    if (this.#waiting.length === 0) return;
    const soonest = this.#waiting.reduce((earliest, fetching) => Math.min(earliest, fetching.untilMs()), Number.POSITIVE_INFINITY);
    this.#cancelTimer = schedule(Math.max(1, Math.min(soonest - nowMs, budget.waitMs())), () => this.#dispatch());
  }
}
