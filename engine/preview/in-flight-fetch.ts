import { assertTransition, type Predecessors } from '../../shared/base/transitions.js';
import type { RememberedAnswer } from '../../shared/metadata/remembered.js';
import type { Reply } from './messages.js';

/** Somebody's question about one item. It is answered exactly once. */
export interface Question {
  readonly item_id: string;
  /** Until when somebody waits, in monotonic milliseconds; 0 if nobody does. */
  readonly untilMs: number;
  readonly ahead: boolean;
  /** Another engine asks: what stands in this host's store is of no use to it, and it is not asked in turn. */
  readonly forAnother?: boolean;
  /** Set once the API was called because of this question. */
  called: boolean;
  reply(reply: Reply): void;
}

/**
 * One item's way to an answer, for all who ask for it meanwhile: there is one for an item at a time.
 *
 * `reading`    The database that all engines share is asked first. Left to `over` with what it has; to `calling` if the
 *              limits allow it at once, else to `queued` or `asked`; to `over` if nobody waits, or no call would pass.
 * `queued`     Waits until the limits let it call. Left to `calling`; to `over` when nobody waits any more, or the breaker
 *              has opened meanwhile.
 * `asked`      This engine may make no calls: another one was asked for the item, and its answer is looked for in the shared
 *              database. Left to `over`.
 * `calling`    The customer's API is asked. Left to `over`.
 * `over`       Everybody who asked was answered. A call that is still under way then was overtaken by an invalidation or
 *              another configuration: its answer is dropped.
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
  /** The item's number of invalidations when it was read; null if the database could not be asked. */
  invalidation: string | null = null;

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

  /** Until when somebody waits; 0 if nobody does. */
  untilMs(): number {
    return this.#questions.reduce((latest, { untilMs }) => Math.max(latest, untilMs), 0);
  }

  /** Whether a process of this host has asked. */
  get isOwn(): boolean {
    return this.#questions.some(({ forAnother }) => forAnother !== true);
  }

  /** The call is made because of the first question of somebody who waits. */
  noteCall(): void {
    const caller = this.#questions.find(({ untilMs }) => untilMs > 0);
    if (caller !== undefined) caller.called = true;
  }

  /** Replies to all questions so far. Later ones wait for the end. */
  tell(answer: RememberedAnswer, source: 'store' | 'database' | 'api', epoch: number | null): void {
    for (const question of this.#takeQuestions()) question.reply({ kind: 'answer', answer, source, called: question.called, epoch });
  }

  tellNothing(kind: 'none' | 'again'): void {
    for (const question of this.#takeQuestions()) question.reply({ kind, called: question.called });
  }

  /** Ends the fetch. Returns the questions without an answer. */
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
