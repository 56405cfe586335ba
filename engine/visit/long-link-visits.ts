import { LONG_LINK_DEADLINE_MS } from '../../shared/base/long-link-limits.js';
import type { LinkRecord } from '../../shared/records/records.js';
import { type LongLink, longLinkRecord, readLongLink } from '../../shared/resolve/long-link.js';
import type { BlockList } from '../block-list/block-list.js';
import type { AnswerSink } from '../http/answer-sink.js';
import type { Facts } from '../http/facts.js';
import type { ReadThrough } from '../read-through/read-through.js';
import type { LongLinkTarget } from './locate.js';
import { type PendingVisitParts, PendingVisits } from './pending-visits.js';
import type { Site } from './site.js';

export interface LongLinkVisitParts extends PendingVisitParts {
  readonly findLink: (environmentNumber: number, path: string) => LinkRecord | undefined;
  readonly lookUp: ReadThrough['lookUp'];
  readonly blockList: Pick<BlockList, 'remembered' | 'isAnyListed'>;
  readonly site: Site;
  /** Sends the link's answer; `longQuery` is the query of the long link. */
  readonly answer: (facts: Facts, target: LongLinkTarget, link: LinkRecord | null, sink: AnswerSink, longQuery: string) => void;
}

/** The result of looking up a long link. */
interface Found {
  /** The link that the visit belongs to; null if there is none. */
  readonly link: LinkRecord | null;
  readonly listed: boolean;
}

/**
 * Serves visits of `/?link=…` in environments that list hosts for long links. If the URLs were checked a moment ago, the visit is
 * answered at once. Otherwise it waits for a check of the block list in PostgreSQL: no visitor is redirected to an unchecked URL.
 */
export class LongLinkVisits {
  readonly #parts: LongLinkVisitParts;
  readonly #pending: PendingVisits;

  constructor(parts: LongLinkVisitParts) {
    this.#parts = parts;
    this.#pending = new PendingVisits(parts, LONG_LINK_DEADLINE_MS);
  }

  get pending(): number {
    return this.#pending.size;
  }

  serve(facts: Facts, target: LongLinkTarget, sink: AnswerSink): void {
    const { entry } = target;
    const read = readLongLink(facts.query, entry.environment.record);
    if (read.kind !== 'long_link') {
      this.#parts.site.serve(facts, target, sink);
      return;
    }
    const { path, content } = read;
    const visit = { target: { ...target, path }, content };
    const link = this.#parts.findLink(entry.environment.record.number, path);
    const listed = this.#parts.blockList.remembered(content.urls);
    if (link !== undefined && listed !== undefined) this.#answer(facts, visit, { link, listed }, sink);
    else if (this.#pending.full) this.#parts.site.unavailable(facts, target, sink);
    else
      this.#pending.hold(facts, target, sink, {
        find: () => this.#find(visit),
        answer: (held, found) => this.#answer(held, visit, found, sink),
      });
  }

  async #find({ target, content }: LongVisit): Promise<Found> {
    const { findLink, lookUp, blockList } = this.#parts;
    const { number, id } = target.entry.environment.record;
    const stored = findLink(number, target.path);
    const [link, listed] = await Promise.all([
      stored ?? lookUp(id, number, target.path),
      blockList.remembered(content.urls) ?? blockList.isAnyListed(content.urls),
    ]);
    return { link: link ?? findLink(number, target.path) ?? null, listed };
  }

  #answer(facts: Facts, { target, content }: LongVisit, { link, listed }: Found, sink: AnswerSink): void {
    facts.query = content.visit_query;
    this.#parts.answer(facts, target, link === null ? null : longLinkRecord(link, content, listed), sink, content.query);
  }
}

interface LongVisit {
  /** Has the path of the stored link. */
  readonly target: LongLinkTarget;
  readonly content: LongLink;
}
