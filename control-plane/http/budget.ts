import { type Refusal, refuse, refuseUnavailable } from './problems.js';

export interface BudgetLimits {
  /** The limit for all holders together. */
  readonly max: number;
  readonly holderMax: number;
  readonly refusals: BudgetRefusals;
}

export interface BudgetRefusals {
  /** The holder has reached its own limit. */
  readonly holder: () => Refusal;
  /** All holders together have reached theirs. */
  readonly all: () => Refusal;
}

/** Refusals of a budget whose holders are keys or addresses. `what` follows "Too many": "bodies are being sent at once". */
export function tooMany(what: string): BudgetRefusals {
  return {
    holder: () => refuse('rate_limited', `Too many ${what} with this key or from this address.`, { 'retry-after': '1' }),
    all: () => refuseUnavailable(`Too many ${what}.`),
  };
}

/**
 * Limits how much of something may be in use at once, such as bytes of bodies in memory. A holder is a key, an address or an environment;
 * each has its own limit, so that one that needs much does not use up what others need.
 */
export class Budget {
  readonly #limits: BudgetLimits;
  readonly #heldBy = new Map<string, number>();
  #held = 0;

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
  }

  /** Takes from the budget. Throws the refusal of the limit that this would exceed. */
  take(holder: string, amount: number): void {
    const { max, holderMax, refusals } = this.#limits;
    const held = this.#heldBy.get(holder) ?? 0;
    if (held + amount > holderMax) throw refusals.holder();
    if (this.#held + amount > max) throw refusals.all();
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
