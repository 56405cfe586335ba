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
  /** Returns the current table. */
  readonly table: () => Table;
  readonly languages: GenerationCache<Language>;
  readonly figures: VisitFigures;
  readonly responder: Responder;
  readonly clickIds: ClickIdKeys;
  readonly clock: Clock;
}

/** Serves everything on a host that is not a visit: robots, health, the files for apps, and status pages. */
export class Site {
  readonly #parts: SiteDependencies;

  constructor(parts: SiteDependencies) {
    this.#parts = parts;
  }

  /** `entry` is undefined if the host is unknown; its pages then have no brand. */
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

  /** If the table is incomplete and no host is known, every visit would be answered as unavailable. */
  #isReady(): boolean {
    const { complete, environments } = this.#parts.table();
    return !this.#parts.responder.closing && (complete || environments > 0);
  }

  /** While the table may lack a host or a template, the answer is "unavailable" and not "not found". */
  #serveNothing(facts: Facts, target: Target, sink: AnswerSink): void {
    if (!this.#parts.table().complete) {
      this.unavailable(facts, target, sink);
      return;
    }
    // A missing image is not replaced by a page of the host's owner.
    if (target.kind === 'brand_logo') this.#ourStatusPage(facts, sink, 'not_found', target.entry);
    else this.statusPage(facts, sink, 'not_found', target.entry);
    this.#parts.figures.count(target.kind === 'unknown_host' ? 'unknown_host' : 'not_found');
  }

  /**
   * Only the link host serves the files for apps, because links of the open host are meant for the browser. A 404 disconnects the
   * app from a host's links until the operating system asks again, days later, so only known hosts answer with it. Operating
   * systems request these files, not visitors, so they are never redirected to a page of the host's owner.
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

/** Cards and pages say `noindex` themselves. A crawler must be allowed to fetch them to read it. */
const ROBOTS = Buffer.from('User-agent: *\nAllow: /\n');
