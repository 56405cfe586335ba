import { PENDING_VISITS_MAX } from '../../shared/base/limits.js';
import type { AnswerSink } from '../http/answer-sink.js';
import { copyFacts, type Facts } from '../http/facts.js';
import { holdAnswer } from '../http/held-answer.js';
import type { Responder } from '../http/respond.js';
import type { Target } from './locate.js';
import type { Site } from './site.js';
import type { VisitFigures } from './visit-figures.js';

export interface PendingVisitParts {
  readonly responder: Responder;
  readonly site: Pick<Site, 'unavailable'>;
  readonly figures: VisitFigures;
  /** Runs `write`, which writes an answer outside the request's handler. */
  readonly answerLate: (facts: Facts, sink: AnswerSink, write: () => void) => void;
  readonly onFailure: (error: unknown) => void;
}

/** What a visit waits for, and how to answer it with the result. Both functions receive a copy of the facts that does not change. */
export interface Awaited<Found> {
  readonly find: (facts: Facts) => Promise<Found>;
  readonly answer: (facts: Facts, found: Found) => void;
}

/** Holds visits that cannot be answered within their handlers. Their number and their waiting time are limited. */
export class PendingVisits {
  readonly #parts: PendingVisitParts;
  readonly #deadlineMs: number;
  #size = 0;

  /** A visit that has waited `deadlineMs` is answered as unavailable. */
  constructor(parts: PendingVisitParts, deadlineMs: number) {
    this.#parts = parts;
    this.#deadlineMs = deadlineMs;
  }

  get size(): number {
    return this.#size;
  }

  /** Whether no further visit may wait. */
  get full(): boolean {
    return this.#size >= PENDING_VISITS_MAX;
  }

  /** Answers the visit later. If what it waits for fails, the visitor gets the page for "unavailable". */
  hold<Found>(facts: Facts, target: Pick<Target, 'entry'>, sink: AnswerSink, { find, answer }: Awaited<Found>): void {
    const { responder, site, figures, answerLate, onFailure } = this.#parts;
    const held = copyFacts(facts);
    const late = (write: () => void): void => answerLate(held, sink, write);
    const unavailable = (): void => late(() => site.unavailable(held, target, sink));
    this.#size++;
    responder.defer();
    const settle = holdAnswer({
      sink,
      deadlineMs: this.#deadlineMs,
      onDeadline: unavailable,
      onAborted: () => figures.count('aborted'),
      onEnd: () => {
        this.#size--;
      },
    });
    find(held).then(
      (found) => settle(() => late(() => answer(held, found))),
      (error: unknown) => {
        onFailure(error);
        settle(unavailable);
      },
    );
  }
}
