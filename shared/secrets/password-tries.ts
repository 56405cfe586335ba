import type { Clock } from '../base/clock.js';
import { PASSWORD_TRIES_OF_MINUTE, PASSWORDS_WAITING_MAX } from '../base/limits.js';
import { isPassword } from './password-hash.js';

/**
 * `throttled` and `busy`: the password was not compared. `throttled`: there were too many wrong ones within the minute. `busy`: too many
 * are waiting, perhaps all of them right.
 */
export type TryOutcome = 'right' | 'wrong' | 'throttled' | 'busy';

const MINUTE_MS = 60_000;

/** Pairs of link and address with wrong passwords that are counted within a minute. If there are more, further pairs have to wait. */
const FAILURES_MAX = 10_000;

/**
 * Checks the passwords that visitors enter for links, one after the other: each comparison takes a thread 100 ms or more. After
 * each comparison it pauses for the same time, so that a flood of passwords takes at most half a core per process and leaves the
 * rest for redirects. Wrong passwords are counted per link and address, so somebody who guesses locks out only themselves. An address
 * may have as many passwords waiting as there are free places, and addresses take turns: no address alone fills the queue or keeps the
 * others waiting, not even with right passwords.
 */
export class PasswordTries {
  readonly #clock: Clock;
  readonly #compare: typeof isPassword;
  readonly #failures = new Map<string, number>();
  #minute = 0;
  readonly #waitingOf = new Map<string, number>();
  #waiting = 0;
  /** Those who wait for their turn, by address, in the order in which addresses are served. */
  readonly #turns = new Map<string, (() => void)[]>();
  #isBusy = false;

  constructor(clock: Clock, compare: typeof isPassword = isPassword) {
    this.#clock = clock;
    this.#compare = compare;
  }

  /** `hash` is the link's. */
  async attempt(linkId: string, address: string, { password, hash }: { password: string; hash: string }): Promise<TryOutcome> {
    const minute = Math.floor(this.#clock() / MINUTE_MS);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#failures.clear();
    }
    const key = `${linkId} ${address}`;
    const failures = this.#failures.get(key) ?? 0;
    const full = failures === 0 && this.#failures.size >= FAILURES_MAX;
    const waiting = this.#waitingOf.get(address) ?? 0;
    if (failures >= PASSWORD_TRIES_OF_MINUTE || full) return 'throttled';
    if (waiting >= PASSWORDS_WAITING_MAX - this.#waiting) return 'busy';
    // Counted before it is compared, so that a hundred sent at once are a hundred tries.
    this.#failures.set(key, failures + 1);
    this.#count(address, 1);
    await this.#turn(address);
    const beganAt = performance.now();
    try {
      const right = await this.#compare(password, hash);
      if (right) this.#failures.delete(key);
      return right ? 'right' : 'wrong';
    } finally {
      this.#count(address, -1);
      setTimeout(() => this.#next(), performance.now() - beganAt);
    }
  }

  #turn(address: string): Promise<void> | undefined {
    if (!this.#isBusy) {
      this.#isBusy = true;
      return undefined;
    }
    return new Promise((resolve) => {
      const turns = this.#turns.get(address);
      if (turns === undefined) this.#turns.set(address, [resolve]);
      else turns.push(resolve);
    });
  }

  /** Gives the turn to the address that was served longest ago. */
  #next(): void {
    const [first] = this.#turns;
    if (first === undefined) {
      this.#isBusy = false;
      return;
    }
    const [address, turns] = first;
    this.#turns.delete(address);
    const begin = turns.shift();
    if (turns.length > 0) this.#turns.set(address, turns);
    begin?.();
  }

  #count(address: string, change: 1 | -1): void {
    this.#waiting += change;
    const waiting = (this.#waitingOf.get(address) ?? 0) + change;
    if (waiting > 0) this.#waitingOf.set(address, waiting);
    else this.#waitingOf.delete(address);
  }
}
