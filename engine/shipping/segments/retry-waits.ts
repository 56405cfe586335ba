import { backoffMs } from '../../../shared/base/backoff.js';
import type { Clock } from '../../../shared/base/clock.js';

const RETRY_BASE_MS = 2_000;
/** A disk that is back after an hour is noticed within a minute. One that is not costs one round per minute for each of its files. */
const RETRY_CAP_MS = 60_000;

interface Wait {
  readonly failures: number;
  readonly retryAtMs: number;
}

/** Files with which an operation has failed, by name. Each is left alone for a while, longer after each failure, and then retried. */
export class RetryWaits {
  readonly #clock: Clock;
  readonly #waits = new Map<string, Wait>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records a failure. Returns the number of failures in a row. */
  note(name: string): number {
    const failures = (this.#waits.get(name)?.failures ?? 0) + 1;
    // No jitter: no other process retries at the same time.
    const waitMs = backoffMs(failures, RETRY_BASE_MS, RETRY_CAP_MS, () => 1);
    this.#waits.set(name, { failures, retryAtMs: this.#clock() + waitMs });
    return failures;
  }

  /** Whether to leave the file alone for now. */
  isWaiting(name: string): boolean {
    const wait = this.#waits.get(name);
    if (wait === undefined) return false;
    const leftMs = wait.retryAtMs - this.#clock();
    // A clock that was set back must not delay the retry until it has caught up.
    return leftMs > 0 && leftMs <= RETRY_CAP_MS;
  }

  /** Whether an operation has failed with the file, and none has succeeded since. */
  has(name: string): boolean {
    return this.#waits.has(name);
  }

  forget(name: string): void {
    this.#waits.delete(name);
  }
}
