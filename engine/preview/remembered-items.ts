import type { Clock } from '../../shared/base/clock.js';
import type { Scheduler } from '../../shared/base/scheduler.js';
import type { FeedCursor } from '../../shared/records/records.js';
import { REFRESH_MS } from '../config/config-reader.js';
import { ANSWERS_REFRESH_MS, answerKey } from '../store/answer-store.js';
import type { AnswerWriter } from '../store/answer-writer.js';
import type { InvalidatedItem, RememberedItems } from '../sync/apply.js';

/** What is under way about items. */
export interface ItemsUnderWay {
  invalidate(resourceTypeId: string, itemId: string): void;
  invalidateAll(): void;
  /** Acts by the configuration as it is now, and reports at once how far the host has followed the feed: API calls are waiting for that. */
  acknowledge(): void;
}

export interface HostItemsOptions {
  readonly answers: AnswerWriter;
  /** Returns null while that part does not run, because nothing is under way then. */
  readonly underWay: () => ItemsUnderWay | null;
  readonly schedule: Scheduler;
  /** Monotonic milliseconds. */
  readonly now: Clock;
}

/** A visit sees the version of the table up to REFRESH_MS late. The rest is reserve: a timer may end a millisecond early. */
const TABLE_LAG_MS = REFRESH_MS + 5;
/** After the store was thrown away, readers may still use the old one for some milliseconds. */
const ANSWERS_LAG_MS = 2 * ANSWERS_REFRESH_MS;

/**
 * What the host remembers about items, from the feed's point of view: the store that its processes share, and calls under way.
 *
 * `appliedUpTo` is how far the host has followed the feed: each of its processes acts by the rows up to there, and shows nothing
 * that they invalidated. Changes of links and aliases take effect as soon as they are written.
 */
export class HostItems implements RememberedItems {
  readonly #options: HostItemsOptions;
  #applied: FeedCursor | null = null;
  #thrownAway: number;
  /** Whether API calls wait for the rows that are being applied, and for how long processes may still act by the previous state. */
  #awaited = false;
  #lagMs = 0;
  /** The time from which every process acts by everything applied so far. */
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
    // The generation that was swapped in has another table.
    this.#lagMs = TABLE_LAG_MS;
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
    // Timers that end in the same millisecond may run in another order than they were set.
    const isOlder = this.#applied !== null && this.#applied.epoch === cursor.epoch && this.#applied.position > cursor.position;
    if (!isOlder) this.#applied = cursor;
    if (awaited) this.#options.underWay()?.acknowledge();
  }
}
