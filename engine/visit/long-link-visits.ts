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
  /** Sends the answer of `link`, which is what the visit made of the stored link; null if there is none. */
  readonly answer: (facts: Facts, target: LongLinkTarget, link: LinkRecord | null, sink: AnswerSink, visit: LongLinkVisit) => void;
}

/** What the visit of a long link has beyond that of another link. */
export interface LongLinkVisit {
  /** The whole query, which identifies the long link. */
  readonly query: string;
  /** Returns what the visit makes of the stored link. A visit that reads the link again must call this again. */
  readonly recordOf: (stored: LinkRecord) => LinkRecord;
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

  async #find({ target, content }: ReadVisit): Promise<Found> {
    const { findLink, lookUp, blockList } = this.#parts;
    const { number, id } = target.entry.environment.record;
    const stored = findLink(number, target.path);
    const [link, listed] = await Promise.all([
      stored ?? lookUp(id, number, target.path),
      blockList.remembered(content.urls) ?? blockList.isAnyListed(content.urls),
    ]);
    return { link: link ?? findLink(number, target.path) ?? null, listed };
  }

  #answer(facts: Facts, { target, content }: ReadVisit, { link, listed }: Found, sink: AnswerSink): void {
    facts.query = content.visit_query;
    const recordOf = (stored: LinkRecord) => longLinkRecord(stored, content, listed);
    this.#parts.answer(facts, target, link === null ? null : recordOf(link), sink, { query: content.query, recordOf });
  }
}

interface ReadVisit {
  /** Has the path of the stored link. */
  readonly target: LongLinkTarget;
  readonly content: LongLink;
}
