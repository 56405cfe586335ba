import { Registry } from 'prom-client';
import type { Clock } from '../shared/base/clock.js';
import { GenerationCache } from '../shared/base/generation-cache.js';
import { DRAIN_DEADLINE_MS, LANGUAGES_MAX, VERDICTS_MAX } from '../shared/base/limits.js';
import type { Logger } from '../shared/base/log.js';
import type { PartHealth } from '../shared/base/part-health.js';
import { collectProcessMetrics } from '../shared/base/process-metrics.js';
import type { Scheduler } from '../shared/base/scheduler.js';
import type { LinkUrlForm } from '../shared/resolve/link-origin.js';
import { recogniseVisitor } from '../shared/resolve/recognise-visitor.js';
import type { ClickIdKeys } from '../shared/secrets/click-id-keys.js';
import type { ConfigReader } from './config/config-reader.js';
import { listen } from './http/listen.js';
import type { Listener, ListenOptions } from './http/listener.js';
import { Responder } from './http/respond.js';
import { TlsHost } from './http/tls-host.js';
import { preferredLanguage } from './pages/texts/language.js';
import type { ItemAnswers } from './preview/item-answers.js';
import { registerMetrics } from './processes/collected-metrics.js';
import type { HostAnswer } from './processes/messages.js';
import type { ReadThrough } from './read-through/read-through.js';
import type { EngineSettings } from './settings.js';
import type { ClickSink } from './spool/click.js';
import { TLS_METRICS } from './tls/tls-metrics.js';
import { compileTable } from './visit/compile-table.js';
import { hostEntry, type Table } from './visit/table.js';
import { VisitFigures } from './visit/visit-figures.js';
import { VISIT_METRICS, type VisitSources } from './visit/visit-metrics.js';
import { type VisitDependencies, Visits } from './visit/visits.js';

/** What a link host reads its configuration from. */
export type ConfigSource = Pick<ConfigReader, 'findLink' | 'findIndexedLink' | 'findAlias' | 'tableVersion' | 'readTableInput'>;

export interface LinkHostParts {
  readonly settings: Pick<
    EngineSettings,
    | 'host'
    | 'port'
    | 'listener'
    | 'countryHeader'
    | 'regionHeader'
    | 'cityHeader'
    | 'honoursOptOut'
    | 'trustedProxyHops'
    | 'trustedProxies'
    | 'linkScheme'
    | 'linkPort'
    | 'tlsPort'
    | 'tlsCertificatesDir'
  >;
  readonly config: ConfigSource;
  readonly clicks: ClickSink;
  /** Keys that sign click ids: an id with a valid signature was issued by a link host. */
  readonly clickIds: ClickIdKeys;
  readonly items: ItemAnswers;
  readonly lookUp: ReadThrough['lookUp'];
  readonly countries: VisitDependencies['countries'];
  readonly clickLimits: VisitDependencies['clickLimits'];
  readonly blockList: VisitDependencies['blockList'];
  readonly clock: Clock;
  readonly schedule: Scheduler;
  readonly log: Logger;
  readonly registry: Registry;
}

/**
 * The supervisor kills the process at the drain's deadline. The time left is for closing the spool and for `background` to write
 * the last figures.
 */
const CONNECTIONS_DEADLINE_MS = DRAIN_DEADLINE_MS - 3000;

/**
 * A table that took longer to build is used for as long as that took. Otherwise some hundred thousand templates that change many times a
 * second would let no visit through. Up to then, a visit acts by every change that was acknowledged.
 */
const LONG_BUILD_MS = 100;

/** How often a process without visitors checks for a new table, so that it releases a store that was replaced. */
const IDLE_CHECK_MS = 1000;

/**
 * The link hosts as one redirect process serves them: listener, table and counters. A visit that finds the store changed compiles a
 * new table first, which replaces the old one as a whole. A visit uses the same table from beginning to end. A process without visitors
 * looks once a second: looking every 20 ms woke it fifty times a second.
 */
export class LinkHost {
  readonly #parts: LinkHostParts;
  readonly #figures = new VisitFigures();
  readonly #verdicts = new GenerationCache(VERDICTS_MAX, recogniseVisitor);
  readonly #responder = new Responder();
  readonly #visits: Visits;
  readonly #address: LinkUrlForm;
  #table: Table;
  #tableVersion: number;
  #replaceableAtMs = 0;
  #listener: Listener | null = null;
  /** Null if no certificates are configured. */
  readonly #tls: TlsHost | null;
  #polling: NodeJS.Timeout | null = null;
  #stopped: Promise<unknown> | null = null;

  constructor(parts: LinkHostParts) {
    this.#parts = parts;
    this.#address = { scheme: parts.settings.linkScheme, port: parts.settings.linkPort };
    this.#tableVersion = parts.config.tableVersion();
    this.#table = compileTable(parts.config.readTableInput(), this.#address);
    this.#visits = new Visits({
      table: () => this.#table,
      newestTable: () => this.#newestTable(),
      findLink: (environmentNumber, path) => parts.config.findLink(environmentNumber, path),
      findIndexedLink: (environmentNumber, path) => parts.config.findIndexedLink(environmentNumber, path),
      findAlias: (environmentNumber, address) => parts.config.findAlias(environmentNumber, address),
      lookUp: parts.lookUp,
      clicks: parts.clicks,
      clickIds: parts.clickIds,
      items: parts.items,
      verdicts: this.#verdicts,
      languages: new GenerationCache(LANGUAGES_MAX, preferredLanguage),
      figures: this.#figures,
      responder: this.#responder,
      proxyTrust: { hops: parts.settings.trustedProxyHops, proxies: parts.settings.trustedProxies },
      countries: parts.countries,
      clickLimits: parts.clickLimits,
      blockList: parts.blockList,
      clock: parts.clock,
      log: parts.log,
    });
    const sources: VisitSources = {
      figures: this.#figures,
      verdicts: () => this.#verdicts.stats(),
      pendingVisits: () => this.#visits.pending,
      waitingForCards: () => this.#visits.waitingForCards,
      connections: () => this.#connections(),
    };
    registerMetrics(parts.registry, VISIT_METRICS, () => sources);
    this.#tls = this.#createTls();
  }

  /** Opens the ports. Rejects if one of them cannot be opened. Returns the port of plain HTTP, and the port of TLS or 0. */
  async start(): Promise<{ readonly port: number; readonly tlsPort: number }> {
    const { settings, log } = this.#parts;
    this.#listener = await listen(settings.listener, this.#listenOptions(settings.port));
    const tlsPort = (await this.#tls?.start()) ?? 0;
    this.#polling = setInterval(() => this.#newestTable(), IDLE_CHECK_MS);
    const { port, kind } = this.#listener;
    log.info({ code: 'link_hosts_serving', port, tls_port: tlsPort, listener: kind }, 'link hosts are served');
    return { port, tlsPort };
  }

  /** Accepts no new connections, completes the requests that are running, and closes every connection by the deadline. */
  async stop(deadlineMs: number = CONNECTIONS_DEADLINE_MS): Promise<void> {
    this.#responder.closing = true;
    // Only once: closing a native listen socket twice reads freed memory.
    this.#stopped ??= Promise.all([this.#listener?.stop(deadlineMs), this.#tls?.stop(deadlineMs)]);
    await this.#stopped;
    if (this.#polling !== null) clearInterval(this.#polling);
  }

  /** Answers by the newest table. */
  knowsHost(name: string): HostAnswer {
    const table = this.#newestTable();
    if (hostEntry(table, name) !== undefined) return 'known';
    return table.complete ? 'unknown' : 'uncertain';
  }

  health(): readonly PartHealth[] {
    const serving = this.#listener !== null && !this.#responder.closing;
    const reason = serving ? '' : this.#responder.closing ? 'draining' : 'not listening yet';
    return [{ part: 'link-hosts', ok: serving, reason }, ...(this.#tls === null ? [] : [this.#tls.health()])];
  }

  stats(): { readonly figures: VisitFigures; readonly environments: number; readonly connections: number } {
    return { figures: this.#figures, environments: this.#newestTable().environments, connections: this.#connections() };
  }

  #listenOptions(port: number): ListenOptions {
    const { settings, log } = this.#parts;
    const handle: ListenOptions['handle'] = (facts, sink) => this.#visits.handle(facts, sink);
    const { host, countryHeader, regionHeader, cityHeader, honoursOptOut } = settings;
    return { host, port, countryHeader, regionHeader, cityHeader, honoursOptOut, handle, log };
  }

  #createTls(): TlsHost | null {
    const { settings, clock, schedule, registry } = this.#parts;
    if (settings.tlsCertificatesDir === '') return null;
    const host = new TlsHost({
      ...this.#listenOptions(settings.tlsPort),
      kind: settings.listener,
      certificatesDir: settings.tlsCertificatesDir,
      clock,
      schedule,
    });
    registerMetrics(registry, TLS_METRICS, () => host.stats());
    return host;
  }

  #connections(): number {
    return (this.#listener?.connections() ?? 0) + (this.#tls?.connections() ?? 0);
  }

  #newestTable(): Table {
    // The version is read before the table, so that a change during the reading is seen the next time.
    const version = this.#parts.config.tableVersion();
    if (version !== this.#tableVersion && performance.now() >= this.#replaceableAtMs) this.#replaceTable(version);
    return this.#table;
  }

  /**
   * Old configuration is better than none: if the table cannot be built, or would be empty, the previous one stays in use. An
   * empty table means that the store is being rebuilt, because the last environment cannot be deleted.
   */
  #replaceTable(version: number): void {
    const { config, log } = this.#parts;
    const beganAtMs = performance.now();
    this.#tableVersion = version;
    try {
      const input = config.readTableInput();
      if (input.environments.length === 0) return;
      this.#table = compileTable(input, this.#address);
      log.debug({ code: 'routing_table_swapped', environments: this.#table.environments }, 'table swapped');
      const { unserved_templates } = this.#table;
      if (unserved_templates > 0) log.warn({ code: 'templates_unservable', unserved_templates }, 'templates in the store cannot be served');
    } catch (error) {
      log.error({ code: 'routing_table_failed', err: error }, 'the table could not be built; the previous one stays in use');
    }
    const endedAtMs = performance.now();
    if (endedAtMs - beganAtMs > LONG_BUILD_MS) this.#replaceableAtMs = 2 * endedAtMs - beganAtMs;
  }
}

/** A registry with the figures of the process itself. */
export function createRegistry(): Registry {
  const registry = new Registry();
  collectProcessMetrics(registry);
  return registry;
}
