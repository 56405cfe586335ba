import { assertTransition, type Predecessors } from '../../shared/base/transitions.js';
import type { RememberedAnswer } from '../../shared/metadata/remembered.js';
import type { Reply } from './messages.js';

/** A question about one item. It is answered exactly once. */
export interface Question {
  readonly item_id: string;
  /** Until when somebody waits for the answer, in monotonic milliseconds; 0 if nobody does. */
  readonly untilMs: number;
  readonly ahead: boolean;
  /** The request comes from another engine, so this host's store is not used and the request is not forwarded again. */
  readonly forAnother?: boolean;
  /** Whether the API was called because of this question. */
  called: boolean;
  reply(reply: Reply): void;
}

/**
 * The fetch of one item, for all questions about it that arrive meanwhile. There is one for an item at a time.
 *
 * `reading`    Reads the database that all engines share. Goes to `over` with the answer found there; to `calling` if the limits
 *              allow it at once, otherwise to `queued` or `asked`; to `over` if nobody waits, or no call would pass.
 * `queued`     Waits until the limits allow a call. Goes to `calling`; to `over` when nobody waits any more, or the breaker has
 *              opened meanwhile.
 * `asked`      This engine may make no calls. It has asked another one for the item, and looks for the answer in the shared
 *              database. Goes to `over`.
 * `calling`    Calls the customer's API. Goes to `over`.
 * `over`       All questions were answered. If a call is still under way, an invalidation or another configuration has overtaken
 *              it, and its answer is dropped.
 */
type InFlightFetchState = 'reading' | 'queued' | 'asked' | 'calling' | 'over';

const PREDECESSORS: Predecessors<InFlightFetchState> = {
  reading: [],
  queued: ['reading'],
  asked: ['reading'],
  calling: ['reading', 'queued'],
  over: ['reading', 'queued', 'asked', 'calling'],
};

export class InFlightFetch {
  readonly itemId: string;
  #state: InFlightFetchState = 'reading';
  #questions: Question[] = [];
  /** The item's invalidation count when it was read; null if the database could not be queried. */
  invalidation: string | null = null;
  /** When another engine was asked, in milliseconds since the epoch; Infinity if none was. */
  askedAtMs = Number.POSITIVE_INFINITY;

  constructor(itemId: string) {
    this.itemId = itemId;
  }

  get state(): InFlightFetchState {
    return this.#state;
  }

  become(state: 'queued' | 'asked' | 'calling' | 'over'): void {
    assertTransition("an item's way to an answer", PREDECESSORS, this.#state, state);
    this.#state = state;
  }

  join(question: Question): void {
    this.#questions.push(question);
  }

  /** Returns until when somebody waits; 0 if nobody does. */
  untilMs(): number {
    return this.#questions.reduce((latest, { untilMs }) => Math.max(latest, untilMs), 0);
  }

  /** Whether a process of this host has asked. */
  get isOwn(): boolean {
    return this.#questions.some(({ forAnother }) => forAnother !== true);
  }

  /** Attributes the call to the first question of somebody who waits. */
  noteCall(): void {
    const caller = this.#questions.find(({ untilMs }) => untilMs > 0);
    if (caller !== undefined) caller.called = true;
  }

  /** Answers all questions so far. Later ones wait for the end. */
  tell(answer: RememberedAnswer, source: 'store' | 'database' | 'api', epoch: number | null): void {
    for (const question of this.#takeQuestions()) question.reply({ kind: 'answer', answer, source, called: question.called, epoch });
  }

  tellNothing(kind: 'none' | 'again'): void {
    for (const question of this.#takeQuestions()) question.reply({ kind, called: question.called });
  }

  /** Ends the fetch. Returns the questions that have no answer yet. */
  end(): readonly Question[] {
    this.become('over');
    return this.#takeQuestions();
  }

  #takeQuestions(): readonly Question[] {
    const questions = this.#questions;
    this.#questions = [];
    return questions;
  }
}
