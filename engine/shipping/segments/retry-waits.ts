import { backoffMs } from '../../../shared/base/backoff.js';
import type { Clock } from '../../../shared/base/clock.js';

const RETRY_BASE_MS = 2_000;
/** A disk that is back after an hour is noticed within a minute, and one that is not costs a round a minute for each of its files. */
const RETRY_CAP_MS = 60_000;

interface Wait {
  readonly failures: number;
  readonly retryAtMs: number;
}

/** Files that something has failed with, by name. Each rests for a while, longer after each failure, and is then tried again. */
export class RetryWaits {
  readonly #clock: Clock;
  readonly #waits = new Map<string, Wait>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes a failure. Returns how many there were in a row. */
  note(name: string): number {
    const failures = (this.#waits.get(name)?.failures ?? 0) + 1;
    // No jitter: there is nobody to fall into step with.
    const waitMs = backoffMs(failures, RETRY_BASE_MS, RETRY_CAP_MS, () => 1);
    this.#waits.set(name, { failures, retryAtMs: this.#clock() + waitMs });
    return failures;
  }

  /** Whether the file is to be left alone now. */
  rests(name: string): boolean {
    const wait = this.#waits.get(name);
    if (wait === undefined) return false;
    const leftMs = wait.retryAtMs - this.#clock();
    // A clock that was set back must not put this off until it has caught up.
    return leftMs > 0 && leftMs <= RETRY_CAP_MS;
  }

  /** Whether something has failed with the file, and nothing has succeeded since. */
  has(name: string): boolean {
    return this.#waits.has(name);
  }

  forget(name: string): void {
    this.#waits.delete(name);
  }
}
