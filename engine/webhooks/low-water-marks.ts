import { type QueuedEndpoint, type QueueMarks, type QueueScan, queueOf } from './queue-scan.js';

/**
 * A row may be committed up to this long after its `due_at`, because its transaction took that long. Rows that are committed later
 * are found by the next full scan.
 */
export const COMMIT_GRACE_MS = 2000;

/**
 * Where the scan of each queue begins: nothing that can be claimed was due before. A queue that a scan reported has the time of its
 * earliest row; all others share one mark, the time of the scan minus `COMMIT_GRACE_MS`.
 *
 * Two kinds of rows can appear below the mark later: a row whose lease ends without an outcome, and a row that was committed late.
 * So every queue is scanned completely from time to time, and the marks are lowered to the rows that are found.
 */
export class LowWaterMarks {
  /** Replaced as a whole. Nothing is known before the first scan. */
  #marks: QueueMarks = { common: null, lower: new Map() };

  get marks(): QueueMarks {
    return this.#marks;
  }

  of(queue: Pick<QueuedEndpoint, 'webhook_id' | 'manual'>): Date | null {
    return this.#marks.lower.get(queueOf(queue)) ?? this.#marks.common;
  }

  /**
   * Raises the marks after a scan that began at the marks `from`. Does nothing if they have been lowered meanwhile, because that
   * scan did not see why.
   */
  raise(from: QueueMarks, { scanned_at, queued }: QueueScan): void {
    if (this.#marks !== from) return;
    const common = new Date(scanned_at.getTime() - COMMIT_GRACE_MS);
    this.#marks = { common, lower: dueAtOf(queued.filter(({ due_at }) => due_at < common)) };
  }

  /** Lowers the marks after a full scan. Returns whether it found what the marks would have hidden. */
  lowerTo({ queued }: QueueScan): boolean {
    const { common, lower } = this.#marks;
    if (common === null) return false;
    const hidden = queued.filter((queue) => queue.due_at < (lower.get(queueOf(queue)) ?? common));
    if (hidden.length === 0) return false;
    this.#marks = { common, lower: new Map([...lower, ...dueAtOf(hidden)]) };
    return true;
  }
}

function dueAtOf(queued: readonly QueuedEndpoint[]): ReadonlyMap<string, Date> {
  return new Map(queued.map((queue) => [queueOf(queue), queue.due_at]));
}
