/**
 * Exponential waits with full jitter (https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/): the
 * wait before attempt n is uniform in [0, min(cap, base x 2^n)], so that processes that failed together do not return
 * together.
 */
export function backoffMs(attempt: number, baseMs: number, capMs: number, random: () => number = Math.random): number {
  return Math.floor(random() * Math.min(capMs, baseMs * 2 ** Math.min(attempt, 30)));
}

/** Spreads a wait by `ratio` in either direction: `jitterMs(1000, 0.1)` is in [900, 1100]. */
export function jitterMs(milliseconds: number, ratio: number, random: () => number = Math.random): number {
  return Math.round(milliseconds * (1 + ratio * (2 * random() - 1)));
}
