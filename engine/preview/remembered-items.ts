import type { Clock } from '../../shared/base/clock.js';
import { TABLE_POLL_MS } from '../../shared/base/limits.js';
import type { Scheduler } from '../../shared/base/scheduler.js';
import type { FeedCursor } from '../../shared/records/records.js';
import { ANSWERS_REFRESH_MS, answerKey } from '../store/answer-store.js';
import type { AnswerWriter } from '../store/answer-writer.js';
import type { InvalidatedItem, RememberedItems } from '../sync/apply.js';

/** What is under way about items. */
export interface ItemsUnderWay {
  invalidate(resourceTypeId: string, itemId: string): void;
  invalidateAll(): void;
  /** Calls of the API wait to read how far the host has followed the feed. */
  acknowledge(): void;
}

export interface HostItemsOptions {
  readonly answers: AnswerWriter;
  /** Null while that part does not run: nothing is under way then. */
  readonly underWay: () => ItemsUnderWay | null;
  readonly schedule: Scheduler;
  /** Monotonic milliseconds. */
  readonly now: Clock;
}

/** A redirect process looks for a new table every TABLE_POLL_MS, compiles it, and looks at versions that are 5 ms old at most. */
const TABLE_LAG_MS = TABLE_POLL_MS + 10;
/** After the store was thrown away, readers look into the old one for some milliseconds. */
const ANSWERS_LAG_MS = 2 * ANSWERS_REFRESH_MS;

/**
 * What the host remembers of items, as the feed sees it: the store that its processes share, and calls under way.
 *
 * `appliedUpTo` is how far the host has followed the feed: every process of it acts by the rows up to there, and shows nothing
 * that they have invalidated. Links and aliases are read where they are written, so that they count at once.
 */
export class HostItems implements RememberedItems {
  readonly #options: HostItemsOptions;
  #applied: FeedCursor | null = null;
  #thrownAway: number;
  /** Whether calls wait for the rows that are being applied, and how long processes may act by what was before them. */
  #awaited = false;
  #lagMs = 0;
  /** When every process acts by what was applied so far. */
  #followedAtMs = 0;

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

  awaited(changesTable: boolean): void {
    this.#awaited = true;
    if (changesTable) this.#lagMs = TABLE_LAG_MS;
  }

  applied(cursor: FeedCursor): void {
    const { answers, schedule, now } = this.#options;
    if (answers.thrownAway !== this.#thrownAway) this.#lagMs = Math.max(this.#lagMs, ANSWERS_LAG_MS);
    this.#thrownAway = answers.thrownAway;
    this.#followedAtMs = Math.max(this.#followedAtMs, now() + this.#lagMs);
    const awaited = this.#awaited;
    this.#awaited = false;
    this.#lagMs = 0;
    const waitMs = this.#followedAtMs - now();
    if (waitMs <= 0) this.#say(cursor, awaited);
    else schedule(waitMs, () => this.#say(cursor, awaited));
  }

  #say(cursor: FeedCursor, awaited: boolean): void {
    this.#applied = cursor;
    if (awaited) this.#options.underWay()?.acknowledge();
  }
}
