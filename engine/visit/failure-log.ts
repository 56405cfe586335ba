import type { Logger } from '../../shared/base/log.js';
import { LookupUnavailableError } from '../database/lookup-connection.js';

const GAP_MS = 1000;

/** Logs failures of visits: at most one line per second, so that a fault on every request does not flood the log. */
export class FailureLog {
  readonly #log: Logger;
  readonly #now: () => number;
  #lastMs = Number.NEGATIVE_INFINITY;

  /** `now` returns monotonic milliseconds: a clock that is set back must not hide failures. */
  constructor(log: Logger, now: () => number = () => performance.now()) {
    this.#log = log;
    this.#now = now;
  }

  add(write: (log: Logger) => void): void {
    const now = this.#now();
    if (now - this.#lastMs < GAP_MS) return;
    this.#lastMs = now;
    write(this.#log);
  }

  /** Does not log that the database is unavailable, because that is reported elsewhere. */
  addUnlessAway(error: unknown, write: (log: Logger) => void): void {
    if (!(error instanceof LookupUnavailableError)) this.add(write);
  }
}
