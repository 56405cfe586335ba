import { PREVIEW_FETCHES_MAX } from '../../shared/base/limits.js';
import type { Logger } from '../../shared/base/log.js';
import type { Scheduler } from '../../shared/base/scheduler.js';
import {
  type CompiledMetadataApi,
  callMetadataApi,
  type ListedUrls,
  type MetadataCall,
  type RequestSender,
} from '../../shared/metadata/call.js';
import type { RememberedAnswer } from '../../shared/metadata/remembered.js';
import { answerKey } from '../store/answer-store.js';
import { Breaker, type Permit } from './breaker.js';
import type { CallBudget } from './call-budget.js';
import { CallQueue } from './call-queue.js';
import { type FigureColumn, type Figures, latencyColumn } from './figures.js';
import { freshnessOf, isNearItsEnd, rememberedOf } from './freshness.js';
import { InFlightFetch, type Question } from './in-flight-fetch.js';
import type { ItemOwners } from './item-owners.js';
import type { CountedCall } from './minute-window.js';
import type { MetadataAnswerKey } from './sql.js';

/** How often to look for the answer of another engine, with one statement for all items. */
const OWNER_POLL_MS = 50;
/** What a question and an answer take in addition to the call itself. */
const OWNER_MARGIN_MS = 300;
const OWNERS_ASKED_MAX = 3;
/** How long an owner may wait for its limits, for an item that nobody waits for. */
const UNAWAITED_MS = 2_000;

/** One configuration of one resource type, ready to be called. */
export interface CallableApi {
  readonly resource_type_id: string;
  readonly generation: number;
  readonly compiled: CompiledMetadataApi;
}

/** What an actor needs of the host's store. */
export interface AnswerMemory {
  find(key: string): RememberedAnswer | undefined;
  put(key: string, answer: RememberedAnswer): void;
  remove(keys: readonly string[]): void;
  epoch(): number | null;
}

export type SharedReading =
  | { readonly kind: 'read'; readonly invalidation: string; readonly answer: RememberedAnswer | null }
  /** The database is away or too slow. */
  | { readonly kind: 'unread' };

export interface SharedAnswer extends MetadataAnswerKey {
  /** The item's invalidation count before the API was asked. The answer is kept only while it is the same. */
  readonly invalidation: string;
  readonly answer: RememberedAnswer;
}

/** What an actor needs of the database that all engines share. */
export interface SharedMemory {
  /** Never rejects, and takes no longer than SHARED_ANSWER_DEADLINE_MS and two round trips. */
  read(key: MetadataAnswerKey): Promise<SharedReading>;
  /** Writes the answer some time later, or never. */
  store(answer: SharedAnswer): void;
  /** Never rejects, and takes no longer than SHARED_ANSWER_DEADLINE_MS and two round trips. */
  readonly listedUrls: ListedUrls;
}

export interface ActorParts {
  readonly answers: AnswerMemory;
  readonly shared: SharedMemory;
  /** The engines that make the calls for items if this one has no share of the limits. */
  readonly owners: Pick<ItemOwners, 'of' | 'ask' | 'unanswered'>;
  readonly sender: RequestSender;
  readonly figures: Figures;
  readonly log: Logger;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly schedule: Scheduler;
}

/**
 * The only place that decides about calls to the metadata API of one resource type. Every question is answered once: from the
 * host's store, from the database of all engines, from the API within the limits, or not at all.
 */
export class TypeActor {
  readonly #budget: CallBudget;
  readonly #parts: ActorParts;
  readonly #breaker: Breaker;
  #api: CallableApi;
  readonly #fetches = new Map<string, InFlightFetch>();
  readonly #queue: CallQueue;

  constructor(api: CallableApi, budget: CallBudget, parts: ActorParts) {
    this.#api = api;
    this.#budget = budget;
    this.#parts = parts;
    this.#breaker = new Breaker(parts.now);
    this.#queue = new CallQueue({
      budget,
      mayPass: () => this.#breaker.wouldPass(),
      call: (fetching) => this.#call(fetching),
      refuse: (fetching, column) => this.#skip(fetching, column),
      now: parts.now,
      schedule: parts.schedule,
    });
  }

  get generation(): number {
    return this.#api.generation;
  }

  breakerKind(): ReturnType<Breaker['kind']> {
    return this.#breaker.kind();
  }

  get fetches(): number {
    return this.#fetches.size;
  }

  /** Takes the same configuration with its credential encrypted again. */
  setApi(api: CallableApi): void {
    this.#api = api;
  }

  ask(question: Question): void {
    const { answers, clock } = this.#parts;
    const found = this.#find(question.item_id);
    if (
      question.forAnother !== true &&
      found !== undefined &&
      isUsable(found, clock()) &&
      !(question.ahead && isNearItsEnd(found, clock()))
    ) {
      // Another process of the host has asked for the item meanwhile.
      question.reply({ kind: 'answer', answer: found, source: 'store', called: question.called, epoch: answers.epoch() });
      return;
    }
    const underWay = this.#fetches.get(question.item_id);
    if (underWay !== undefined) {
      underWay.join(question);
      return;
    }
    if (this.#fetches.size >= PREVIEW_FETCHES_MAX) {
      this.#count('skipped_throttled');
      question.reply({ kind: 'none', called: question.called });
      return;
    }
    const fetching = new InFlightFetch(question.item_id);
    fetching.join(question);
    this.#fetches.set(fetching.itemId, fetching);
    void this.#read(fetching);
  }

  /** Drops the fetch of the item. For questions that still wait the API is called again, by a call that begins now. */
  invalidate(itemId: string): void {
    const fetching = this.#fetches.get(itemId);
    if (fetching === undefined) return;
    for (const question of this.#end(fetching)) {
      if (question.untilMs > this.#parts.now()) this.ask(question);
      else question.reply({ kind: 'none', called: question.called });
    }
  }

  /** Ends all fetches, because another configuration replaces this one. */
  retire(): void {
    this.#queue.stop();
    for (const fetching of [...this.#fetches.values()]) {
      fetching.tellNothing('again');
      this.#end(fetching);
    }
  }

  async #read(fetching: InFlightFetch): Promise<void> {
    const reading = await this.#parts.shared.read(this.#sharedKey(fetching));
    if (fetching.state !== 'over' && !this.#takeShared(fetching, reading)) this.#seekPermit(fetching);
  }

  /** Returns whether what was read ends the fetch. */
  #takeShared(fetching: InFlightFetch, reading: SharedReading): boolean {
    const { answers, clock } = this.#parts;
    if (reading.kind !== 'read') return false;
    fetching.invalidation = reading.invalidation;
    const { answer } = reading;
    const known = this.#find(fetching.itemId);
    if (answer === null || answer.fetched_at_ms <= (known?.fetched_at_ms ?? 0)) return false;
    const key = this.#key(fetching.itemId);
    const isGone = freshnessOf(answer, clock()) === 'gone';
    if (!isGone) answers.put(key, answer);
    else if (known !== undefined) answers.remove([key]);
    // The answer that this fetch has asked an owner for is shown even if it may not be remembered (`negative_ttl_seconds` 0).
    const isAwaited = answer.fetched_at_ms >= fetching.askedAtMs;
    if (!isGone || isAwaited) fetching.tell(answer, 'database', answers.epoch());
    if (!isAwaited && !isUsable(answer, clock())) return false;
    this.#end(fetching);
    return true;
  }

  /**
   * Asks owners one after the other, as long as somebody waits. If nobody does, asks only the first, whose answer is found the
   * next time.
   */
  async #askOwners(fetching: InFlightFetch, owners: ActorParts['owners']): Promise<void> {
    const { now, clock } = this.#parts;
    const key = this.#sharedKey(fetching);
    const [first, ...others] = owners.of(key, this.#budget.holders).slice(0, OWNERS_ASKED_MAX);
    if (first === undefined) {
      this.#skip(fetching, 'skipped_throttled');
      return;
    }
    if (fetching.untilMs() <= now()) {
      owners.ask(first, { ...key, wait_ms: UNAWAITED_MS });
      fetching.tellNothing('none');
      this.#end(fetching);
      return;
    }
    const permit = this.#breaker.pass();
    fetching.become('asked');
    fetching.askedAtMs = clock();
    for (const owner of [first, ...others]) {
      const leftMs = fetching.untilMs() - now();
      if (leftMs <= 0) break;
      owners.ask(owner, { ...key, wait_ms: Math.ceil(leftMs) });
      if (await this.#isAnswered(fetching)) {
        this.#breaker.settle(permit, 'succeeded');
        return;
      }
      owners.unanswered(owner);
    }
    this.#breaker.settle(permit, 'failed');
    this.#skip(fetching, 'skipped_throttled');
  }

  /** Looks for the owner's answer for as long as its call may last and somebody waits. Returns whether the fetch is over. */
  async #isAnswered(fetching: InFlightFetch): Promise<boolean> {
    const { shared, now, schedule } = this.#parts;
    const endMs = now() + this.#api.compiled.request.timeout_ms + OWNER_MARGIN_MS;
    while (now() < Math.min(endMs, fetching.untilMs())) {
      await new Promise<void>((resolve) => void schedule(OWNER_POLL_MS, resolve));
      if (isOver(fetching)) return true;
      const reading = await shared.read(this.#sharedKey(fetching));
      if (isOver(fetching) || this.#takeShared(fetching, reading)) return true;
    }
    return false;
  }

  /** Calls the API, at once or after a wait for the limits, asks other engines, or gives up. */
  #seekPermit(fetching: InFlightFetch): void {
    const { owners } = this.#parts;
    if (!this.#breaker.wouldPass()) this.#skip(fetching, 'skipped_breaker_open');
    else if (fetching.isOwn && this.#budget.isWithoutShare) void this.#askOwners(fetching, owners);
    else this.#queue.enter(fetching);
  }

  #call(fetching: InFlightFetch): void {
    const { compiled } = this.#api;
    const call = this.#budget.begin(compiled.request.timeout_ms);
    const permit = this.#breaker.pass();
    fetching.become('calling');
    fetching.noteCall();
    callMetadataApi(compiled, fetching.itemId, this.#parts.sender, this.#parts.shared.listedUrls).then(
      (made) => this.#called(fetching, call, permit, made),
      (error: unknown) => {
        // This is a bug, because whatever the API does is an answer. The type goes on as with an API that fails.
        this.#parts.log.error({ code: 'metadata_call_failed', err: error }, 'a metadata API could not be called');
        this.#release(call, permit, 'failed');
        if (fetching.state !== 'over') this.#settle(fetching, null);
      },
    );
  }

  #called(fetching: InFlightFetch, call: CountedCall, permit: Permit, { answer, latency_ms }: MetadataCall): void {
    this.#release(call, permit, answer.outcome === 'error' ? 'failed' : 'succeeded');
    const column = answer.outcome === 'error' && answer.reason === 'timeout' ? 'calls_timeout' : (`calls_${answer.outcome}` as const);
    this.#count(column);
    this.#count('latency_ms_sum', latency_ms);
    this.#count(latencyColumn(latency_ms));
    if (fetching.state === 'over') return;
    const lifetimes = { ...this.#api.compiled.mapping.configuration, generation: this.#api.generation };
    this.#settle(fetching, rememberedOf(answer, lifetimes, this.#parts.clock()));
  }

  /** Settles the breaker first, so that it knows this call's outcome before the freed room lets in others. */
  #release(call: CountedCall, permit: Permit, outcome: 'succeeded' | 'failed'): void {
    this.#breaker.settle(permit, outcome);
    this.#budget.end(call);
  }

  /** `remembered` is null if the API gave nothing to show. */
  #settle(fetching: InFlightFetch, remembered: RememberedAnswer | null): void {
    const { answers, shared, clock } = this.#parts;
    if (remembered === null) fetching.tellNothing('none');
    else {
      const key = this.#key(fetching.itemId);
      if (remembered.keep_until_ms > clock()) answers.put(key, remembered);
      else if (answers.find(key) !== undefined) answers.remove([key]);
      if (fetching.invalidation !== null)
        shared.store({ ...this.#sharedKey(fetching), invalidation: fetching.invalidation, answer: remembered });
      fetching.tell(remembered, 'api', answers.epoch());
    }
    this.#end(fetching);
  }

  #skip(fetching: InFlightFetch, column: FigureColumn): void {
    this.#count(column);
    fetching.tellNothing('none');
    this.#end(fetching);
  }

  #end(fetching: InFlightFetch): readonly Question[] {
    if (this.#fetches.get(fetching.itemId) === fetching) this.#fetches.delete(fetching.itemId);
    if (fetching.state === 'queued') this.#queue.leave(fetching);
    return fetching.end();
  }

  #count(column: FigureColumn, by = 1): void {
    this.#parts.figures.count(this.#api.resource_type_id, column, by);
  }

  #key(itemId: string): string {
    return answerKey(this.#api.resource_type_id, itemId);
  }

  #find(itemId: string): RememberedAnswer | undefined {
    const found = this.#parts.answers.find(this.#key(itemId));
    return found?.generation === this.#api.generation ? found : undefined;
  }

  #sharedKey({ itemId }: InFlightFetch): MetadataAnswerKey {
    return { resource_type_id: this.#api.resource_type_id, generation: this.#api.generation, item_id: itemId };
  }
}

/** A function of its own, because the state may have changed during an `await`. */
function isOver({ state }: InFlightFetch): boolean {
  return state === 'over';
}

/** Whether the answer is within its TTL, so that nobody needs to be asked. */
function isUsable(answer: RememberedAnswer, nowMs: number): boolean {
  const freshness = freshnessOf(answer, nowMs);
  return freshness === 'fresh' || freshness === 'missing';
}
