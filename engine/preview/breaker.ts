import { invariant } from '../../shared/base/invariant.js';
import { assertTransition, type Predecessors } from '../../shared/base/transitions.js';

/** The breaker opens after this many failures in a row, or if this share of at least that many calls within the period failed. */
const FAILURES_IN_A_ROW = 5;
const CALLS_JUDGED_MIN = 20;
const FAILED_SHARE = 0.5;
const PERIOD_SECONDS = 30;
/** How long the breaker stays open. The time doubles with each failed probe. */
const OPEN_MS_FIRST = 10_000;
const OPEN_MS_MAX = 300_000;

/**
 * Keeps calls away from an API that fails, and lets one through now and then to check whether it still does.
 *
 * `closed`     Calls pass, and their outcomes are judged. Goes to `open` after five failures in a row, or when half of at least
 *              twenty calls in the last 30 seconds have failed.
 * `open`       No call passes until `untilMs`. The outcomes of calls that passed earlier no longer count. The first call after
 *              that time is the probe, and leads to `half_open`.
 * `half_open`  The probe is under way and no other call passes. Its success leads to `closed`, with an empty history; its
 *              failure leads to `open`, for twice as long as before and at most 300 seconds.
 */
type BreakerState =
  | { readonly kind: 'closed'; readonly failuresInARow: number }
  | { readonly kind: 'open'; readonly untilMs: number; readonly openMs: number }
  | { readonly kind: 'half_open'; readonly openMs: number };

const PREDECESSORS: Predecessors<BreakerState['kind']> = {
  closed: ['closed', 'half_open'],
  open: ['closed', 'half_open'],
  half_open: ['open'],
};

/** A permit for one call, to be returned with the call's outcome. */
export interface Permit {
  /** How often the kind of the state had changed. Calls that passed before the last change are not judged. */
  readonly era: number;
}

export class Breaker {
  readonly #now: () => number;
  readonly #recent = new RecentCalls();
  #state: BreakerState = { kind: 'closed', failuresInARow: 0 };
  #era = 0;

  /** `now` gives monotonic milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  kind(): BreakerState['kind'] {
    return this.#state.kind;
  }

  /** Whether a call would pass now. */
  wouldPass(): boolean {
    const state = this.#state;
    return state.kind === 'closed' || (state.kind === 'open' && this.#now() >= state.untilMs);
  }

  /** Must be called only if `wouldPass` returns true, for a call that is made now. */
  pass(): Permit {
    const state = this.#state;
    invariant(this.wouldPass(), 'a call passes only where the breaker lets it');
    if (state.kind === 'open') this.#become({ kind: 'half_open', openMs: state.openMs });
    return { era: this.#era };
  }

  /** Takes the outcome of a call that passed. Must be called once for each. */
  settle(permit: Permit, outcome: 'succeeded' | 'failed'): void {
    if (permit.era !== this.#era) return;
    const state = this.#state;
    if (state.kind === 'half_open') this.#settleProbe(state.openMs, outcome);
    else if (state.kind === 'closed') this.#judge(state.failuresInARow, outcome);
  }

  #settleProbe(openMs: number, outcome: 'succeeded' | 'failed'): void {
    this.#recent.clear();
    if (outcome === 'succeeded') this.#become({ kind: 'closed', failuresInARow: 0 });
    else this.#open(Math.min(2 * openMs, OPEN_MS_MAX));
  }

  #judge(failuresBefore: number, outcome: 'succeeded' | 'failed'): void {
    const failuresInARow = outcome === 'failed' ? failuresBefore + 1 : 0;
    this.#recent.count(this.#now(), outcome);
    const { calls, failures } = this.#recent.sums(this.#now());
    const manyFailed = calls >= CALLS_JUDGED_MIN && failures >= FAILED_SHARE * calls;
    if (failuresInARow >= FAILURES_IN_A_ROW || manyFailed) this.#open(OPEN_MS_FIRST);
    else this.#become({ kind: 'closed', failuresInARow });
  }

  #open(openMs: number): void {
    this.#become({ kind: 'open', untilMs: this.#now() + openMs, openMs });
  }

  #become(state: BreakerState): void {
    assertTransition('the breaker', PREDECESSORS, this.#state.kind, state.kind);
    if (state.kind !== this.#state.kind) this.#era += 1;
    this.#state = state;
  }
}

/** Counts calls by the second in which they ended, for the last 30 seconds. The counts are accurate to a second. */
class RecentCalls {
  readonly #seconds = new Float64Array(PERIOD_SECONDS).fill(Number.NEGATIVE_INFINITY);
  readonly #calls = new Uint32Array(PERIOD_SECONDS);
  readonly #failures = new Uint32Array(PERIOD_SECONDS);

  count(nowMs: number, outcome: 'succeeded' | 'failed'): void {
    const second = Math.floor(nowMs / 1000);
    const at = second % PERIOD_SECONDS;
    if (this.#seconds[at] !== second) {
      this.#seconds[at] = second;
      this.#calls[at] = 0;
      this.#failures[at] = 0;
    }
    this.#calls[at] = (this.#calls[at] as number) + 1;
    if (outcome === 'failed') this.#failures[at] = (this.#failures[at] as number) + 1;
  }

  sums(nowMs: number): { readonly calls: number; readonly failures: number } {
    const oldest = Math.floor(nowMs / 1000) - PERIOD_SECONDS;
    let calls = 0;
    let failures = 0;
    for (let at = 0; at < PERIOD_SECONDS; at++) {
      if ((this.#seconds[at] as number) <= oldest) continue;
      calls += this.#calls[at] as number;
      failures += this.#failures[at] as number;
    }
    return { calls, failures };
  }

  clear(): void {
    this.#seconds.fill(Number.NEGATIVE_INFINITY);
  }
}
