import {
  SHARED_VIEW_REMEMBERED_MS,
  SHARED_VIEWS_AT_ONCE,
  SHARED_VIEWS_OF_ENVIRONMENT_AT_ONCE,
  SHARED_VIEWS_REMEMBERED,
} from '../../shared/base/view-limits.js';
import { Budget } from '../http/budget.js';
import { refuse, refuseUnavailable } from '../http/problems.js';

interface Remembered<Answer> {
  readonly answer: Promise<Answer>;
  readonly untilMs: number;
}

/**
 * Caches the latest results of shared views. Anybody may request them, and a count may read the log for seconds. Simultaneous requests for
 * the same view share one count, requests soon after get its result, and the number of counts at a time is limited. Who may see a view
 * is not cached.
 */
export class SharedAnswers<Answer> {
  readonly #monotonicMs: () => number;
  readonly #remembered = new Map<string, Remembered<Answer>>();
  readonly #counting = new Budget({
    max: SHARED_VIEWS_AT_ONCE,
    holderMax: SHARED_VIEWS_OF_ENVIRONMENT_AT_ONCE,
    refusals: {
      holder: () =>
        refuse('rate_limited', 'Other shared views of the same owner are being counted: try again in a moment.', { 'retry-after': '2' }),
      all: () => refuseUnavailable('Other shared views are being counted: try again in a moment.'),
    },
  });

  constructor(monotonicMs: () => number = () => performance.now()) {
    this.#monotonicMs = monotonicMs;
  }

  /** `key` must contain everything on which the result depends. */
  read(environmentId: string, key: string, count: () => Promise<Answer>): Promise<Answer> {
    const now = this.#monotonicMs();
    const known = this.#remembered.get(key);
    if (known !== undefined && known.untilMs > now) return known.answer;
    const answer = this.#counting.with(environmentId, 1, count);
    this.#remembered.delete(key);
    for (const oldest of this.#remembered.keys()) {
      if (this.#remembered.size < SHARED_VIEWS_REMEMBERED) break;
      this.#remembered.delete(oldest);
    }
    const remembered = { answer, untilMs: now + SHARED_VIEW_REMEMBERED_MS };
    this.#remembered.set(key, remembered);
    answer.catch(() => {
      if (this.#remembered.get(key) === remembered) this.#remembered.delete(key);
    });
    return answer;
  }
}
