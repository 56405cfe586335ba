import { refuse, refuseUnavailable } from './problems.js';

export interface BudgetLimits {
  /** What the budget is of, as a refusal says it after "Too many": "bodies are being sent at once". */
  readonly what: string;
  /** Of all holders together. */
  readonly max: number;
  readonly holderMax: number;
}

/**
 * How much of something may be in use at once, such as bytes of bodies in memory. A holder is a key or an address, so that one
 * that asks for much uses up its own part and not what others need.
 */
export class Budget {
  readonly #limits: BudgetLimits;
  readonly #heldBy = new Map<string, number>();
  #held = 0;

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
  }

  /** Throws 429 where the holder has its part in use, and 503 where all of it is. */
  take(holder: string, amount: number): void {
    const { what, max, holderMax } = this.#limits;
    const held = this.#heldBy.get(holder) ?? 0;
    if (held + amount > holderMax)
      throw refuse('rate_limited', `Too many ${what} with this key or from this address.`, { 'retry-after': '1' });
    if (this.#held + amount > max) throw refuseUnavailable(`Too many ${what}.`);
    this.#held += amount;
    this.#heldBy.set(holder, held + amount);
  }

  giveBack(holder: string, amount: number): void {
    const left = (this.#heldBy.get(holder) ?? 0) - amount;
    if (left > 0) this.#heldBy.set(holder, left);
    else this.#heldBy.delete(holder);
    this.#held -= amount;
  }

  /** Does the work with so much of the budget in use. Throws as `take` does. */
  async with<Result>(holder: string, amount: number, work: () => Promise<Result>): Promise<Result> {
    this.take(holder, amount);
    try {
      return await work();
    } finally {
      this.giveBack(holder, amount);
    }
  }

  stats(): { readonly held: number; readonly holders: number } {
    return { held: this.#held, holders: this.#heldBy.size };
  }
}
