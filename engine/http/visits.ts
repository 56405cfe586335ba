import type { Clock } from '../../shared/base/clock.js';
import type { GenerationCache } from '../../shared/base/generation-cache.js';
import { invariant } from '../../shared/base/invariant.js';
import { PENDING_VISITS_MAX, READ_THROUGH_DEADLINE_MS } from '../../shared/base/limits.js';
import type { Logger } from '../../shared/base/log.js';
import type { LinkRecord } from '../../shared/feed/records.js';
import type { ProxyTrust } from '../../shared/net/client-address.js';
import { isHostField } from '../../shared/net/host-name.js';
import type { Visitor } from '../../shared/resolve/visitor.js';
import type { ItemAnswers } from '../preview/item-answers.js';
import { type Decision, decide, decideItem } from '../route/decide.js';
import { locate, type Target } from '../route/locate.js';
import type { Table } from '../route/table.js';
import type { ClickSink } from '../spool/click.js';
import type { AnswerSink } from './answer-sink.js';
import { Cards } from './cards.js';
import { fillAddress, fillClick, newClick } from './click-record.js';
import { copyFacts, type Facts } from './facts.js';
import { holdAnswer } from './held-answer.js';
import { NOBODY } from './pages/html.js';
import { LANGUAGES, type Language } from './pages/language.js';
import { OPEN_PAGE_CSP, renderOpenPage } from './pages/open-page.js';
import { statusPage } from './pages/status-page.js';
import type { Responder } from './respond.js';
import { Site } from './site.js';
import type { VisitFigures } from './visit-figures.js';
import { linkUrl, openPageOf, openUrl, redirectUrl } from './visit-pages.js';

export interface VisitDependencies {
  /** The table of this moment. */
  readonly table: () => Table;
  /** The link in the host's store; undefined where the store knows of none. */
  readonly findLink: (environmentNumber: number, path: string) => LinkRecord | undefined;
  /** The link in the database, for a path the store does not know yet; null where there is none. */
  readonly lookUp: (environmentId: string, environmentNumber: number, path: string) => Promise<LinkRecord | null>;
  readonly clicks: ClickSink;
  /** What is known of items, for their cards. */
  readonly items: ItemAnswers;
  readonly verdicts: GenerationCache<Visitor>;
  readonly languages: GenerationCache<Language>;
  readonly figures: VisitFigures;
  readonly responder: Responder;
  readonly proxyTrust: ProxyTrust;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A backstop: the read-through keeps its own deadline, and a visitor must not hang on one that does not. */
const PENDING_DEADLINE_MS = 2 * READ_THROUGH_DEADLINE_MS;

/**
 * A request from its facts to its answer. For a link the store knows there is no `await` and no copy; only an unknown
 * path waits for the read-through, with a bound on how many wait and for how long.
 */
export class Visits {
  readonly #parts: VisitDependencies;
  readonly #click = newClick();
  readonly #cards: Cards;
  readonly #site: Site;
  #pending = 0;
  #lastFailureLoggedMs = 0;

  constructor(parts: VisitDependencies) {
    this.#parts = parts;
    this.#site = new Site(parts);
    this.#cards = new Cards({ ...parts, answerLate: (facts, sink, write) => this.#answerLate(facts, sink, write) });
  }

  /** Preview bots that wait for an item. */
  get waitingForCards(): number {
    return this.#cards.waiting;
  }

  get pending(): number {
    return this.#pending;
  }

  /** Answers, or takes on to answer, every request. Never throws: an exception inside a uWebSockets.js handler ends the process. */
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
    // Not answered: uWebSockets.js would serve what follows on the connection, and nobody knows what that is.
    if (facts.body || facts.hosts !== 1 || facts.host === '') {
      figures.count('dropped');
      responder.drop(sink);
      return;
    }
    const target = locate(facts, this.#parts.table());
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
    if (target.kind === 'link') this.#serveLink(facts, target, sink);
    else if (target.kind === 'template') this.#answerItem(facts, target, sink);
    else this.#site.serve(facts, target, sink);
  }

  #serveLink(facts: Facts, target: Target, sink: AnswerSink): void {
    invariant(target.entry !== undefined, 'a link target has an entry');
    const { record } = target.entry.environment;
    const link = this.#findLink(record.number, target.path);
    if (link === undefined) this.#serveUnknown(facts, target, sink);
    else this.#answer(facts, target, link, sink);
  }

  /** The store is a copy: where it fails the database still knows the link, and the failure is counted and logged. */
  #findLink(environmentNumber: number, path: string): LinkRecord | undefined {
    try {
      return this.#parts.findLink(environmentNumber, path);
    } catch (error) {
      this.#parts.figures.store_failures++;
      this.#logFailure(error, 'the store could not be read');
      return undefined;
    }
  }

  #serveUnknown(facts: Facts, target: Target, sink: AnswerSink): void {
    if (this.#pending >= PENDING_VISITS_MAX) {
      this.#site.unavailable(facts, target, sink);
      return;
    }
    invariant(target.entry !== undefined, 'a link target has an entry');
    const { record } = target.entry.environment;
    const held = copyFacts(facts);
    const late = (answer: () => void): void => this.#answerLate(held, sink, answer);
    const unavailable = (): void => late(() => this.#site.unavailable(held, target, sink));
    this.#pending++;
    this.#parts.responder.defer();
    const settle = holdAnswer({
      sink,
      deadlineMs: PENDING_DEADLINE_MS,
      onDeadline: unavailable,
      onAborted: () => this.#parts.figures.count('aborted'),
      onEnd: () => {
        this.#pending--;
      },
    });
    this.#parts.lookUp(record.id, record.number, target.path).then(
      // Where the database has no answer in time, the store may have got the link meanwhile: it is some milliseconds behind.
      (link) => settle(() => late(() => this.#answer(held, target, link ?? this.#findLink(record.number, target.path) ?? null, sink))),
      (error: unknown) => {
        this.#logFailure(error, 'the read-through failed');
        settle(unavailable);
      },
    );
  }

  #answerLate(facts: Facts, sink: AnswerSink, answer: () => void): void {
    try {
      this.#parts.responder.begin();
      answer();
    } catch (error) {
      this.#fail(facts, sink, error);
    }
  }

  #answer(facts: Facts, target: Target, link: LinkRecord | null, sink: AnswerSink): void {
    if (link !== null) this.#recognise(facts);
    const now = this.#parts.clock();
    this.#carryOut(facts, decide(facts, target, link, now), sink, now);
  }

  #answerItem(facts: Facts, target: Target, sink: AnswerSink): void {
    this.#recognise(facts);
    const now = this.#parts.clock();
    this.#carryOut(facts, decideItem(facts, target, now), sink, now);
  }

  #recognise(facts: Facts): void {
    const { text, value } = this.#parts.verdicts.entryOf(facts.user_agent);
    facts.visitor = value;
    // The spool looks the text up too, by a hash that this string has already.
    facts.user_agent = text;
  }

  #carryOut(facts: Facts, decision: Decision, sink: AnswerSink, nowMs: number): void {
    const clickId = decision.click ? this.#storeClick(facts, decision, sink, nowMs) : decision.continues;
    this.#respond(facts, decision, sink, clickId);
    this.#parts.figures.count(decision.outcome);
  }

  /** Stored before it is answered, so that no answered visit can be missing. Returns the id where the answer carries it. */
  #storeClick(facts: Facts, decision: Decision, sink: AnswerSink, nowMs: number): string {
    const { clicks, figures, proxyTrust } = this.#parts;
    const clickId = carriesClickId(decision) ? clicks.nextId(nowMs) : '';
    fillClick(this.#click, facts, decision, nowMs);
    fillAddress(this.#click, facts, sink, proxyTrust);
    if (clicks.append(this.#click)) figures.clicks++;
    else figures.clicks_dropped++;
    return clickId;
  }

  #respond(facts: Facts, decision: Decision, sink: AnswerSink, clickId: string): void {
    const { responder } = this.#parts;
    const { outcome } = decision;
    switch (outcome) {
      case 'redirect':
      case 'to_store':
        this.#redirect(facts, decision, sink, redirectUrl(decision, clickId));
        return;
      case 'to_open_page':
        this.#redirect(facts, decision, sink, openUrl(decision, clickId));
        return;
      case 'to_link':
        this.#redirect(facts, decision, sink, linkUrl(decision, ''));
        return;
      case 'card':
        this.#cards.serve(facts, decision, sink);
        return;
      case 'open_page':
      case 'app_page': {
        const language = this.#site.languageOf(facts);
        const html = renderOpenPage(openPageOf(facts, decision, clickId, language));
        responder.page(sink, facts.method, { html, policy: OPEN_PAGE_CSP, language });
        return;
      }
      default:
        this.#site.statusPage(facts, sink, outcome, decision.entry);
    }
  }

  #redirect(facts: Facts, { visitor }: Decision, sink: AnswerSink, location: string): void {
    // Chrome has left its version out of the user agent, and gives it to a site that has once asked.
    const options = visitor.platform === 'android' && visitor.os_version === '' ? ASKS_VERSION : undefined;
    // What decide() lets through holds no such character; if it ever does, that is our fault and not a redirect.
    invariant(this.#parts.responder.redirect(sink, facts.method, location, options), 'a destination may stand in a header');
  }

  /** Whatever happened, the client gets an answer or the end of its connection, and uWebSockets.js gets no exception. */
  #fail(facts: Facts, sink: AnswerSink, error: unknown): void {
    const { responder, figures } = this.#parts;
    figures.count('failed');
    this.#logFailure(error, 'a request failed');
    if (responder.isSettled()) return;
    try {
      if (responder.canAnswer()) responder.statusPage(sink, facts.method, statusPage('failed', LANGUAGES[0], NOBODY));
      else responder.drop(sink);
    } catch (second) {
      this.#logFailure(second, 'a failed request could not be answered');
      responder.drop(sink);
    }
  }

  /** One line a second: a fault on every request must not become a flood of its own. */
  #logFailure(error: unknown, message: string): void {
    const now = this.#parts.clock();
    if (now - this.#lastFailureLoggedMs < 1000) return;
    this.#lastFailureLoggedMs = now;
    this.#parts.log.error({ err: error }, message);
  }
}

/** Whether the answer names the click, by which an install is traced back to it. */
function carriesClickId({ outcome, destination_kind }: Decision): boolean {
  return outcome === 'to_open_page' || outcome === 'open_page' || outcome === 'app_page' || destination_kind === 'play_store';
}

const ASKS_VERSION = { asksVersion: true };
