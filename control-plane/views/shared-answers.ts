import {
  SHARED_VIEW_REMEMBERED_MS,
  SHARED_VIEWS_AT_ONCE,
  SHARED_VIEWS_OF_ENVIRONMENT_AT_ONCE,
  SHARED_VIEWS_REMEMBERED,
} from '../../shared/base/view-limits.js';
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
  readonly #countingOf = new Map<string, number>();
  #counting = 0;

  constructor(monotonicMs: () => number = () => performance.now()) {
    this.#monotonicMs = monotonicMs;
  }

  /** `key` must contain everything on which the result depends. */
  read(environmentId: string, key: string, count: () => Promise<Answer>): Promise<Answer> {
    const now = this.#monotonicMs();
    const known = this.#remembered.get(key);
    if (known !== undefined && known.untilMs > now) return known.answer;
    const answer = this.#count(environmentId, count);
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

  async #count(environmentId: string, count: () => Promise<Answer>): Promise<Answer> {
    const own = this.#countingOf.get(environmentId) ?? 0;
    if (own >= SHARED_VIEWS_OF_ENVIRONMENT_AT_ONCE)
      throw refuse('rate_limited', 'Other shared views of the same owner are being counted: try again in a moment.', {
        'retry-after': '2',
      });
    if (this.#counting >= SHARED_VIEWS_AT_ONCE) throw refuseUnavailable('Other shared views are being counted: try again in a moment.');
    this.#countingOf.set(environmentId, own + 1);
    this.#counting++;
    try {
      return await count();
    } finally {
      this.#counting--;
      const left = (this.#countingOf.get(environmentId) ?? 1) - 1;
      if (left > 0) this.#countingOf.set(environmentId, left);
      else this.#countingOf.delete(environmentId);
    }
  }
}
