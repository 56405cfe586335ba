import type { Clock } from '../../../shared/base/clock.js';
import { RetryWaits } from './retry-waits.js';
import type { SegmentReadError } from './segment-read-error.js';

/**
 * Segments whose files the system fails to read. Each is left out for a while and then retried, without end: a disk, or the
 * network to it, may come back, and the clicks with it. Meanwhile the other segments are stored.
 */
export class UnreadableSegments {
  readonly #waits: RetryWaits;
  /** Why each of them cannot be read. */
  readonly #reasons = new Map<string, string>();

  constructor(clock: Clock) {
    this.#waits = new RetryWaits(clock);
  }

  note({ segment, message }: SegmentReadError): void {
    this.#waits.note(segment);
    this.#reasons.set(segment, message);
  }

  /** Whether to leave the segment out for now. */
  isWaiting(segment: string): boolean {
    return this.#waits.isWaiting(segment);
  }

  /** Called after a successful round. Forgets segments that can be read again, and files that are gone. */
  forgetReadable(there: ReadonlySet<string>): void {
    for (const segment of this.#reasons.keys()) {
      if (this.isWaiting(segment) && there.has(segment)) continue;
      this.#reasons.delete(segment);
      this.#waits.forget(segment);
    }
  }

  get count(): number {
    return this.#reasons.size;
  }

  /** Why the first of them cannot be read; '' if all can. */
  get reason(): string {
    for (const reason of this.#reasons.values()) return reason;
    return '';
  }
}
