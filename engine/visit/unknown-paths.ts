import { PENDING_VISITS_MAX, READ_THROUGH_DEADLINE_MS } from '../../shared/base/limits.js';
import type { LinkRecord } from '../../shared/records/records.js';
import type { AnswerSink } from '../http/answer-sink.js';
import { copyFacts, type Facts } from '../http/facts.js';
import { holdAnswer } from '../http/held-answer.js';
import type { Responder } from '../http/respond.js';
import type { ReadThrough } from '../read-through/read-through.js';
import { locateLowerCase, type Target } from './locate.js';
import type { Site } from './site.js';
import type { VisitFigures } from './visit-figures.js';

export interface UnknownPathParts {
  readonly findLink: (environmentNumber: number, path: string) => LinkRecord | undefined;
  readonly findAlias: (environmentNumber: number, address: string) => string | undefined;
  readonly lookUp: ReadThrough['lookUp'];
  readonly responder: Responder;
  readonly site: Site;
  readonly figures: VisitFigures;
  readonly answerLate: (facts: Facts, sink: AnswerSink, write: () => void) => void;
  readonly answer: (facts: Facts, target: Target, link: LinkRecord | null, sink: AnswerSink) => void;
  readonly onFailure: (error: unknown) => void;
}

interface Found {
  readonly target: Target;
  /** Null if there is none. */
  readonly link: LinkRecord | null;
}

/** A backstop: the read-through keeps its own deadline, and a visitor must not hang on one that does not. */
const PENDING_DEADLINE_MS = 2 * READ_THROUGH_DEADLINE_MS;

/**
 * Visits of a path that the store does not know. They wait for the read-through, with a bound on how many wait and for how
 * long. Where case does not count, the path is tried in lower case once the database has said that no link has it as it is:
 * a link that was made a moment ago goes before another one that the store has.
 */
export class UnknownPaths {
  readonly #parts: UnknownPathParts;
  #pending = 0;

  constructor(parts: UnknownPathParts) {
    this.#parts = parts;
  }

  get pending(): number {
    return this.#pending;
  }

  serve(facts: Facts, target: Target, sink: AnswerSink): void {
    const lower = locateLowerCase(facts, target, this.#parts.findAlias);
    if (this.#pending < PENDING_VISITS_MAX) {
      this.#hold(facts, target, lower, sink);
      return;
    }
    const stored = lower === null ? undefined : this.#stored(lower);
    if (lower === null || stored === undefined) this.#parts.site.unavailable(facts, target, sink);
    else this.#parts.answer(facts, lower, stored, sink);
  }

  #hold(facts: Facts, target: Target, lower: Target | null, sink: AnswerSink): void {
    const { responder, site, figures, answerLate, answer, onFailure } = this.#parts;
    const held = copyFacts(facts);
    const late = (write: () => void): void => answerLate(held, sink, write);
    const unavailable = (): void => late(() => site.unavailable(held, target, sink));
    this.#pending++;
    responder.defer();
    const settle = holdAnswer({
      sink,
      deadlineMs: PENDING_DEADLINE_MS,
      onDeadline: unavailable,
      onAborted: () => figures.count('aborted'),
      onEnd: () => {
        this.#pending--;
      },
    });
    (lower === null ? this.#ask(target) : this.#askBoth(target, lower)).then(
      (found) => settle(() => late(() => answer(held, found.target, found.link, sink))),
      (error: unknown) => {
        onFailure(error);
        settle(unavailable);
      },
    );
  }

  /** If the database cannot be asked, a link that the store has in lower case is followed all the same. */
  async #askBoth(target: Target, lower: Target): Promise<Found> {
    const stored = this.#stored(lower);
    try {
      const found = await this.#ask(target);
      if (found.link !== null) return found;
    } catch (error) {
      if (stored === undefined) throw error;
      this.#parts.onFailure(error);
    }
    return stored === undefined ? this.#ask(lower) : { target: lower, link: stored };
  }

  /** If the database could not be asked, the store may have got the link meanwhile: it is some milliseconds behind. */
  #ask(target: Target): Promise<Found> {
    const { id, number } = environmentOf(target);
    return this.#parts
      .lookUp(id, number, target.path)
      .then((link) => ({ target, link: link === undefined ? (this.#stored(target) ?? null) : link }));
  }

  #stored(target: Target): LinkRecord | undefined {
    return this.#parts.findLink(environmentOf(target).number, target.path);
  }
}

function environmentOf({ entry }: Target): { readonly id: string; readonly number: number } {
  if (entry === undefined) throw new Error('a link target has no entry');
  return entry.environment.record;
}
