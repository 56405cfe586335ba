import { jitterMs } from '../base/backoff.js';
import { invariant } from '../base/invariant.js';
import { WEBHOOK_ATTEMPTS_MAX } from '../base/limits.js';

/**
 * The waits of the contract between the eight attempts: 1 min, 5 min, 30 min, 2 h, 6 h, 12 h, 24 h. They sum to 160,560 s
 * (44 h 36 min), so that a receiver that is down for a weekend day still gets everything.
 */
export const RETRY_DELAYS_SECONDS: readonly number[] = [60, 300, 1800, 7200, 21_600, 43_200, 86_400];

/** Either way. Deliveries that failed together do not return together, and the schedule stays recognisable. */
export const RETRY_JITTER_RATIO = 0.1;

/**
 * Milliseconds from the end of failed attempt `attempt` (from 1) to the next one; null if it was the last. A list
 * shorter than seven repeats its last wait, a longer one is used up to its seventh: there are eight attempts in any case.
 */
export function retryDelayMs(attempt: number, delaysSeconds: readonly number[], random: () => number = Math.random): number | null {
  invariant(Number.isInteger(attempt) && attempt >= 1, 'attempts are counted from 1');
  if (attempt >= WEBHOOK_ATTEMPTS_MAX) return null;
  const seconds = delaysSeconds[Math.min(attempt, delaysSeconds.length) - 1];
  invariant(seconds !== undefined, 'the retry schedule is empty');
  return jitterMs(seconds * 1000, RETRY_JITTER_RATIO, random);
}
