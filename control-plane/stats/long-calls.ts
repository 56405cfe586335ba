import {
  STATS_CALL_MS_MAX,
  STATS_LONG_AFTER_MS,
  STATS_LONG_AT_ONCE,
  STATS_LONG_OF_ENVIRONMENT_AT_ONCE,
  STATS_OF_ENVIRONMENT_AT_ONCE,
} from '../../shared/base/stats-limits.js';
import { Budget, type BudgetRefusals } from '../http/budget.js';
import { type Refusal, refuse } from '../http/problems.js';
import { EnvironmentPlaces } from './environment-places.js';
import type { StatsSource } from './source.js';

export interface LongCallLimits {
  readonly callMs: number;
  readonly longAfterMs: number;
  readonly max: number;
  readonly ofEnvironmentMax: number;
}

const LIMITS: LongCallLimits = {
  callMs: STATS_CALL_MS_MAX,
  longAfterMs: STATS_LONG_AFTER_MS,
  max: STATS_LONG_AT_ONCE,
  ofEnvironmentMax: STATS_LONG_OF_ENVIRONMENT_AT_ONCE,
};

interface Caller {
  readonly environmentId: string;
  /** Aborted when the client has closed the connection; null if others wait for the same response. */
  readonly gone: AbortSignal | null;
}

/**
 * Limits calls for statistics from a store that can read any amount of clicks. A call that has taken as long as a statement of PostgreSQL
 * may take continues only if few other such calls are running, because long calls would use up the store for everybody else. If a call may
 * not continue, has reached its time limit, or its client has closed the connection, its statements are cancelled.
 *
 * From PostgreSQL, a few calls of an environment are answered at once and its others wait, because this process and its threads count the
 * clicks: calls of other environments would have to wait for all of them.
 */
export class LongCalls {
  readonly #limits: LongCallLimits;
  readonly #long: Budget;
  readonly #places = new EnvironmentPlaces(STATS_OF_ENVIRONMENT_AT_ONCE);

  constructor(limits: Partial<LongCallLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
    const { max, ofEnvironmentMax } = this.#limits;
    this.#long = new Budget({ max, holderMax: ofEnvironmentMax, refusals: REFUSALS });
  }

  async answer<Result>(
    source: StatsSource,
    { environmentId, gone }: Caller,
    work: (source: StatsSource) => Promise<Result>,
  ): Promise<Result> {
    const { callMs, longAfterMs } = this.#limits;
    if (source.clickStore.inSnapshot) {
      const deadline = performance.now() + callMs;
      return this.#places.with(environmentId, () => {
        if (gone?.aborted === true) throw clientGone();
        if (performance.now() > deadline) throw REFUSALS.holder();
        // PostgreSQL enforces its own statement timeout.
        return work(source);
      });
    }
    const stop = new AbortController();
    let isLong = false;
    const becomesLong = setTimeout(() => {
      try {
        this.#long.take(environmentId, 1);
        isLong = true;
      } catch (refusal) {
        stop.abort(refusal);
      }
    }, longAfterMs);
    const ends = setTimeout(() => stop.abort(tooLong(callMs)), callMs);
    const leave = () => stop.abort(clientGone());
    gone?.addEventListener('abort', leave, { once: true });
    if (gone?.aborted === true) leave();
    try {
      stop.signal.throwIfAborted();
      return await work({ ...source, abort: stop.signal });
    } catch (error) {
      throw stop.signal.aborted ? stop.signal.reason : error;
    } finally {
      clearTimeout(becomesLong);
      clearTimeout(ends);
      gone?.removeEventListener('abort', leave);
      if (isLong) this.#long.giveBack(environmentId, 1);
    }
  }
}

/** After this time one of the long calls may have ended. */
const RETRY = { 'retry-after': '5' };

const REFUSALS: BudgetRefusals = {
  holder: () => refuse('rate_limited', 'Other long calls for statistics of this environment are running: try again in a moment.', RETRY),
  all: () => refuse('service_unavailable', 'Other long calls for statistics are running: try again in a moment.', RETRY),
};

function clientGone(): Refusal {
  return refuse('bad_request', 'The client closed the connection.');
}

function tooLong(callMs: number): Refusal {
  return refuse('service_unavailable', `This takes more than ${callMs / 1000} seconds: ask for fewer days, or try again.`, RETRY);
}
