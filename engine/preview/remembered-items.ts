import type { Scheduler } from '../../shared/base/scheduler.js';
import type { FeedCursor } from '../../shared/records/records.js';
import { ANSWERS_REFRESH_MS, answerKey } from '../store/answer-store.js';
import type { AnswerWriter } from '../store/answer-writer.js';
import type { InvalidatedItem, RememberedItems } from '../sync/apply.js';

/** What is under way about items. */
export interface ItemsUnderWay {
  invalidate(resourceTypeId: string, itemId: string): void;
  invalidateAll(): void;
  /** What was invalidated is forgotten, and somebody waits to hear of it. */
  acknowledge(): void;
}

export interface HostItemsOptions {
  readonly answers: AnswerWriter;
  /** Null while that part does not run: nothing is under way then. */
  readonly underWay: () => ItemsUnderWay | null;
  readonly schedule: Scheduler;
}

/**
 * What the host remembers of items, as the feed sees it: the store that its processes share, and calls under way.
 *
 * `applied` is how far the feed is followed, as others may be told: past it no process of the host shows what was
 * invalidated before.
 */
export class HostItems implements RememberedItems {
  readonly #options: HostItemsOptions;
  #applied: FeedCursor | null = null;
  #thrownAway: number;
  /** Somebody waits for what was applied last. */
  #awaited = false;

  constructor(options: HostItemsOptions) {
    this.#options = options;
    this.#thrownAway = options.answers.thrownAway;
  }

  appliedUpTo(): FeedCursor | null {
    return this.#applied;
  }

  invalidate(items: readonly InvalidatedItem[]): void {
    const { answers, underWay } = this.#options;
    answers.remove(items.map(({ resource_type_id, item_id }) => answerKey(resource_type_id, item_id)));
    for (const { resource_type_id, item_id } of items) underWay()?.invalidate(resource_type_id, item_id);
    this.#awaited = true;
  }

  invalidateAll(): void {
    this.#options.answers.clear();
    this.#options.underWay()?.invalidateAll();
    this.#awaited = true;
  }

  awaited(): void {
    this.#awaited = true;
  }

  /** Where the store was thrown away, readers may look into the old one for some milliseconds. */
  applied(cursor: FeedCursor): void {
    const { answers, schedule } = this.#options;
    if (answers.thrownAway === this.#thrownAway) {
      this.#say(cursor);
      return;
    }
    this.#thrownAway = answers.thrownAway;
    schedule(2 * ANSWERS_REFRESH_MS, () => this.#say(cursor));
  }

  #say(cursor: FeedCursor): void {
    this.#applied = cursor;
    if (!this.#awaited) return;
    this.#awaited = false;
    this.#options.underWay()?.acknowledge();
  }
}
