/** Numbers that are the same on every run: mulberry32 (Tommy Ettinger, public domain), which is good enough for simulated people. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to, but not including, 1. */
  number(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  chance(probability: number): boolean {
    return this.number() < probability;
  }

  /** A whole number below `end`. */
  below(end: number): number {
    return Math.floor(this.number() * end);
  }

  /** Log-normal, by the Box-Muller transform. */
  logNormal(median: number, sigma: number): number {
    const normal = Math.sqrt(-2 * Math.log(1 - this.number())) * Math.cos(2 * Math.PI * this.number());
    return median * Math.exp(sigma * normal);
  }
}

/** Returns a number from 0 up to 1 that depends on the two numbers alone, so that a person's traits need not be stored. */
export function fixedNumber(one: number, other: number): number {
  let mixed = Math.imul(one ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(other + 0x7f4a7c15, 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}

/** Returns the value whose share `number` falls into; shares need not add up to 1. */
export function byShare<Value>(shares: readonly (readonly [Value, number])[], number: number): Value {
  const sum = shares.reduce((total, [, share]) => total + share, 0);
  let left = number * sum;
  for (const [value, share] of shares) {
    left -= share;
    if (left < 0) return value;
  }
  return (shares.at(-1) as readonly [Value, number])[0];
}
