import type { QueueMarks, QueueScan } from './queue-scan.js';

/**
 * A row may be committed up to this long after its `due_at`, because its transaction took that long. Rows that are committed later
 * are found by the next full scan.
 */
export const COMMIT_GRACE_MS = 2000;

/**
 * Where the scan of each endpoint's queue begins: nothing that can be claimed was due before. An endpoint that a scan reported has
 * the time of its earliest row; all others share one mark, the time of the scan minus `COMMIT_GRACE_MS`.
 *
 * Replays and tests have no marks, because their queue is short and scanned completely.
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

  of(webhookId: string): Date | null {
    return this.#marks.lower.get(webhookId) ?? this.#marks.common;
  }

  /**
   * Raises the marks after a scan that began at the marks `from`. Does nothing if they have been lowered meanwhile, because that
   * scan did not see why.
   */
  raise(from: QueueMarks, { scanned_at, queued }: QueueScan): void {
    if (this.#marks !== from) return;
    const common = new Date(scanned_at.getTime() - COMMIT_GRACE_MS);
    const lower = new Map(
      queued.filter(({ manual, due_at }) => !manual && due_at < common).map(({ webhook_id, due_at }) => [webhook_id, due_at]),
    );
    this.#marks = { common, lower };
  }

  /** Lowers the marks after a full scan. Returns whether it found what the marks would have hidden. */
  lowerTo({ queued }: QueueScan): boolean {
    const { common, lower } = this.#marks;
    if (common === null) return false;
    const hidden = queued.filter(({ webhook_id, manual, due_at }) => !manual && due_at < (lower.get(webhook_id) ?? common));
    if (hidden.length === 0) return false;
    this.#marks = { common, lower: new Map([...lower, ...hidden.map(({ webhook_id, due_at }) => [webhook_id, due_at] as const)]) };
    return true;
  }
}
