import { invariant } from '../../shared/base/invariant.js';
import type { AnswerSink } from '../http/answer-sink.js';
import type { Facts } from '../http/facts.js';
import type { Responder } from '../http/respond.js';
import { openPageCsp, renderOpenPage } from '../pages/open-page.js';
import { renderTabletPage, tabletPagePolicy } from '../pages/tablet-page.js';
import type { Cards } from './cards.js';
import type { Decision } from './decide.js';
import type { Site } from './site.js';
import { asksVersion, linkUrl, openPageOf, openUrl, redirectUrl, tabletPageOf, tellsWebPage } from './visit-pages.js';

export interface VisitAnswerParts {
  readonly responder: Responder;
  readonly cards: Cards;
  readonly site: Site;
}

/** Writes the answer that a decision calls for: a redirect, a card, or a page. */
export class VisitAnswers {
  readonly #parts: VisitAnswerParts;

  constructor(parts: VisitAnswerParts) {
    this.#parts = parts;
  }

  /** `clickId` is '' unless the answer carries it. */
  write(facts: Facts, decision: Decision, sink: AnswerSink, clickId: string): void {
    const { responder, cards, site } = this.#parts;
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
      case 'preview_redirect':
        cards.countRedirect(decision);
        this.#redirect(facts, decision, sink, decision.destination);
        return;
      case 'card':
        cards.serve(facts, decision, sink);
        return;
      case 'open_page':
      case 'app_page': {
        const language = site.languageOf(facts);
        const page = openPageOf(facts, decision, clickId, language);
        responder.page(sink, facts.method, { html: renderOpenPage(page), policy: openPageCsp(page), language });
        return;
      }
      case 'no_destination': {
        const language = site.languageOf(facts);
        const page = tabletPageOf(facts, decision, clickId, language);
        if (page === null) site.statusPage(facts, sink, outcome, decision.entry);
        else responder.page(sink, facts.method, { html: renderTabletPage(page), policy: tabletPagePolicy(page.brand), language });
        return;
      }
      default:
        // The page must not reveal that there will be a link.
        site.statusPage(facts, sink, outcome === 'scheduled' ? 'not_found' : outcome, decision.entry);
    }
  }

  #redirect(facts: Facts, { visitor }: Decision, sink: AnswerSink, location: string): void {
    const { responder } = this.#parts;
    // `decide` lets no character through that a header cannot hold. If it ever does, that is a bug and must not become a redirect.
    invariant(responder.redirect(sink, facts.method, location, asksVersion(visitor)), 'a destination may stand in a header');
  }
}

/** Whether the answer carries the click's id, by which an install is attributed to the click. */
export function carriesClickId(decision: Decision): boolean {
  const { outcome, destination_kind } = decision;
  return (
    tellsWebPage(decision) ||
    outcome === 'to_open_page' ||
    outcome === 'open_page' ||
    outcome === 'app_page' ||
    outcome === 'no_destination' ||
    destination_kind === 'play_store'
  );
}
