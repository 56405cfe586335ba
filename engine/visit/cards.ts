import type { Clock } from '../../shared/base/clock.js';
import { PREVIEW_WAITERS_MAX } from '../../shared/base/limits.js';
import { type Card, composeCard, genericCard, linkCard } from '../../shared/metadata/card.js';
import { answerOf, type RememberedAnswer } from '../../shared/metadata/remembered.js';
import type { MetadataApiRecord } from '../../shared/records/records.js';
import type { TemplateItem } from '../../shared/resolve/template-route.js';
import type { AnswerSink } from '../http/answer-sink.js';
import { copyFacts, type Facts } from '../http/facts.js';
import { holdAnswer } from '../http/held-answer.js';
import type { Responder } from '../http/respond.js';
import { renderCardPage } from '../pages/card-page.js';
import type { FigureColumn } from '../preview/figures.js';
import { type Freshness, freshnessOf } from '../preview/freshness.js';
import type { FoundItem, ItemAnswers } from '../preview/item-answers.js';
import { SharedPlaces } from '../preview/shared-places.js';
import { type CardOutcome, CardWait } from './card-wait.js';
import type { Decision } from './decide.js';
import { activeMetadataApi, hostEntry, type Table } from './table.js';
import { cardContext, shownUrl } from './visit-pages.js';

export interface CardDependencies {
  /** Returns the current table. */
  readonly newestTable: () => Table;
  readonly items: ItemAnswers;
  readonly responder: Responder;
  /** Runs `write`, which writes an answer outside the request's handler. */
  readonly answerLate: (facts: Facts, sink: AnswerSink, write: () => void) => void;
  readonly clock: Clock;
}

/** A request for the card of an item. */
interface CardRequest {
  readonly facts: Facts;
  readonly decision: Decision;
  readonly item: TemplateItem;
  readonly sink: AnswerSink;
}

const COLUMN_OF: { readonly [Kind in Exclude<Freshness, 'gone'>]: FigureColumn } = {
  fresh: 'previews_from_memory',
  missing: 'previews_from_negative_cache',
  stale: 'previews_stale',
};

/**
 * Serves cards to preview bots. A card that is available is sent at once. For any other item the bot waits for the metadata API of
 * the type, for at most its `timeout_ms` in all. If there is no answer by then, it gets the generic card.
 */
export class Cards {
  readonly #parts: CardDependencies;
  readonly #waiting = new SharedPlaces(PREVIEW_WAITERS_MAX);

  constructor(parts: CardDependencies) {
    this.#parts = parts;
  }

  /** The number of bots that are waiting. */
  get waiting(): number {
    return this.#waiting.taken;
  }

  /** Answers a decision whose outcome is a card, at once or later. */
  serve(facts: Facts, decision: Decision, sink: AnswerSink): void {
    const { item } = decision;
    if (item === null) this.#parts.responder.card(sink, facts.method, pageOf(decision, linkCardOf(decision)));
    else this.#serveItem({ facts, decision, item, sink });
  }

  /** Counts a preview bot that was redirected instead. */
  countRedirect({ item }: Decision): void {
    if (item === null) return;
    const { figures } = this.#parts.items;
    figures.count(item.template.resource_type_id, 'previews_served');
    figures.count(item.template.resource_type_id, 'previews_redirected');
  }

  #serveItem(request: CardRequest): void {
    const { items } = this.#parts;
    const { resource_type_id } = request.item.template;
    const api = activeMetadataApi(request.decision.entry.environment, resource_type_id);
    const found = api === null ? null : items.find(api, request.item.id);
    if (api === null) this.#answerGeneric(request);
    else if (found !== null) {
      this.#answerFound(request, found);
      items.refreshIfDue(api, request.item.id, found);
    } else if (!this.#waiting.hasRoom(resource_type_id) || !this.#hold(request, api)) this.#answerOutcome(request, { kind: 'refused' });
  }

  /** Returns false if too many questions are waiting already. */
  #hold(request: CardRequest, api: MetadataApiRecord): boolean {
    const held: CardRequest = { ...request, facts: copyFacts(request.facts) };
    const late = (outcome: CardOutcome) => this.#parts.answerLate(held.facts, held.sink, () => this.#answerOutcome(held, outcome));
    const wait = new CardWait({
      items: this.#parts.items,
      api: () => this.#currentApi(held),
      itemId: held.item.id,
      waitMs: api.timeout_ms,
      onOutcome: (outcome) => settle(() => late(outcome)),
    });
    if (!wait.begin(api)) return false;
    this.#waiting.take(api.resource_type_id);
    this.#parts.responder.defer();
    const settle = holdAnswer({
      sink: held.sink,
      deadlineMs: api.timeout_ms,
      onDeadline: () => {
        wait.leave(true);
        late({ kind: 'none' });
      },
      onAborted: () => wait.leave(false),
      onEnd: () => {
        this.#waiting.leave(api.resource_type_id);
      },
    });
    return true;
  }

  /** Looks the API up again, because the table may have been replaced in the meantime. */
  #currentApi({ decision, item }: CardRequest): MetadataApiRecord | null {
    const entry = hostEntry(this.#parts.newestTable(), decision.entry.host);
    return entry === undefined ? null : activeMetadataApi(entry.environment, item.template.resource_type_id);
  }

  #answerOutcome(request: CardRequest, outcome: CardOutcome): void {
    switch (outcome.kind) {
      case 'found':
        this.#answerFound(request, outcome.found);
        return;
      case 'answer':
        this.#answerReply(request, outcome.answer, outcome.source);
        return;
      case 'refused':
        this.#parts.items.figures.count(request.item.template.resource_type_id, 'skipped_throttled');
        this.#answerGeneric(request);
        return;
      case 'none':
        this.#answerGeneric(request);
    }
  }

  #answerFound(request: CardRequest, { item, freshness }: FoundItem): void {
    const { decision, facts, sink } = request;
    const { environment } = decision.entry;
    const [shared_url, onward_url] = [shownUrl(decision), decision.destination];
    let made = item.page;
    if (made?.environment !== environment || made.shared_url !== shared_url || made.onward_url !== onward_url) {
      made = { environment, shared_url, onward_url, body: pageOf(decision, cardOf(decision, item.stored.answer)) };
      this.#parts.items.memory.keepPage(item, made);
    }
    this.#parts.responder.card(sink, facts.method, made.body);
    this.#count(request, COLUMN_OF[freshness]);
  }

  /** Sends an answer that arrived for a question. An answer that came from the API itself is counted in none of the specific columns. */
  #answerReply(request: CardRequest, answer: RememberedAnswer, source: 'store' | 'database' | 'api'): void {
    const { decision, facts, sink } = request;
    this.#parts.responder.card(sink, facts.method, pageOf(decision, cardOf(decision, answer)));
    const freshness = freshnessOf(answer, this.#parts.clock());
    if (source === 'api' || freshness === 'gone') this.#count(request, null);
    else this.#count(request, freshness === 'fresh' && source === 'database' ? 'previews_from_database' : COLUMN_OF[freshness]);
  }

  #answerGeneric(request: CardRequest): void {
    const { decision, facts, sink } = request;
    this.#parts.responder.card(sink, facts.method, pageOf(decision, genericOf(decision)));
    this.#count(request, 'previews_fallback');
  }

  /** Counts one preview for the answer, and at most one specific column. */
  #count({ item }: CardRequest, column: FigureColumn | null): void {
    const { figures } = this.#parts.items;
    figures.count(item.template.resource_type_id, 'previews_served');
    if (column !== null) figures.count(item.template.resource_type_id, column);
  }
}

function linkCardOf(decision: Decision): Card {
  const card = decision.link?.card ?? null;
  return card === null ? genericOf(decision) : linkCard(JSON.parse(card), decision.entry.environment.record.project_name);
}

function genericOf(decision: Decision): Card {
  return genericCard(decision.entry.environment.record.project_name);
}

function cardOf(decision: Decision, answer: RememberedAnswer): Card {
  return composeCard(answerOf(answer), decision.entry.environment.record.project_name);
}

function pageOf(decision: Decision, card: Card): Buffer {
  return Buffer.from(renderCardPage(card, cardContext(decision, card), decision.entry.environment.brand));
}
