import type { Clock } from '../../shared/base/clock.js';
import type { GenerationCache } from '../../shared/base/generation-cache.js';
import type { ProxyTrust } from '../../shared/net/client-address.js';
import { DESTINATION_SLOTS, type DestinationSlot } from '../../shared/records/records.js';
import { type DirectSlots, directSlotOf, isDefaultBefore } from '../../shared/resolve/direct-destination.js';
import { type Visitor, withClientHints } from '../../shared/resolve/recognise-visitor.js';
import { renderRedirect } from '../../shared/resolve/render.js';
import type { AnswerSink } from '../http/answer-sink.js';
import type { Facts } from '../http/facts.js';
import type { Responder } from '../http/respond.js';
import type { IndexedLink } from '../link-index/indexed-link.js';
import type { ClickSink } from '../spool/click.js';
import { fillAddress, fillDirectClick, fillDirectItemClick, newClick } from './click-record.js';
import type { ItemTarget, LinkTarget } from './locate.js';
import type { CompiledEnvironment } from './table.js';
import type { VisitFigures } from './visit-figures.js';
import { asksVersion } from './visit-pages.js';

export interface DirectVisitParts {
  readonly findIndexedLink: (environmentNumber: number, path: string) => IndexedLink | null;
  readonly clicks: ClickSink;
  readonly verdicts: GenerationCache<Visitor>;
  readonly figures: VisitFigures;
  readonly responder: Responder;
  readonly proxyTrust: ProxyTrust;
  readonly clock: Clock;
}

/**
 * The fast path for the most frequent visits: a GET of an active link whose destination for the visitor's platform is a plain
 * redirect. For a link this is determined when the link is written into the index, and for the items of a template at the first
 * visit to one of them. Such a visit takes a look-up, a slice of mapped memory and a click. The response and the click are the
 * same as those of `decide` and `decideItem`.
 */
export class DirectVisits {
  readonly #parts: DirectVisitParts;
  readonly #click = newClick();
  #found: IndexedLink | null = null;

  constructor(parts: DirectVisitParts) {
    this.#parts = parts;
  }

  /** The link that `serveLink` returned false for, if it was found in the index. Valid until the next look-up. */
  get found(): IndexedLink | null {
    return this.#found;
  }

  /** Answers a visit to a link and returns true, or returns false if the visit has to be decided in full. */
  serveLink(facts: Facts, { entry, path, alias }: LinkTarget, sink: AnswerSink): boolean {
    this.#found = null;
    // The click of an alias has a path that is not the path of the link.
    if (facts.method !== 'GET' || entry.role !== 'link' || alias !== '') return false;
    const link = this.#parts.findIndexedLink(entry.environment.record.number, path);
    this.#found = link;
    const slots = link === null ? 0 : link.directSlots(facts.query);
    if (link === null || slots === 0) return false;
    const now = this.#parts.clock();
    if (link.expires_at_ms !== 0 && link.expires_at_ms <= now) return false;
    const slot = this.#slotOf(facts, slots, entry.environment);
    if (slot === 0) return false;
    const destination = link.chooseDestination(slot);
    fillDirectClick(this.#click, facts, entry, link, now);
    this.#redirect(facts, sink, destination);
    return true;
  }

  /** Does the same for a visit to an item. */
  serveItem(facts: Facts, { entry, match }: ItemTarget, sink: AnswerSink): boolean {
    if (facts.method !== 'GET' || entry.role !== 'link' || match.result !== 'match') return false;
    const { template, id } = match;
    if (template.content.allow_param_passthrough && facts.query !== '') return false;
    // If the path has an escape, or a slash at its end, the click would store another path.
    if (facts.path.length !== 1 + template.path_start.length + id.length + template.path_end.length) return false;
    const slot = this.#slotOf(facts, template.direct_slots, entry.environment);
    if (slot === 0) return false;
    const destination = renderRedirect(template.content, DESTINATION_SLOTS[slot - 1] as DestinationSlot, id);
    fillDirectItemClick(this.#click, facts, entry, { template, id, destination }, this.#parts.clock());
    this.#redirect(facts, sink, destination);
    return true;
  }

  /** Recognises the visitor and returns the slot of their destination; 0 if `decide` is needed. */
  #slotOf(facts: Facts, slots: DirectSlots, { default_slots }: CompiledEnvironment): number {
    if (slots === 0) return 0;
    const visitor = this.#recognise(facts);
    if (visitor === null || visitor.preview_bot) return 0;
    const slot = directSlotOf(slots, visitor.platform);
    return slot === 0 || isDefaultBefore(default_slots, visitor.platform, slot) ? 0 : slot;
  }

  /** Adds the address to the click, stores the click, and redirects. */
  #redirect(facts: Facts, sink: AnswerSink, destination: string): void {
    const { figures, responder, clicks, proxyTrust } = this.#parts;
    fillAddress(this.#click, facts, sink, proxyTrust);
    if (clicks.append(this.#click)) figures.clicks++;
    else figures.clicks_dropped++;
    responder.directRedirect(sink, destination, asksVersion(facts.visitor));
    figures.count('redirect');
  }

  /** Returns null if a client hint says more than the user agent. */
  #recognise(facts: Facts): Visitor | null {
    const { text, value } = this.#parts.verdicts.entryOf(facts.user_agent);
    if (withClientHints(value, facts.platform_hint, facts.platform_version) !== value) return null;
    facts.visitor = value;
    // The spool looks the text up too. This string already has its hash.
    facts.user_agent = text;
    return value;
  }
}
