import { READ_THROUGH_DEADLINE_MS } from '../../shared/base/limits.js';
import type { LinkRecord } from '../../shared/records/records.js';
import type { AnswerSink } from '../http/answer-sink.js';
import type { Facts } from '../http/facts.js';
import type { ReadThrough } from '../read-through/read-through.js';
import { type LinkTarget, locateLowerCase } from './locate.js';
import { type PendingVisitParts, PendingVisits } from './pending-visits.js';

export interface UnknownPathVisitParts extends PendingVisitParts {
  readonly findLink: (environmentNumber: number, path: string) => LinkRecord | undefined;
  readonly findAlias: (environmentNumber: number, address: string) => string | undefined;
  readonly lookUp: ReadThrough['lookUp'];
  readonly answer: (facts: Facts, target: LinkTarget, link: LinkRecord | null, sink: AnswerSink) => void;
}

interface Found {
  readonly target: LinkTarget;
  /** Null if no link was found. */
  readonly link: LinkRecord | null;
}

/** A second limit, in case the read-through does not keep its own deadline. */
const PENDING_DEADLINE_MS = 2 * READ_THROUGH_DEADLINE_MS;

/**
 * Serves visits of a path that the store does not know. They wait for `read-through/`, which looks the path up in PostgreSQL. If
 * the host ignores case, the path is tried in lower case only after the database has answered that no link has the exact path: a
 * link that was created a moment ago takes precedence over one that the store has.
 */
export class UnknownPathVisits {
  readonly #parts: UnknownPathVisitParts;
  readonly #pending: PendingVisits;

  constructor(parts: UnknownPathVisitParts) {
    this.#parts = parts;
    this.#pending = new PendingVisits(parts, PENDING_DEADLINE_MS);
  }

  get pending(): number {
    return this.#pending.size;
  }

  serve(facts: Facts, target: LinkTarget, sink: AnswerSink): void {
    const { site, answer } = this.#parts;
    const lower = locateLowerCase(facts, target, this.#parts.findAlias);
    if (!this.#pending.full) {
      this.#pending.hold(facts, target, sink, {
        find: () => (lower === null ? this.#ask(target) : this.#askBoth(target, lower)),
        answer: (held, found) => answer(held, found.target, found.link, sink),
      });
      return;
    }
    const stored = lower === null ? undefined : this.#stored(lower);
    if (lower === null || stored === undefined) site.unavailable(facts, target, sink);
    else answer(facts, lower, stored, sink);
  }

  /** If the database cannot be queried, a link that the store has in lower case is still followed. */
  async #askBoth(target: LinkTarget, lower: LinkTarget): Promise<Found> {
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

  /**
   * If the database could not be queried, the store is read again: it is some milliseconds behind, and may have received the link
   * meanwhile.
   */
  #ask(target: LinkTarget): Promise<Found> {
    const { id, number } = target.entry.environment.record;
    return this.#parts
      .lookUp(id, number, target.path)
      .then((link) => ({ target, link: link === undefined ? (this.#stored(target) ?? null) : link }));
  }

  #stored(target: LinkTarget): LinkRecord | undefined {
    return this.#parts.findLink(target.entry.environment.record.number, target.path);
  }
}
