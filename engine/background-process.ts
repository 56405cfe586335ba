import { monotonicClock, systemClock } from '../shared/base/clock.js';
import type { EngineReport } from '../shared/base/engine-report.js';
import { invariant } from '../shared/base/invariant.js';
import { DRAIN_DEADLINE_MS } from '../shared/base/limits.js';
import type { Logger } from '../shared/base/log.js';
import type { PartHealth } from '../shared/base/part-health.js';
import { lockHolder, takeLock } from '../shared/base/process-lock.js';
import { systemScheduler } from '../shared/base/scheduler.js';
import { within } from '../shared/base/within.js';
import { chosenClickHouse } from '../shared/clickhouse/chosen-store.js';
import { ClickHouse } from '../shared/clickhouse/connection.js';
import type { Tracing } from '../shared/tracing/open-telemetry.js';
import { type BackgroundSources, diskOf } from './background-metrics.js';
import { type CountryDatabase, openCountryDatabase } from './countries/country-database.js';
import { Previews } from './preview/previews.js';
import { HostItems } from './preview/remembered-items.js';
import { type EngineHealth, reportOf } from './processes/health.js';
import { type Part, PartRunner } from './processes/part-runner.js';
import { type EngineSettings, engineLock, profileOf, rolesInForce, spoolFolder } from './settings.js';
import { createFlusher, type Flusher } from './shipping/flusher.js';
import type { SpoolKeys } from './spool/spool-keys.js';
import { AnswerWriter } from './store/answer-writer.js';
import { copyLock, removeOtherCopies } from './store/copies.js';
import { createSync, type Sync } from './sync/sync.js';
import { DeliveringHosts } from './webhooks/delivering-hosts.js';
import { WebhookDispatcher } from './webhooks/webhook-dispatcher.js';

/** Part of the drain deadline reserved for shutting down, so that the process ends by itself and is not killed. */
const EXIT_MS = 1_000;
/** By then the redirect processes have ended. The rest of the drain deadline is for the last figures. */
const CLIENTS_MS_MAX = DRAIN_DEADLINE_MS - 2_500;

const POLL_MS = 100;
/** An insertion takes a hundredth of this time. */
const CLICKHOUSE_TIMEOUT_MS = 30_000;

export interface BackgroundInput {
  readonly settings: EngineSettings;
  readonly log: Logger;
  readonly keys: SpoolKeys;
  /** Null if no traces are made. */
  readonly tracing: Tracing | null;
}

/** The state of the one writer of the host's copy, shared by the parts that follow the feed and that call metadata APIs. */
interface OwnCopy {
  readonly answers: AnswerWriter;
  readonly items: HostItems;
}

/**
 * The one process of a host that works with PostgreSQL in bulk. It copies the configuration into the store and the clicks of
 * the spool into the click log, and delivers webhooks if the host has that role. No visitor waits for it. It may stop at any
 * moment; its successor repeats the work that was not finished.
 *
 * If its engine is to replace another one that still runs on the host, it first does only one thing: it updates the copy of
 * the configuration, unless the other engine writes that copy. Then it reports that it is ready. Everything else begins when
 * the other engine has stopped.
 */
export class BackgroundProcess {
  readonly #input: BackgroundInput;
  /** For all statements that need neither notifications nor session state. */
  readonly #pooledUrl: string;
  /** Null if clicks are stored in PostgreSQL. */
  readonly #clickHouse: ClickHouse | null;
  /** Null if none is configured. */
  readonly #countries: CountryDatabase | null;
  readonly #deliveringHosts = new DeliveringHosts(monotonicClock);
  readonly #configSync: PartRunner<Sync>;
  readonly #clicks: PartRunner<Flusher>;
  /** Null on a host that delivers no webhooks. */
  readonly #webhooks: PartRunner<WebhookDispatcher> | null;
  readonly #previews: PartRunner<Previews>;
  /** Null until this process is the writer of the host's copy. */
  #copy: OwnCopy | null = null;
  /** The last report of the supervisor about all processes of the engine. */
  #health: EngineHealth | null = null;

  constructor(input: BackgroundInput) {
    const { settings, log } = input;
    this.#input = input;
    this.#pooledUrl = settings.databasePoolUrl || settings.databaseUrl;
    const url = chosenClickHouse(settings);
    this.#clickHouse = url === null ? null : new ClickHouse({ url, timeoutMs: CLICKHOUSE_TIMEOUT_MS, application: 'engine' });
    this.#countries = settings.countryDatabase === '' ? null : openCountryDatabase(settings.countryDatabase, log, systemScheduler);
    const delivers = rolesInForce(settings).includes('webhooks');
    this.#configSync = this.#runner('config-sync', () => this.#createSync());
    this.#clicks = this.#runner('clicks', () => this.#createFlusher(!delivers));
    this.#webhooks = delivers ? this.#runner('webhooks', () => this.#createDispatcher()) : null;
    this.#previews = this.#runner('previews', () => this.#createPreviews());
  }

  health(): readonly PartHealth[] {
    return this.#parts().map((part) => part.health());
  }

  noteHealth(health: EngineHealth): void {
    this.#health = health;
  }

  metricSources(): BackgroundSources {
    return {
      sync: () => this.#configSync.part?.stats() ?? null,
      flusher: () => this.#clicks.part?.stats() ?? null,
      webhooks: () => this.#webhooks?.part?.stats() ?? null,
      previews: () => this.#previews.part?.stats() ?? null,
      disk: () => diskOf(this.#input.settings.dataDir),
    };
  }

  /** Begins as soon as the host lets it. Calls `ready` when the process can take the place of its predecessor. */
  async takeUpWork(ready: () => void): Promise<void> {
    const { settings, log } = this.#input;
    if (this.#isBesideAnother()) await this.#prepareBeside(ready);
    else ready();
    await until(() => this.#copy !== null || this.#tryTakeCopy(true));
    for (const part of this.#parts()) part.start();
    await until(() => this.#copyIsCurrent());
    const removed = removeOtherCopies(settings.dataDir);
    if (removed.length > 0)
      log.info({ code: 'old_copies_removed', removed }, 'copies of the configuration in the format of another release were removed');
  }

  /**
   * Each part drains within its own time limit; all of them together have the supervisor's limit. Work that is cut off is
   * continued after the next start. If the whole engine stops, the redirect processes stop first, so that their last clicks and
   * figures can be stored. If they are to stay, the next process takes them over, so this one stops as soon as it can.
   */
  async drain(why: string, whole: boolean): Promise<void> {
    const { log } = this.#input;
    log.info({ code: 'background_draining', why }, 'background drains');
    const drained = this.#stopAll(whole).then(() => true);
    if ((await within(DRAIN_DEADLINE_MS - EXIT_MS, drained)) === null)
      log.warn({ code: 'background_cut_off' }, 'background ends before everything under way was finished');
  }

  async #stopAll(whole: boolean): Promise<void> {
    if (!whole) this.#previews.part?.handOver();
    const clientsGone = whole ? this.#previews.part?.outliveClients(CLIENTS_MS_MAX) : undefined;
    await Promise.all([this.#webhooks?.stop(), clientsGone]);
    await Promise.all([this.#clicks.stop(), this.#previews.stop(), this.#configSync.stop()]);
    await this.#copy?.answers.close();
    this.#countries?.stop();
    await this.#clickHouse?.close();
    await this.#input.tracing?.stop();
  }

  /** In the order of the health page. */
  #parts(): readonly PartRunner<Part>[] {
    return [this.#configSync, this.#clicks, ...(this.#webhooks === null ? [] : [this.#webhooks]), this.#previews];
  }

  #runner<P extends Part>(name: string, create: () => P): PartRunner<P> {
    return new PartRunner({ name, create, log: this.#input.log, random: Math.random, schedule: systemScheduler });
  }

  #createSync(): Sync {
    const { settings, log } = this.#input;
    const { databaseUrl, dataDir } = settings;
    return createSync({ databaseUrl, pooledUrl: this.#pooledUrl, dataDir, remembered: this.#ownCopy().items, log });
  }

  #createFlusher(tellsDeliverers: boolean): Flusher {
    const { settings, log, keys } = this.#input;
    return createFlusher({
      databaseUrl: this.#pooledUrl,
      clickHouse: this.#clickHouse,
      dir: spoolFolder(settings.dataDir),
      keys,
      keepMs: settings.spoolKeepSeconds * 1000,
      clock: systemClock,
      log,
      webhookBacklogMax: settings.webhookBacklogMax,
      countries: this.#countries,
      onEvents: () => this.#webhooks?.part?.poke(),
      tellsDeliverers,
    });
  }

  #createDispatcher(): WebhookDispatcher {
    const { settings, log } = this.#input;
    return new WebhookDispatcher({ ...settings, log, deliveringHosts: () => this.#deliveringHosts.count });
  }

  #createPreviews(): Previews {
    const { settings, log } = this.#input;
    const { answers, items } = this.#ownCopy();
    return new Previews({
      ...settings,
      databaseUrl: this.#pooledUrl,
      listenUrl: settings.databaseUrl,
      profile: profileOf(settings),
      answers,
      log,
      applied: () => items.appliedUpTo(),
      report: () => this.#report(),
      onEngines: (self, rows) => this.#deliveringHosts.observe(self, rows),
    });
  }

  #report(): EngineReport | null {
    const shipped = this.#clicks.part?.stats() ?? null;
    const spool =
      shipped === null
        ? null
        : { pending_bytes: shipped.pending_bytes, dropped_clicks: shipped.clicks_dropped_bound + shipped.clicks_dropped_disk };
    return this.#health === null ? null : reportOf(this.#health, spool);
  }

  /** Whether an engine of another supervisor runs on the host. */
  #isBesideAnother(): boolean {
    const holder = lockHolder(engineLock(this.#input.settings.dataDir));
    return holder !== null && holder.pid !== process.ppid;
  }

  /**
   * Resolves when the other engine ends. Reports ready when there is a copy that this release can serve from: its own, or that of
   * the other engine.
   */
  async #prepareBeside(ready: () => void): Promise<void> {
    this.#input.log.info(
      { code: 'engine_waits_for_predecessor' },
      'another engine runs here; this one only updates the copy of the configuration',
    );
    if (this.#tryTakeCopy(false)) await until(() => this.#copyIsCurrent());
    ready();
    await until(() => !this.#isBesideAnother());
  }

  /**
   * Becomes the writer of this release's copy. Returns false while another process is the writer. A release with its own formats
   * has its own copy, which no other release writes. With `alone`, a disk that is too full for the lock file is ignored.
   */
  #tryTakeCopy(alone: boolean): boolean {
    const { settings, log } = this.#input;
    try {
      if (takeLock(copyLock(settings.dataDir)).outcome === 'taken') return false;
    } catch (error) {
      log.warn({ code: 'copy_lock_unwritable', err: error }, 'the lock of the copy could not be written');
      if (!alone) return false;
    }
    const answers = new AnswerWriter({ dataDir: settings.dataDir, log, clock: systemClock });
    const underWay = () => this.#previews.part;
    this.#copy = { answers, items: new HostItems({ answers, underWay, schedule: systemScheduler, now: monotonicClock }) };
    this.#configSync.start();
    return true;
  }

  #ownCopy(): OwnCopy {
    invariant(this.#copy !== null, 'the parts that need the copy begin when it is held');
    return this.#copy;
  }

  #copyIsCurrent(): boolean {
    return (this.#configSync.part?.stats().current_at_ms ?? 0) > 0;
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}
