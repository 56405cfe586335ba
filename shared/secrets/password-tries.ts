import type { Clock } from '../base/clock.js';
import { PASSWORD_TRIES_OF_MINUTE, PASSWORDS_WAITING_MAX } from '../base/limits.js';
import { isPassword } from './password-hash.js';

/**
 * `throttled` and `busy`: the password was not compared. `throttled`: there were too many wrong ones within the minute. `busy`: too many
 * are waiting, perhaps all of them right.
 */
export type TryOutcome = 'right' | 'wrong' | 'throttled' | 'busy';

const MINUTE_MS = 60_000;

/** One attempt: what the visitor entered, the hash of the link, and the environment that the link belongs to. */
export interface PasswordAttempt {
  readonly password: string;
  readonly hash: string;
  readonly environment: string;
}

/** Those who wait for their turn, by address, in the order in which addresses are served. `false`: the place was given to another. */
type Turns = Map<string, ((isTurn: boolean) => void)[]>;

/** Pairs of link and address with wrong passwords that are counted within a minute. If there are more, further pairs have to wait. */
const FAILURES_MAX = 10_000;

/**
 * Checks the passwords that visitors enter for links, one after the other: each comparison takes a thread 100 ms or more. After
 * each comparison it pauses for the same time, so that a flood of passwords takes at most half a core per process and leaves the
 * rest for redirects. Wrong passwords are counted per link and address, so somebody who guesses locks out only themselves. An address
 * may have as many passwords waiting as there are free places, and addresses take turns: no address alone fills the queue or keeps the
 * others waiting, not even with right passwords. Nor does an environment, with visitors of however many addresses: environments take
 * turns too, and if all places are taken, the environment with the most waiting gives one to an environment that has fewer.
 */
export class PasswordTries {
  readonly #clock: Clock;
  readonly #compare: typeof isPassword;
  readonly #failures = new Map<string, number>();
  #minute = 0;
  readonly #waitingOf = new Map<string, number>();
  #waiting = 0;
  /** By environment, in the order in which environments are served. */
  readonly #turns = new Map<string, Turns>();
  #isBusy = false;

  constructor(clock: Clock, compare: typeof isPassword = isPassword) {
    this.#clock = clock;
    this.#compare = compare;
  }

  async attempt(linkId: string, address: string, { password, hash, environment }: PasswordAttempt): Promise<TryOutcome> {
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
    if (waiting >= PASSWORDS_WAITING_MAX - this.#waiting && !(waiting === 0 && this.#takePlace(environment))) return 'busy';
    // Counted before it is compared, so that a hundred sent at once are a hundred tries.
    this.#failures.set(key, failures + 1);
    this.#count(address, 1);
    if (!(await this.#turn(environment, address))) {
      this.#count(address, -1);
      this.#failures.set(key, Math.max(0, (this.#failures.get(key) ?? 0) - 1));
      return 'busy';
    }
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

  #turn(environment: string, address: string): Promise<boolean> | true {
    if (!this.#isBusy) {
      this.#isBusy = true;
      return true;
    }
    return new Promise((resolve) => {
      const turns = this.#turns.get(environment) ?? new Map();
      this.#turns.set(environment, turns.set(address, [...(turns.get(address) ?? []), resolve]));
    });
  }

  /** Gives the turn to the environment that was served longest ago, and there to the address that was. */
  #next(): void {
    const [first] = this.#turns;
    if (first === undefined) {
      this.#isBusy = false;
      return;
    }
    const [environment, turns] = first;
    const [[address, [begin, ...rest]]] = turns as unknown as [[string, [(isTurn: boolean) => void]]];
    turns.delete(address);
    if (rest.length > 0) turns.set(address, rest);
    this.#turns.delete(environment);
    if (turns.size > 0) this.#turns.set(environment, turns);
    begin(true);
  }

  /** Takes the last place of the environment with the most waiting, if this one has at least two fewer. */
  #takePlace(environment: string): boolean {
    const waitingIn = (turns: Turns): number => [...turns.values()].reduce((sum, { length }) => sum + length, 0);
    const [most] = [...this.#turns.values()].sort((one, other) => waitingIn(other) - waitingIn(one));
    const last = [...(most ?? [])].at(-1);
    if (most === undefined || last === undefined || waitingIn(most) < waitingIn(this.#turns.get(environment) ?? new Map()) + 2)
      return false;
    const [address, begins] = last;
    begins.pop()?.(false);
    if (begins.length === 0) most.delete(address);
    return true;
  }

  #count(address: string, change: 1 | -1): void {
    this.#waiting += change;
    const waiting = (this.#waitingOf.get(address) ?? 0) + change;
    if (waiting > 0) this.#waitingOf.set(address, waiting);
    else this.#waitingOf.delete(address);
  }
}
