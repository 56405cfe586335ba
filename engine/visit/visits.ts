import type { Clock } from '../../shared/base/clock.js';
import type { GenerationCache } from '../../shared/base/generation-cache.js';
import { invariant } from '../../shared/base/invariant.js';
import type { Logger } from '../../shared/base/log.js';
import type { ProxyTrust } from '../../shared/net/client-address.js';
import { isHostField } from '../../shared/net/host-name.js';
import type { LinkRecord } from '../../shared/records/records.js';
import { withoutForgedClickId } from '../../shared/resolve/click-id.js';
import type { Visitor } from '../../shared/resolve/recognise-visitor.js';
import { wayBack } from '../../shared/resolve/way-back.js';
import type { ClickIdKeys } from '../../shared/secrets/click-id-keys.js';
import type { BlockList } from '../block-list/block-list.js';
import type { ClickLimits } from '../click-limits/click-limits.js';
import type { CountryDatabase } from '../countries/country-database.js';
import { answerAfterBody } from '../http/answer-after-body.js';
import type { AnswerSink } from '../http/answer-sink.js';
import type { Facts } from '../http/facts.js';
import type { Responder } from '../http/respond.js';
import type { IndexedLink } from '../link-index/indexed-link.js';
import { NOBODY } from '../pages/brand.js';
import { statusPage } from '../pages/status-page.js';
import { LANGUAGES, type Language } from '../pages/texts/language.js';
import type { ItemAnswers } from '../preview/item-answers.js';
import type { ReadThrough } from '../read-through/read-through.js';
import type { ClickSink } from '../spool/click.js';
import { Cards } from './cards.js';
import { addressOf, fillAddress, fillClick, newClick } from './click-record.js';
import { type Decision, decide, decideItem, ofLongLink } from './decide.js';
import { DeviceReports } from './device-reports.js';
import { DirectVisits } from './direct-visits.js';
import { FailureLog } from './failure-log.js';
import { type ItemTarget, type LinkTarget, type LongLinkTarget, locate, locateAlias, type Target } from './locate.js';
import { type LongLinkVisit, LongLinkVisits } from './long-link-visits.js';
import { ProtectedVisits } from './protected-visits.js';
import { readQrMark, recognise } from './recognise.js';
import { Site } from './site.js';
import { hostEntry, type Table } from './table.js';
import { UnknownPathVisits } from './unknown-path-visits.js';
import { carriesClickId, VisitAnswers } from './visit-answers.js';
import type { VisitFigures } from './visit-figures.js';

export interface VisitDependencies {
  /** The table as the newest visit has found it. It does not change during a visit. */
  readonly table: () => Table;
  /** The table after a look at the store. It may lack what was stored within the last `REFRESH_MS`. */
  readonly newestTable: () => Table;
  /** Returns the link in the host's store; undefined if the store does not have it. */
  readonly findLink: (environmentNumber: number, path: string) => LinkRecord | undefined;
  /** Returns the link in the host's index, valid until the next call; null if it is not there. */
  readonly findIndexedLink: (environmentNumber: number, path: string) => IndexedLink | null;
  /** Returns the path of the link that has the address as an alias; undefined if the store has none. */
  readonly findAlias: (environmentNumber: number, address: string) => string | undefined;
  /** Looks a path that the store does not know yet up in the database. */
  readonly lookUp: ReadThrough['lookUp'];
  readonly clicks: ClickSink;
  readonly clickIds: ClickIdKeys;
  /** The known answers about items, for their cards. */
  readonly items: ItemAnswers;
  readonly verdicts: GenerationCache<Visitor>;
  readonly languages: GenerationCache<Language>;
  readonly figures: VisitFigures;
  readonly responder: Responder;
  readonly proxyTrust: ProxyTrust;
  readonly countries: Pick<CountryDatabase, 'countryOf'>;
  readonly clickLimits: Pick<ClickLimits, 'take'>;
  readonly blockList: Pick<BlockList, 'remembered' | 'isAnyListed'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Handles a request from its facts to its response. For a link that the store knows there is no `await` and no copy. Only an
 * unknown path waits for the read-through; the number of waiting visits and their waiting time are limited.
 */
export class Visits {
  readonly #parts: VisitDependencies;
  readonly #click = newClick();
  readonly #direct: DirectVisits;
  readonly #cards: Cards;
  readonly #site: Site;
  readonly #protected: ProtectedVisits;
  readonly #devices: DeviceReports;
  readonly #longLinks: LongLinkVisits;
  readonly #unknown: UnknownPathVisits;
  readonly #answers: VisitAnswers;
  readonly #failures: FailureLog;

  constructor(parts: VisitDependencies) {
    this.#parts = parts;
    this.#failures = new FailureLog(parts.log);
    this.#direct = new DirectVisits(parts);
    this.#site = new Site(parts);
    this.#devices = new DeviceReports(parts);
    const answerLate = (facts: Facts, sink: AnswerSink, write: () => void) => this.#answerLate(facts, sink, write);
    this.#cards = new Cards({ ...parts, answerLate });
    this.#answers = new VisitAnswers({ responder: parts.responder, cards: this.#cards, site: this.#site });
    this.#protected = new ProtectedVisits({
      ...{ ...parts, site: this.#site, answerLate },
      carryOut: (facts, decision, sink) => this.#carryOut(facts, decision, sink, parts.clock()),
      onFailure: (error) =>
        this.#failures.addUnlessAway(error, (log) =>
          log.error({ code: 'limited_visit_failed', err: error }, 'a visitor of a protected link could not be served'),
        ),
    });
    const findLink = (environmentNumber: number, path: string) => this.#findLink(environmentNumber, path);
    this.#unknown = new UnknownPathVisits({
      ...{ ...parts, site: this.#site, answerLate, findLink },
      answer: (facts, target, link, sink) => this.#answer(facts, target, link, sink),
      onFailure: (error) =>
        this.#failures.addUnlessAway(error, (log) => log.error({ code: 'read_through_failed', err: error }, 'the read-through failed')),
    });
    this.#longLinks = new LongLinkVisits({
      ...{ ...parts, site: this.#site, answerLate, findLink },
      answer: (facts, target, link, sink, visit) => this.#answer(facts, target, link, sink, visit),
      onFailure: (error) =>
        this.#failures.addUnlessAway(error, (log) =>
          log.error({ code: 'long_link_failed', err: error }, 'a long link could not be checked'),
        ),
    });
  }

  /** The number of preview bots that wait for an item. */
  get waitingForCards(): number {
    return this.#cards.waiting;
  }

  get pending(): number {
    return this.#unknown.pending + this.#protected.pending + this.#longLinks.pending;
  }

  /** Answers every request, now or later. Never throws: an exception inside a uWebSockets.js handler ends the process. */
  handle(facts: Facts, sink: AnswerSink): void {
    try {
      this.#parts.responder.begin();
      this.#serve(facts, sink);
      invariant(this.#parts.responder.isSettled(), 'a handler returned with the request neither answered nor deferred');
    } catch (error) {
      this.#fail(facts, sink, error);
    }
  }

  #serve(facts: Facts, sink: AnswerSink): void {
    const { responder, figures } = this.#parts;
    if (facts.body !== 'none' || facts.hosts !== 1 || facts.host === '') {
      this.#turnAway(facts, sink);
      return;
    }
    const target = this.#locate(facts, this.#parts.newestTable());
    if (target.entry === undefined && !isHostField(facts.host)) {
      responder.badRequest(sink, facts.method);
      figures.count('bad_request');
      return;
    }
    if (facts.method === 'other') {
      this.#site.statusPage(facts, sink, 'method_not_allowed', target.entry);
      figures.count('method_not_allowed');
      return;
    }
    if (facts.query !== '') readQrMark(facts);
    if (target.kind === 'link') this.#serveLink(facts, target, sink);
    else if (target.kind === 'template') this.#serveItem(facts, target, sink);
    else if (target.kind === 'long_link') this.#longLinks.serve(facts, target, sink);
    else if (target.kind === 'click_device' && target.entry !== undefined) this.#devices.serve(facts, target.entry, sink);
    else this.#site.serve(facts, target, sink);
  }

  #locate(facts: Facts, table: Table): Target {
    const target = locate(facts, table);
    const { entry, kind } = target;
    return entry?.aliased === true || kind === 'not_found' ? locateAlias(facts, target, this.#parts.findAlias) : target;
  }

  /** Refuses a request before any link is looked up, because its body or its `Host` is not what a visitor's browser sends. */
  #turnAway(facts: Facts, sink: AnswerSink): void {
    const { responder, figures } = this.#parts;
    if (facts.body === 'unclear') {
      // No response: uWebSockets.js would treat the rest of the connection as a new request, and its content is unknown.
      figures.count('dropped');
      responder.drop(sink);
      return;
    }
    const end = facts.body === 'sized' ? 'body_refused' : 'bad_request';
    responder.defer();
    answerAfterBody(sink, {
      onAnswer: () => {
        figures.count(end);
        responder.lastAnswer(sink, end === 'body_refused' ? '413 Content Too Large' : '400 Bad Request');
      },
      onAborted: () => figures.count('aborted'),
    });
  }

  #serveLink(facts: Facts, target: LinkTarget, sink: AnswerSink): void {
    if (this.#direct.serveLink(facts, target, sink)) return;
    const { record } = target.entry.environment;
    const link = this.#direct.found?.record() ?? this.#findLink(record.number, target.path);
    if (link !== undefined) this.#answer(facts, target, link, sink);
    else this.#serveMissing(facts, target, sink);
  }

  /**
   * Looks for an alias in the newest table, because the first alias of a host may have been stored within the last milliseconds.
   * Otherwise the path is looked up in the database.
   */
  #serveMissing(facts: Facts, target: LinkTarget, sink: AnswerSink): void {
    const newest = target.entry.aliased ? target : this.#locate(facts, this.#parts.newestTable());
    if (newest.kind !== 'link') this.#unknown.serve(facts, target, sink);
    else if (newest.alias !== '' && target.alias === '') this.#serveLink(facts, newest, sink);
    else this.#unknown.serve(facts, newest, sink);
  }

  /** The store is a copy: if it fails, the database still has the link. The failure is counted and logged. */
  #findLink(environmentNumber: number, path: string): LinkRecord | undefined {
    try {
      return this.#parts.findLink(environmentNumber, path);
    } catch (error) {
      this.#parts.figures.store_failures++;
      this.#failures.add((log) => log.error({ code: 'store_unreadable', err: error }, 'the store could not be read'));
      return undefined;
    }
  }

  #answerLate(facts: Facts, sink: AnswerSink, answer: () => void): void {
    try {
      this.#parts.responder.begin();
      answer();
    } catch (error) {
      this.#fail(facts, sink, error);
    }
  }

  /** `long` is null unless this is the visit of a long link. `link` is then what the visit made of the stored link. */
  #answer(
    facts: Facts,
    target: LinkTarget | LongLinkTarget,
    link: LinkRecord | null,
    sink: AnswerSink,
    long: LongLinkVisit | null = null,
  ): void {
    if (link !== null) recognise(facts, this.#parts.verdicts);
    this.#forgetForgedClick(facts);
    const now = this.#parts.clock();
    const country = link === null || link.rules === null ? '' : this.#countryOf(facts, sink);
    const decision = this.#decide(facts, target, link, now, country, long);
    if (decision.protection === null) this.#carryOut(facts, decision, sink, now);
    else {
      const decideAgain = (held: Facts) => this.#decideAgain(held, target, link, { country, long });
      this.#protected.serve(facts, decision, decision.protection, { sink, decideAgain });
    }
  }

  /** Decides without the open page if it would lead back to another link. That of a long link leads back to its query. */
  #decide(
    facts: Facts,
    target: LinkTarget | LongLinkTarget,
    link: LinkRecord | null,
    nowMs: number,
    country: string,
    long: LongLinkVisit | null,
  ): Decision {
    const decided = decide(facts, target, link, nowMs, country);
    if (long !== null) return ofLongLink(decided, long.query);
    return this.#leadsBackElsewhere(decided) ? decide(facts, target, link, nowMs, country, 'link_only') : decided;
  }

  #leadsBackElsewhere({ outcome, entry, path }: Decision): boolean {
    const { record } = entry.environment;
    const address = outcome === 'to_open_page' ? wayBack(record, path) : null;
    const aliased = address === null ? undefined : this.#parts.findAlias(record.number, address);
    return aliased !== undefined && aliased !== path;
  }

  /** Decides again with the current data of the store. If the store does not have the link yet, the row from the database is used. */
  #decideAgain(
    facts: Facts,
    target: LinkTarget | LongLinkTarget,
    link: LinkRecord | null,
    { country, long }: { readonly country: string; readonly long: LongLinkVisit | null },
  ): Decision {
    const entry = hostEntry(this.#parts.newestTable(), facts.host) ?? target.entry;
    const stored = this.#findLink(entry.environment.record.number, target.path);
    const now = stored === undefined ? link : (long?.recordOf(stored) ?? stored);
    return this.#decide(facts, { ...target, entry }, now, this.#parts.clock(), country, long);
  }

  /** The country from the trusted proxy, or else from the operator's file; '' if it is unknown. */
  #countryOf(facts: Facts, sink: AnswerSink): string {
    const { countries, proxyTrust } = this.#parts;
    const { text, forwarded } = addressOf(facts, sink, proxyTrust);
    return forwarded && facts.country !== '' ? facts.country : countries.countryOf(text);
  }

  #serveItem(facts: Facts, target: ItemTarget, sink: AnswerSink): void {
    if (this.#direct.serveItem(facts, target, sink)) return;
    recognise(facts, this.#parts.verdicts);
    this.#forgetForgedClick(facts);
    const now = this.#parts.clock();
    const decided = decideItem(facts, target, now);
    this.#carryOut(facts, this.#leadsBackElsewhere(decided) ? decideItem(facts, target, now, 'link_only') : decided, sink, now);
  }

  #forgetForgedClick(facts: Facts): void {
    if (facts.query !== '') facts.query = withoutForgedClickId(facts.query, this.#parts.clickIds);
  }

  #carryOut(facts: Facts, decision: Decision, sink: AnswerSink, nowMs: number): void {
    const clickId = decision.click ? this.#storeClick(facts, decision, sink, nowMs) : decision.continues;
    this.#answers.write(facts, decision, sink, clickId);
    this.#parts.figures.count(decision.outcome);
  }

  /**
   * Stores the click before the visit is answered, so that no answered visit can be missing. Returns the id if the answer carries
   * it, otherwise ''.
   */
  #storeClick(facts: Facts, decision: Decision, sink: AnswerSink, nowMs: number): string {
    const { clicks, figures, proxyTrust } = this.#parts;
    const clickId = carriesClickId(decision) ? clicks.nextId(nowMs) : '';
    fillClick(this.#click, facts, decision, nowMs);
    fillAddress(this.#click, facts, sink, proxyTrust);
    if (clicks.append(this.#click)) figures.clicks++;
    else figures.clicks_dropped++;
    return clickId;
  }

  /** Whatever happened, the client gets an answer or a closed connection, and uWebSockets.js gets no exception. */
  #fail(facts: Facts, sink: AnswerSink, error: unknown): void {
    const { responder, figures } = this.#parts;
    figures.count('failed');
    this.#failures.add((log) => log.error({ code: 'visit_failed', err: error }, 'a request failed'));
    if (responder.isSettled()) return;
    try {
      if (responder.canAnswer()) responder.statusPage(sink, facts.method, statusPage('failed', LANGUAGES[0], NOBODY));
      else responder.drop(sink);
    } catch (second) {
      this.#failures.add((log) => log.error({ code: 'answer_failed', err: second }, 'a failed request could not be answered'));
      responder.drop(sink);
    }
  }
}
