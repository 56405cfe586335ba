/** How many shades the map has, not counting the one for no value. */
export const STEPS = 5;

/**
 * The smallest value of each shade, from the faintest to the strongest. The values grow geometrically towards the largest one, so that a
 * country with a hundredth of its clicks still differs from one without any. There are fewer shades if the largest value is too small for
 * all of them.
 */
export function thresholds(largest: number): readonly number[] {
  if (largest < 1) return [];
  const least = Array.from({ length: STEPS }, (_, step) => Math.round(largest ** (step / STEPS)));
  return [...new Set(least)];
}

/** The shade of a value, starting at 1; 0 for no value. The largest value has the strongest shade, however few shades there are. */
export function stepOf(value: number, least: readonly number[]): number {
  const reached = least.filter((bound) => value >= bound).length;
  return reached === 0 ? 0 : reached + STEPS - least.length;
}

/** The range of values of each shade: `1–9`, `10–99`, and from the last bound to the largest value. */
export function ranges(least: readonly number[], largest: number): readonly (readonly [number, number])[] {
  return least.map((bound, at) => [bound, (least[at + 1] ?? largest + 1) - 1] as const);
}
