import type { QueueFloors, QueueLook } from '../sql/due-endpoints.js';

/**
 * A row may be committed this long after the moment its `due_at` names: its transaction took as long. Later ones are found
 * by the next whole look.
 */
export const COMMIT_GRACE_MS = 2000;

/**
 * Where the search in each endpoint's queue begins: nothing that could be claimed was due before. An endpoint that a look
 * reported keeps its earliest row's time; all others share one floor, the time of the look less `COMMIT_GRACE_MS`.
 *
 * What a look cannot see comes up below the floor later: a row whose lease ends without an outcome, and one that was
 * committed late. So every queue is looked at whole from time to time, and floors are lowered to what that finds.
 */
export class SearchFloors {
  /** Replaced as a whole. Nothing is known before the first look. */
  #floors: QueueFloors = { common: null, lower: new Map() };

  get floors(): QueueFloors {
    return this.#floors;
  }

  of(webhookId: string): Date | null {
    return this.#floors.lower.get(webhookId) ?? this.#floors.common;
  }

  /** After a look from the floors `from` on. Does nothing where they have been lowered meanwhile, for that look did not see why. */
  raise(from: QueueFloors, { looked_at, queued }: QueueLook): void {
    if (this.#floors !== from) return;
    const common = new Date(looked_at.getTime() - COMMIT_GRACE_MS);
    const lower = new Map(queued.filter(({ due_at }) => due_at < common).map(({ webhook_id, due_at }) => [webhook_id, due_at]));
    this.#floors = { common, lower };
  }

  /** After a look that began nowhere. Answers whether it found what the floors would have hidden. */
  lowerTo({ queued }: QueueLook): boolean {
    const { common, lower } = this.#floors;
    if (common === null) return false;
    const hidden = queued.filter(({ webhook_id, due_at }) => due_at < (lower.get(webhook_id) ?? common));
    if (hidden.length === 0) return false;
    this.#floors = { common, lower: new Map([...lower, ...hidden.map(({ webhook_id, due_at }) => [webhook_id, due_at] as const)]) };
    return true;
  }
}
