import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../base/clock.js';
import { PASSWORD_TRIES_OF_MINUTE, PASSWORDS_WAITING_MAX } from '../base/limits.js';
import { isPassword } from './password-hash.js';

/** `throttled`: the password was not compared, because there were too many tries. */
export type TryOutcome = 'right' | 'wrong' | 'throttled';

const MINUTE_MS = 60_000;

/** Pairs of link and address with wrong passwords that are counted within a minute. If there are more, further pairs have to wait. */
const FAILURES_MAX = 10_000;

/**
 * Checks the passwords that visitors enter for links, one after the other: each comparison takes a thread 100 ms or more. After
 * each comparison it pauses for the same time, so that a flood of passwords takes at most half a core per process and leaves the
 * rest for redirects. Wrong passwords are counted per link and address, so somebody who guesses locks out only themselves. An address
 * may have as many passwords waiting as there are free places, so that no address alone fills the queue, not even with right ones.
 */
export class PasswordTries {
  readonly #clock: Clock;
  readonly #compare: typeof isPassword;
  readonly #failures = new Map<string, number>();
  #minute = 0;
  readonly #waitingOf = new Map<string, number>();
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

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
    if (waiting >= PASSWORDS_WAITING_MAX - this.#waiting || failures >= PASSWORD_TRIES_OF_MINUTE || full) return 'throttled';
    // Counted before it is compared, so that a hundred sent at once are a hundred tries.
    this.#failures.set(key, failures + 1);
    this.#count(address, 1);
    const compared = this.#last.then(() => this.#compare(password, hash));
    this.#last = this.#restAfter(compared);
    try {
      const right = await compared;
      if (right) this.#failures.delete(key);
      return right ? 'right' : 'wrong';
    } finally {
      this.#count(address, -1);
    }
  }

  #count(address: string, change: 1 | -1): void {
    this.#waiting += change;
    const waiting = (this.#waitingOf.get(address) ?? 0) + change;
    if (waiting > 0) this.#waitingOf.set(address, waiting);
    else this.#waitingOf.delete(address);
  }

  /** Settles when the next comparison may begin. Never rejects: `attempt` passes a failure on to its visitor. */
  async #restAfter(compared: Promise<unknown>): Promise<void> {
    await this.#last;
    const beganAt = performance.now();
    await compared.catch(() => undefined);
    await setTimeout(performance.now() - beganAt);
  }
}
