import type { Clock } from '../../shared/base/clock.js';
import type { GenerationCache } from '../../shared/base/generation-cache.js';
import { ownPage } from '../../shared/resolve/own-page.js';
import type { ClickIdKeys } from '../../shared/secrets/click-id-keys.js';
import { proveHost } from '../../shared/secrets/host-proof.js';
import type { AnswerSink } from '../http/answer-sink.js';
import type { Facts } from '../http/facts.js';
import type { Responder } from '../http/respond.js';
import { NOBODY } from '../pages/brand.js';
import { statusPage } from '../pages/status-page.js';
import type { Language } from '../pages/texts/language.js';
import type { StatusPageName } from '../pages/texts/page-texts.js';
import type { Target } from './locate.js';
import type { HostEntry, Table } from './table.js';
import type { VisitFigures } from './visit-figures.js';

export interface SiteDependencies {
  /** The table of this moment. */
  readonly table: () => Table;
  readonly languages: GenerationCache<Language>;
  readonly figures: VisitFigures;
  readonly responder: Responder;
  readonly clickIds: ClickIdKeys;
  readonly clock: Clock;
}

/** What a host answers that is not a visit: robots, health, the files for apps, and status pages. */
export class Site {
  readonly #parts: SiteDependencies;

  constructor(parts: SiteDependencies) {
    this.#parts = parts;
  }

  /** `entry` is undefined for a host of nobody, whose pages name nobody. */
  statusPage(facts: Facts, sink: AnswerSink, name: StatusPageName, entry: HostEntry | undefined): void {
    const url = entry === undefined ? null : ownPage(name, facts.path, entry.domain);
    if (url !== null && this.#parts.responder.redirect(sink, facts.method, url, false)) return;
    this.#ourStatusPage(facts, sink, name, entry);
  }

  #ourStatusPage(facts: Facts, sink: AnswerSink, name: StatusPageName, entry: HostEntry | undefined): void {
    this.#parts.responder.statusPage(sink, facts.method, statusPage(name, this.languageOf(facts), entry?.environment.brand ?? NOBODY));
  }

  unavailable(facts: Facts, { entry }: Pick<Target, 'entry'>, sink: AnswerSink): void {
    this.statusPage(facts, sink, 'unavailable', entry);
    this.#parts.figures.count('unavailable');
  }

  languageOf(facts: Facts): Language {
    return this.#parts.languages.of(facts.accept_language);
  }

  serve(facts: Facts, target: Target, sink: AnswerSink): void {
    const { responder, figures } = this.#parts;
    switch (target.kind) {
      case 'robots':
        responder.file(sink, facts.method, 'text/plain; charset=utf-8', ROBOTS);
        figures.count('robots');
        return;
      case 'live':
      case 'ready':
        responder.health(sink, facts.method, target.kind === 'live' || this.#isReady());
        figures.count('health');
        return;
      case 'brand_logo':
        this.#serveLogo(facts, target, sink);
        return;
      case 'host_proof':
        responder.hostProof(sink, facts.method, proveHost(this.#parts.clickIds, this.#parts.clock()));
        figures.count('host_proof');
        return;
      case 'apple_app_site_association':
      case 'asset_links':
        this.#serveAppLinks(facts, target, sink);
        return;
      default:
        this.#serveNothing(facts, target, sink);
    }
  }

  #serveLogo(facts: Facts, target: Target, sink: AnswerSink): void {
    const logo = target.entry?.environment.record.brand?.logo ?? null;
    if (logo === null) {
      this.#serveNothing(facts, target, sink);
      return;
    }
    this.#parts.responder.file(sink, facts.method, 'image/png', Buffer.from(logo, 'base64'));
    this.#parts.figures.count('brand_logo');
  }

  /** Where no host is known, and some may exist, every visit would be told to come again later. */
  #isReady(): boolean {
    const { complete, environments } = this.#parts.table();
    return !this.#parts.responder.closing && (complete || environments > 0);
  }

  /** While the table may lack a host or a template, nobody can say that there is none. */
  #serveNothing(facts: Facts, target: Target, sink: AnswerSink): void {
    if (!this.#parts.table().complete) {
      this.unavailable(facts, target, sink);
      return;
    }
    // An image that is missing is not replaced by a page of the host's owner.
    if (target.kind === 'brand_logo') this.#ourStatusPage(facts, sink, 'not_found', target.entry);
    else this.statusPage(facts, sink, 'not_found', target.entry);
    this.#parts.figures.count(target.kind === 'unknown_host' ? 'unknown_host' : 'not_found');
  }

  /**
   * Only the link host speaks for apps: links of the open host are for the browser. A 404 takes a host's links away from
   * its app until the system asks again, days later, so only hosts that are known get one. Systems ask for the file, not
   * visitors: they are not sent to a page of the host's owner.
   */
  #serveAppLinks(facts: Facts, target: Target, sink: AnswerSink): void {
    const { responder, figures } = this.#parts;
    if (target.entry === undefined && !this.#parts.table().complete) {
      this.unavailable(facts, target, sink);
      return;
    }
    const environment = target.entry?.role === 'link' ? target.entry.environment : undefined;
    const file = target.kind === 'asset_links' ? environment?.asset_links : environment?.apple_app_site_association;
    if (file) responder.file(sink, facts.method, 'application/json', file);
    else this.#ourStatusPage(facts, sink, 'not_found', target.entry);
    figures.count('app_links');
  }
}

/** Cards and pages say `noindex` themselves, which a crawler must be let in to read. */
const ROBOTS = Buffer.from('User-agent: *\nAllow: /\n');
