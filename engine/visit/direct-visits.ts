import type { Clock } from '../../shared/base/clock.js';
import type { GenerationCache } from '../../shared/base/generation-cache.js';
import type { ProxyTrust } from '../../shared/net/client-address.js';
import { directSlotOf, isDefaultBefore } from '../../shared/resolve/direct-destination.js';
import { shortPath } from '../../shared/resolve/link-addresses.js';
import { type Visitor, withClientHints } from '../../shared/resolve/recognise-visitor.js';
import type { AnswerSink } from '../http/answer-sink.js';
import type { Facts } from '../http/facts.js';
import type { Responder } from '../http/respond.js';
import type { IndexedLink } from '../link-index/indexed-link.js';
import type { ClickSink } from '../spool/click.js';
import { fillAddress, fillDirectClick, newClick } from './click-record.js';
import type { Table } from './table.js';
import type { VisitFigures } from './visit-figures.js';
import { asksVersion } from './visit-pages.js';

export interface DirectVisitParts {
  readonly table: () => Table;
  readonly findIndexedLink: (environmentNumber: number, path: string) => IndexedLink | null;
  readonly clicks: ClickSink;
  readonly verdicts: GenerationCache<Visitor>;
  readonly figures: VisitFigures;
  readonly responder: Responder;
  readonly proxyTrust: ProxyTrust;
  readonly clock: Clock;
}

/**
 * The visits that there are most of: a GET of an active link whose own destination for the visitor's platform is known to be
 * a plain redirect since the link was written into the index. Such a visit is a look-up, a slot, a slice of mapped memory
 * and a click. Its answer and its click are those that `decide` would have come to.
 */
export class DirectVisits {
  readonly #parts: DirectVisitParts;
  readonly #click = newClick();
  #found: IndexedLink | null = null;

  constructor(parts: DirectVisitParts) {
    this.#parts = parts;
  }

  /** The link of the request that `serve` returned false for, if it was found in the index. Good until the next look-up. */
  get found(): IndexedLink | null {
    return this.#found;
  }

  /** Answers the request and returns true; returns false, with nothing done, if it takes a decision of its own. */
  serve(facts: Facts, sink: AnswerSink): boolean {
    this.#found = null;
    const { figures, responder, clicks, proxyTrust } = this.#parts;
    if (facts.method !== 'GET') return false;
    const entry = this.#parts.table().hosts.get(facts.host);
    if (entry === undefined || entry.role !== 'link') return false;
    const path = shortPath(facts.path);
    if (path === '') return false;
    const { environment } = entry;
    const link = this.#parts.findIndexedLink(environment.record.number, path);
    this.#found = link;
    const slots = link === null ? 0 : link.directSlots(facts.query);
    if (link === null || slots === 0) return false;
    const now = this.#parts.clock();
    if (link.expires_at_ms !== 0 && link.expires_at_ms <= now) return false;
    const visitor = this.#recognise(facts);
    if (visitor === null || visitor.preview_bot) return false;
    const slot = directSlotOf(slots, visitor.platform);
    if (slot === 0 || isDefaultBefore(environment.default_slots, visitor.platform, slot)) return false;
    const destination = link.chooseDestination(slot);
    fillDirectClick(this.#click, facts, entry, link, now);
    fillAddress(this.#click, facts, sink, proxyTrust);
    if (clicks.append(this.#click)) figures.clicks++;
    else figures.clicks_dropped++;
    responder.directRedirect(sink, destination, asksVersion(visitor));
    figures.count('redirect');
    return true;
  }

  /** Null if a client hint says more than the user agent. */
  #recognise(facts: Facts): Visitor | null {
    const { text, value } = this.#parts.verdicts.entryOf(facts.user_agent);
    if (withClientHints(value, facts.platform_hint, facts.platform_version) !== value) return null;
    facts.visitor = value;
    // The spool looks the text up too, by a hash that this string has already.
    facts.user_agent = text;
    return value;
  }
}
