/** How many shades the map tells apart, beside the one of nothing. */
export const STEPS = 5;

/**
 * The least value of each shade, from the faintest: powers of the largest one, so that a country with a hundredth of its clicks can
 * still be told from one with none. Fewer of them if there are fewer values.
 */
export function thresholds(largest: number): readonly number[] {
  if (largest < 1) return [];
  const least = Array.from({ length: STEPS }, (_, step) => Math.round(largest ** (step / STEPS)));
  return [...new Set(least)];
}

/** The shade of a value, from 1; 0 for nothing. The largest has the strongest, however few there are. */
export function stepOf(value: number, least: readonly number[]): number {
  const reached = least.filter((bound) => value >= bound).length;
  return reached === 0 ? 0 : reached + STEPS - least.length;
}

/** What the shades stand for: `1–9`, `10–99`, and from the last bound to the largest value. */
export function ranges(least: readonly number[], largest: number): readonly (readonly [number, number])[] {
  return least.map((bound, at) => [bound, (least[at + 1] ?? largest + 1) - 1] as const);
}
