import { jitterMs } from '../base/backoff.js';
import { invariant } from '../base/invariant.js';
import { WEBHOOK_ATTEMPTS_MAX } from '../base/limits.js';

/** Jitter in either direction, so that deliveries that failed together are not all repeated at the same time. */
const RETRY_JITTER_RATIO = 0.1;

/**
 * Milliseconds from the end of the failed attempt number `attempt` (from 1) to the next one; null if it was the last. There are
 * always eight attempts: a list of fewer than seven delays repeats its last one, and of a longer list only seven are used.
 */
export function retryDelayMs(attempt: number, delaysSeconds: readonly number[], random: () => number = Math.random): number | null {
  invariant(Number.isInteger(attempt) && attempt >= 1, 'attempts are counted from 1');
  if (attempt >= WEBHOOK_ATTEMPTS_MAX) return null;
  const seconds = delaysSeconds[Math.min(attempt, delaysSeconds.length) - 1];
  invariant(seconds !== undefined, 'the retry schedule is empty');
  return jitterMs(seconds * 1000, RETRY_JITTER_RATIO, random);
}
