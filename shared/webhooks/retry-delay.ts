import { jitterMs } from '../base/backoff.js';
import { invariant } from '../base/invariant.js';
import { WEBHOOK_ATTEMPTS_MAX } from '../base/limits.js';

/** Either way. Deliveries that failed together do not return together, and the schedule stays recognisable. */
const RETRY_JITTER_RATIO = 0.1;

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
