import { refuse, refuseUnavailable } from './problems.js';

export interface BudgetLimits {
  /** What the budget limits, as it follows "Too many" in a refusal: "bodies are being sent at once". */
  readonly what: string;
  /** The limit for all holders together. */
  readonly max: number;
  readonly holderMax: number;
}

/**
 * Limits how much of something may be in use at once, such as bytes of bodies in memory. A holder is a key or an address; each has its
 * own limit, so that one that needs much does not use up what others need.
 */
export class Budget {
  readonly #limits: BudgetLimits;
  readonly #heldBy = new Map<string, number>();
  #held = 0;

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
  }

  /** Takes from the budget. Throws 429 if this would exceed the limit of the holder, and 503 if it would exceed the limit of all. */
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

  /** Runs `work` while `amount` of the budget is taken. Throws as `take` does. */
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
