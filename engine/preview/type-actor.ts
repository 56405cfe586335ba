import type { Later } from '../../shared/base/later.js';
import { PREVIEW_FLIGHTS_MAX } from '../../shared/base/limits.js';
import type { Logger } from '../../shared/base/log.js';
import { type CompiledMetadataApi, callMetadataApi, type MetadataCall, type RequestSender } from '../../shared/metadata/call.js';
import type { RememberedAnswer } from '../../shared/metadata/remembered.js';
import { answerKey } from '../store/answer-store.js';
import type { Allowance } from './allowance.js';
import { Breaker, type Passage } from './breaker.js';
import { type FigureColumn, type Figures, latencyColumn } from './figures.js';
import { Flight, type Question } from './flight.js';
import { freshnessOf, isNearItsEnd, rememberedOf } from './freshness.js';
import type { CountedCall } from './minute-window.js';

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

/** Names an answer in the database that all engines share. */
export interface SharedKey {
  readonly resource_type_id: string;
  readonly generation: number;
  readonly item_id: string;
}

export type SharedReading =
  | { readonly kind: 'read'; readonly invalidation: string; readonly answer: RememberedAnswer | null }
  /** Away, or too slow. */
  | { readonly kind: 'unread' };

export interface SharedAnswer extends SharedKey {
  /** The item's number of invalidations when the API had not been asked yet: the answer is kept only while it is the same. */
  readonly invalidation: string;
  readonly answer: RememberedAnswer;
}

/** What an actor needs of that database. */
export interface SharedMemory {
  /** Never rejects, and takes no longer than SHARED_ANSWER_DEADLINE_MS. */
  read(key: SharedKey): Promise<SharedReading>;
  /** Written some time later, or never. */
  store(answer: SharedAnswer): void;
}

export interface ActorParts {
  readonly answers: AnswerMemory;
  readonly shared: SharedMemory;
  readonly sender: RequestSender;
  readonly figures: Figures;
  readonly log: Logger;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly random: () => number;
  readonly later: Later;
}

/**
 * The only place where a call to the metadata API of one resource type is decided. Questions come in and are answered once
 * each: from the host's store, from the database of all engines, from the API within the limits, or not at all.
 */
export class TypeActor {
  readonly #allowance: Allowance;
  readonly #parts: ActorParts;
  readonly #breaker: Breaker;
  #api: CallableApi;
  readonly #flights = new Map<string, Flight>();
  /** Flights that wait for the limits, first come, first served. */
  readonly #queue: Flight[] = [];
  #cancelTimer: () => void = () => undefined;

  constructor(api: CallableApi, allowance: Allowance, parts: ActorParts) {
    this.#api = api;
    this.#allowance = allowance;
    this.#parts = parts;
    this.#breaker = new Breaker(parts.now);
    allowance.onRoom = () => this.#dispatch();
  }

  get generation(): number {
    return this.#api.generation;
  }

  breakerKind(): ReturnType<Breaker['kind']> {
    return this.#breaker.kind();
  }

  get flights(): number {
    return this.#flights.size;
  }

  /** The same configuration with its credential sealed anew. */
  setApi(api: CallableApi): void {
    this.#api = api;
  }

  ask(question: Question): void {
    const { answers, clock } = this.#parts;
    const found = this.#find(question.item_id);
    if (found !== undefined && isUsable(found, clock()) && !(question.ahead && isNearItsEnd(found, clock()))) {
      // Another process of the host has asked for it meanwhile.
      question.reply({ kind: 'answer', answer: found, source: 'store', called: question.called, epoch: answers.epoch() });
      return;
    }
    const underWay = this.#flights.get(question.item_id);
    if (underWay !== undefined) {
      underWay.join(question);
      return;
    }
    if (this.#flights.size >= PREVIEW_FLIGHTS_MAX) {
      this.#count('skipped_throttled');
      question.reply({ kind: 'none', called: question.called });
      return;
    }
    const flight = new Flight(question.item_id);
    flight.join(question);
    this.#flights.set(flight.itemId, flight);
    void this.#read(flight);
  }

  /** Forgets what is under way about the item. Who still waits has the API asked anew, by a call that begins now. */
  invalidate(itemId: string): void {
    const flight = this.#flights.get(itemId);
    if (flight === undefined) return;
    for (const question of this.#end(flight)) {
      if (question.untilMs > this.#parts.now()) this.ask(question);
      else question.reply({ kind: 'none', called: question.called });
    }
  }

  /** Another configuration takes its place. */
  retire(): void {
    this.#cancelTimer();
    for (const flight of [...this.#flights.values()]) {
      flight.tellNothing('again');
      this.#end(flight);
    }
  }

  async #read(flight: Flight): Promise<void> {
    const { shared, answers, clock } = this.#parts;
    const reading = await shared.read(this.#sharedKey(flight));
    if (flight.state === 'over') return;
    if (reading.kind === 'read') {
      flight.invalidation = reading.invalidation;
      const { answer } = reading;
      if (answer !== null && answer.fetched_at_ms > (this.#find(flight.itemId)?.fetched_at_ms ?? 0)) {
        if (freshnessOf(answer, clock()) !== 'gone') {
          answers.put(this.#key(flight.itemId), answer);
          flight.tell(answer, 'database', answers.epoch());
        }
        if (isUsable(answer, clock())) {
          this.#end(flight);
          return;
        }
      }
    }
    this.#seekPassage(flight);
  }

  /** Calls, waits for the limits as long as somebody waits for it, or gives up. */
  #seekPassage(flight: Flight): void {
    const waitMs = this.#allowance.waitMs();
    if (!this.#breaker.wouldPass()) this.#skip(flight, 'skipped_breaker_open');
    else if (waitMs === 0 && this.#queue.length === 0) this.#call(flight);
    else if (this.#isWorthWaiting(flight, waitMs)) {
      flight.become('queued');
      this.#queue.push(flight);
      this.#dispatch();
    } else this.#skip(flight, 'skipped_throttled');
  }

  /** The end of a call may come at any moment; that the window moves on takes as long as it takes. */
  #isWorthWaiting(flight: Flight, waitMs: number): boolean {
    const leftMs = flight.untilMs() - this.#parts.now();
    if (leftMs <= 0) return false;
    return waitMs === Number.POSITIVE_INFINITY ? this.#allowance.underWay > 0 : waitMs < leftMs;
  }

  /** Lets those who wait go on as far as the limits allow, and looks again when they may allow more or somebody waits no longer. */
  #dispatch(): void {
    this.#cancelTimer();
    const now = this.#parts.now();
    for (const flight of [...this.#queue]) {
      if (!this.#breaker.wouldPass()) this.#skip(flight, 'skipped_breaker_open');
      else if (flight.untilMs() <= now) this.#skip(flight, 'skipped_throttled');
      else if (this.#allowance.waitMs() === 0) {
        this.#leaveQueue(flight);
        this.#call(flight);
      }
    }
    if (this.#queue.length === 0) return;
    const soonest = this.#queue.reduce((earliest, flight) => Math.min(earliest, flight.untilMs()), Number.POSITIVE_INFINITY);
    const lookInMs = Math.max(1, Math.min(soonest - now, this.#allowance.waitMs()));
    this.#cancelTimer = this.#parts.later(lookInMs, () => this.#dispatch());
  }

  #call(flight: Flight): void {
    const { compiled } = this.#api;
    const call = this.#allowance.begin(compiled.request.timeout_ms);
    const passage = this.#breaker.pass();
    flight.become('calling');
    flight.noteCall();
    callMetadataApi(compiled, flight.itemId, this.#parts.sender).then(
      (made) => this.#called(flight, call, passage, made),
      (error: unknown) => {
        // Ours to mend: what the API does is an answer. The type goes on as with one that fails.
        this.#parts.log.error({ err: error }, 'a metadata API could not be called');
        this.#release(call, passage, 'failed');
        this.#settle(flight, null);
      },
    );
  }

  #called(flight: Flight, call: CountedCall, passage: Passage, { answer, latency_ms }: MetadataCall): void {
    this.#release(call, passage, answer.outcome === 'error' ? 'failed' : 'succeeded');
    const column = answer.outcome === 'error' && answer.reason === 'timeout' ? 'calls_timeout' : (`calls_${answer.outcome}` as const);
    this.#count(column);
    this.#count('latency_ms_sum', latency_ms);
    this.#count(latencyColumn(latency_ms));
    if (flight.state === 'over') return;
    const lifetimes = { ...this.#api.compiled.mapping.configuration, generation: this.#api.generation };
    this.#settle(flight, rememberedOf(answer, lifetimes, this.#parts.clock(), this.#parts.random));
  }

  /** The breaker first: what is let in by the room that the call leaves is to know what became of it. */
  #release(call: CountedCall, passage: Passage, outcome: 'succeeded' | 'failed'): void {
    this.#breaker.settle(passage, outcome);
    this.#allowance.end(call);
  }

  /** `remembered` is null where the API gave nothing to show. */
  #settle(flight: Flight, remembered: RememberedAnswer | null): void {
    const { answers, shared, clock } = this.#parts;
    if (remembered === null) flight.tellNothing('none');
    else {
      const key = this.#key(flight.itemId);
      if (remembered.keep_until_ms > clock()) answers.put(key, remembered);
      else if (answers.find(key) !== undefined) answers.remove([key]);
      if (flight.invalidation !== null) shared.store({ ...this.#sharedKey(flight), invalidation: flight.invalidation, answer: remembered });
      flight.tell(remembered, 'api', answers.epoch());
    }
    this.#end(flight);
  }

  #skip(flight: Flight, column: FigureColumn): void {
    this.#count(column);
    flight.tellNothing('none');
    this.#end(flight);
  }

  #end(flight: Flight): readonly Question[] {
    if (this.#flights.get(flight.itemId) === flight) this.#flights.delete(flight.itemId);
    if (flight.state === 'queued') this.#leaveQueue(flight);
    return flight.end();
  }

  #leaveQueue(flight: Flight): void {
    const at = this.#queue.indexOf(flight);
    if (at !== -1) this.#queue.splice(at, 1);
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

  #sharedKey({ itemId }: Flight): SharedKey {
    return { resource_type_id: this.#api.resource_type_id, generation: this.#api.generation, item_id: itemId };
  }
}

/** Within its time: nobody needs to be asked. */
function isUsable(answer: RememberedAnswer, nowMs: number): boolean {
  const freshness = freshnessOf(answer, nowMs);
  return freshness === 'fresh' || freshness === 'missing';
}
