import type { Later } from '../../shared/base/later.js';

/**
 * A timer that lets sockets have their turn first: where this process itself was held up, its timers are due before the
 * answer that has long come is read.
 */
export const afterSockets: Later = (milliseconds, run) => {
  let turn: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    turn = setImmediate(run);
  }, milliseconds);
  return () => {
    clearTimeout(timer);
    clearImmediate(turn);
  };
};

export interface PatienceOptions {
  readonly patientMs: number;
  readonly waryMs: number;
  readonly later?: Later;
}

interface Wait {
  readonly giveUp: () => void;
  cancel: () => void;
}

/**
 * How long to wait for somebody who may be loaded, and may hang.
 *
 * `patient`  Whoever waits does so for `patientMs`: a loaded server answers late, and late is better than not at all.
 *            Left when one wait ends without an answer: then the others have `waryMs` left at most.
 * `wary`     Whoever waits does so for `waryMs`. Left when an answer comes that took no longer than `patientMs`, whether
 *            or not anybody still waits for it.
 */
export class Patience {
  readonly #options: PatienceOptions;
  readonly #later: Later;
  #state: 'patient' | 'wary' = 'patient';
  readonly #waits = new Set<Wait>();

  constructor(options: PatienceOptions) {
    this.#options = options;
    this.#later = options.later ?? afterSockets;
  }

  get wary(): boolean {
    return this.#state === 'wary';
  }

  /** Begins a wait; `giveUp` is called when it has been long enough. To be ended by what this answers, given up or not. */
  begin(giveUp: () => void): () => void {
    const wait: Wait = { giveUp, cancel: () => undefined };
    this.#waits.add(wait);
    this.#arm(wait, this.wary ? this.#options.waryMs : this.#options.patientMs);
    return () => {
      wait.cancel();
      this.#waits.delete(wait);
    };
  }

  /** An answer came; `tookMs` is the time since it was asked for. */
  answered(tookMs: number): void {
    if (tookMs <= this.#options.patientMs) this.#state = 'patient';
  }

  #arm(wait: Wait, milliseconds: number): void {
    wait.cancel();
    wait.cancel = this.#later(milliseconds, () => {
      this.#waits.delete(wait);
      this.#becomeWary();
      wait.giveUp();
    });
  }

  #becomeWary(): void {
    if (this.wary) return;
    this.#state = 'wary';
    for (const wait of this.#waits) this.#arm(wait, this.#options.waryMs);
  }
}
