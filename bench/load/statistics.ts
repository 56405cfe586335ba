import { invariant } from '../../shared/base/invariant.js';

/** Machines drift and are shared, so a single figure means little, and one bad round distorts a mean. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  invariant(values.length > 0, 'a spread is of at least one value');
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  const median = sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
  return { median, min: sorted[0] as number, max: sorted.at(-1) as number };
}

/** Returns the 99th percentile for a `share` of 0.99. The values are in ascending order. Returns NaN if there are none. */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/**
 * Returns the order of one round, with every contender once, so that a machine that slows down over a round does not
 * always slow the same one. Each begins in turn, and comes as often before a neighbour as after it: of two that do the
 * same, the one that always came second took 2 to 3 % more.
 */
export function rotated<Item>(items: readonly Item[], round: number): readonly Item[] {
  const start = items.length === 0 ? 0 : (round >> 1) % items.length;
  const turned = [...items.slice(start), ...items.slice(0, start)];
  return round % 2 === 0 ? turned : turned.toReversed();
}
