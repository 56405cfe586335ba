import { backoffMs } from '../../../shared/base/backoff.js';
import type { Clock } from '../../../shared/base/clock.js';
import type { SegmentReadError } from './segment-read-error.js';

const RETRY_BASE_MS = 2_000;
/** A disk that is back after an hour is noticed within a minute, and one that is not costs a round a minute for each of its files. */
const RETRY_CAP_MS = 60_000;

interface Trouble {
  readonly reason: string;
  readonly failures: number;
  readonly retryAtMs: number;
}

/**
 * Segments whose files the system does not let be read. Each is left out for a while and then tried again, without end:
 * a disk, or the network one lies on, may come back, and its clicks with it. Meanwhile the other segments are stored.
 */
export class UnreadableSegments {
  readonly #clock: Clock;
  readonly #troubles = new Map<string, Trouble>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note({ segment, message }: SegmentReadError): void {
    const failures = (this.#troubles.get(segment)?.failures ?? 0) + 1;
    // No jitter: there is nobody to fall into step with.
    const waitMs = backoffMs(failures, RETRY_BASE_MS, RETRY_CAP_MS, () => 1);
    this.#troubles.set(segment, { reason: message, failures, retryAtMs: this.#clock() + waitMs });
  }

  /** Whether the segment is to be left out now. */
  rests(segment: string): boolean {
    const trouble = this.#troubles.get(segment);
    if (trouble === undefined) return false;
    const leftMs = trouble.retryAtMs - this.#clock();
    // A clock that was set back must not put this off until it has caught up.
    return leftMs > 0 && leftMs <= RETRY_CAP_MS;
  }

  /** A round has succeeded: its segments can be read again, and files that are gone are forgotten. */
  forgetReadable(there: ReadonlySet<string>): void {
    for (const segment of this.#troubles.keys()) if (!this.rests(segment) || !there.has(segment)) this.#troubles.delete(segment);
  }

  get count(): number {
    return this.#troubles.size;
  }

  /** Why the first of them cannot be read; '' if all can. */
  get reason(): string {
    for (const { reason } of this.#troubles.values()) return reason;
    return '';
  }
}
