/** The outcome of a request, as far as its client can know. */
export type RequestOutcome =
  /** Redirected: its click must be in the log, once. */
  | { readonly is: 'answered' }
  /** The connection broke before the answer: its click may be in the log, once. */
  | { readonly is: 'in doubt' }
  /** The connection was refused: the request never reached a process. */
  | { readonly is: 'refused' }
  /** Answered with something other than a redirect. */
  | { readonly is: 'wrong'; readonly status: number };

/** Where the click log and the ledger disagree; empty lists if they agree to the last click. */
export interface Disagreement {
  readonly lost: readonly number[];
  readonly doubled: readonly number[];
  readonly unknown: readonly (number | string | null)[];
}

const UNSENT = 0;
const ANSWERED = 1;
const IN_DOUBT = 2;
const OTHERWISE = 3;
/** How many examples are kept: what is wrong in the same way a million times needs no more. */
const WRONG_KEPT = 20;

/**
 * The books of clients. Every request has a number of its own in its query, which a link with `allow_param_passthrough`
 * stores with its click, so that the click log can be compared request by request. A request takes one byte, so that
 * ten minutes at full rate fit.
 */
export class Ledger {
  #states = new Uint8Array(1 << 16);
  #next = 1;
  readonly wrong: string[] = [];
  answered = 0;
  inDoubt = 0;
  refused = 0;

  /** Returns the number of a new request. */
  begin(): number {
    const number = this.#next++;
    if (number >= this.#states.length) {
      const grown = new Uint8Array(this.#states.length * 2);
      grown.set(this.#states);
      this.#states = grown;
    }
    return number;
  }

  end(number: number, outcome: RequestOutcome): void {
    switch (outcome.is) {
      case 'answered':
        this.answered++;
        this.#states[number] = ANSWERED;
        return;
      case 'in doubt':
        this.inDoubt++;
        this.#states[number] = IN_DOUBT;
        return;
      case 'refused':
        this.refused++;
        this.#states[number] = OTHERWISE;
        return;
      case 'wrong':
        this.#states[number] = OTHERWISE;
        if (this.wrong.length < WRONG_KEPT) this.wrong.push(`${number}: ${outcome.status}`);
    }
  }

  /** `params` are the stored queries of all clicks, in some lists: `n=17`. */
  async compare(params: AsyncIterable<readonly (string | null)[]>): Promise<Disagreement> {
    const seen = new Uint8Array(this.#next);
    const doubled: number[] = [];
    const unknown: (number | string | null)[] = [];
    for await (const list of params)
      for (const text of list) {
        const number = text?.startsWith('n=') ? Number(text.slice(2)) : 0;
        const state = this.#states[number] ?? UNSENT;
        if (state !== ANSWERED && state !== IN_DOUBT) unknown.push(number === 0 ? text : number);
        else if (seen[number] === 1) doubled.push(number);
        else seen[number] = 1;
      }
    const lost: number[] = [];
    for (let number = 1; number < this.#next; number++) if (this.#states[number] === ANSWERED && seen[number] === 0) lost.push(number);
    return { lost, doubled, unknown };
  }
}
