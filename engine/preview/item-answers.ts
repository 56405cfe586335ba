import type { Clock } from '../../shared/base/clock.js';
import type { RememberedAnswer } from '../../shared/metadata/remembered.js';
import type { MetadataApiRecord } from '../../shared/records/records.js';
import { type AnswerReader, answerKey } from '../store/answer-store.js';
import { CardMemory, type KnownItem } from './card-memory.js';
import type { Figures } from './figures.js';
import { type Freshness, freshnessOf, isNearItsEnd } from './freshness.js';
import type { Ask, Reply } from './messages.js';

/** What is needed of the connection to the process that calls APIs. */
export interface Asking {
  readonly figures: Figures;
  ask(question: Omit<Ask, 'kind' | 'id'>, reply: (reply: Reply) => void): boolean;
}

export type ApiReference = Pick<MetadataApiRecord, 'resource_type_id' | 'generation'>;

/** A stored answer about an item, which may be shown. */
export interface FoundItem {
  readonly item: KnownItem;
  readonly freshness: Exclude<Freshness, 'gone'>;
}

/** The outcome of a wait. */
export type Outcome =
  | { readonly kind: 'answer'; readonly answer: RememberedAnswer; readonly source: 'store' | 'database' | 'api' }
  | { readonly kind: 'none' }
  /** The question has to be repeated. `called`: whether the API was called for it in vain. */
  | { readonly kind: 'again'; readonly called: boolean };

/** A preview that waits. Called once. Returns true if the preview was answered with the outcome, false if it asks again. */
export type PreviewWaiter = (outcome: Outcome) => boolean;

export interface Waiting {
  /** Stops the wait, because the preview was answered with something else (`answered`) or its client has disconnected. */
  leave(answered: boolean): void;
}

/** All previews in this process that wait for one item, by one question. */
interface Group {
  /** Each with the end of its own waiting time, in monotonic milliseconds. */
  readonly waiters: Map<PreviewWaiter, number>;
  /** When the question ends, in monotonic milliseconds: with the waiting time of the preview that began it. */
  readonly untilMs: number;
  answered: number;
  called: boolean;
}

const NOT_CALLED_YET: Outcome = { kind: 'again', called: false };

/** An item that was requested this often since it was fetched is fetched again before it expires. */
const AHEAD_HITS_MIN = 3;

/**
 * What a redirect process knows about items: from its own memory, from the host's store, and by asking. Memory holds what was made
 * of an answer. Whether it is still the current answer is checked in the store at each use.
 */
export class ItemAnswers {
  readonly #answers: AnswerReader;
  readonly #client: Asking;
  readonly #clock: Clock;
  readonly #memory = new CardMemory();
  readonly #groups = new Map<string, Group>();
  readonly #refreshing = new Set<string>();

  constructor(answers: AnswerReader, client: Asking, clock: Clock) {
    this.#answers = answers;
    this.#client = client;
    this.#clock = clock;
  }

  get figures(): Figures {
    return this.#client.figures;
  }

  get memory(): CardMemory {
    return this.#memory;
  }

  /** Returns what is available without waiting; null if there is nothing that may be shown. */
  find(api: ApiReference, itemId: string): FoundItem | null {
    const key = answerKey(api.resource_type_id, itemId);
    const known = this.#memory.get(key);
    const stored = this.#answers.find(key, known?.stored);
    if (stored === undefined || stored.answer.generation !== api.generation) return null;
    const freshness = freshnessOf(stored.answer, this.#clock());
    if (freshness === 'gone') return null;
    let item = known;
    if (item?.stored !== stored) {
      item = { stored, hits: 0, page: null };
      this.#memory.put(key, item);
    }
    item.hits += 1;
    return { item, freshness };
  }

  /** Has a stale answer fetched again, and a popular one shortly before it becomes stale. Does not wait for it. */
  refreshIfDue(api: ApiReference, itemId: string, { item, freshness }: FoundItem): void {
    if (freshness === 'stale') this.#refresh(api, itemId, false);
    else if (freshness === 'fresh' && item.hits >= AHEAD_HITS_MIN && isNearItsEnd(item.stored.answer, this.#clock()))
      this.#refresh(api, itemId, true);
  }

  /** Waits for the item's answer, for at most `waitMs`. Returns null if too many questions are waiting already. */
  wait(
    api: ApiReference,
    itemId: string,
    waitMs: number,
    preview: { readonly called: boolean; readonly waiter: PreviewWaiter },
  ): Waiting | null {
    const key = groupKey(api, itemId);
    const group = this.#groups.get(key) ?? this.#begin(key, api, itemId, waitMs);
    if (group === null) return null;
    group.called ||= preview.called;
    group.waiters.set(preview.waiter, performance.now() + waitMs);
    return {
      leave: (answered) => {
        if (group.waiters.delete(preview.waiter) && answered) group.answered += 1;
      },
    };
  }

  stats(): { readonly items: number } {
    return { items: this.#memory.stats().items };
  }

  #begin(key: string, api: ApiReference, itemId: string, waitMs: number): Group | null {
    const group: Group = { waiters: new Map(), untilMs: performance.now() + waitMs, answered: 0, called: false };
    const asked = this.#client.ask(this.#question(api, itemId, { wait_ms: waitMs, ahead: false }), (reply) => {
      this.#groups.delete(key);
      this.#tell(api, group, reply);
    });
    if (!asked) return null;
    this.#groups.set(key, group);
    return group;
  }

  #refresh(api: ApiReference, itemId: string, ahead: boolean): void {
    const key = groupKey(api, itemId);
    if (this.#refreshing.has(key)) return;
    const asked = this.#client.ask(this.#question(api, itemId, { wait_ms: 0, ahead }), () => this.#refreshing.delete(key));
    if (asked) this.#refreshing.add(key);
    else if (!ahead) this.figures.count(api.resource_type_id, 'skipped_throttled');
  }

  #question(api: ApiReference, itemId: string, rest: Pick<Ask, 'wait_ms' | 'ahead'>): Omit<Ask, 'kind' | 'id'> {
    return { resource_type_id: api.resource_type_id, generation: api.generation, item_id: itemId, ...rest };
  }

  #tell(api: ApiReference, group: Group, reply: Reply): void {
    const outcome = this.#outcomeOf(reply, group.called);
    const called = group.called || reply.called;
    const now = performance.now();
    // The question ended with the waiting time of the first preview, while it still waited for the limits. Later previews have time left.
    const cutOff = outcome.kind === 'none' && !called && group.untilMs <= now;
    for (const [waiter, untilMs] of group.waiters) if (waiter(cutOff && untilMs > now ? NOT_CALLED_YET : outcome)) group.answered += 1;
    // Counted as a preview that called only if one was answered, and once, however many previews waited.
    if (outcome.kind !== 'again' && called && group.answered > 0) this.figures.count(api.resource_type_id, 'previews_called');
  }

  /** An answer may have been removed from the store on its way here. It is then not shown, and the question is repeated. */
  #outcomeOf(reply: Reply, calledBefore: boolean): Outcome {
    if (reply.kind === 'none') return { kind: 'none' };
    const called = reply.called || calledBefore;
    if (reply.kind === 'again') return { kind: 'again', called };
    const epoch = this.#answers.epoch();
    if (epoch !== null && reply.epoch !== null && epoch !== reply.epoch) return { kind: 'again', called };
    return { kind: 'answer', answer: reply.answer, source: reply.source };
  }
}

/** Questions under different configurations are never shared. */
function groupKey({ resource_type_id, generation }: ApiReference, itemId: string): string {
  return `${resource_type_id}/${generation}/${itemId}`;
}
