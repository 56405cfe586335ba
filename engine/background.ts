import { collectDefaultMetrics, Registry } from 'prom-client';
import { keepHeapTrimmed } from '../shared/base/c-heap.js';
import { monotonicClock, systemClock } from '../shared/base/clock.js';
import type { EngineReport } from '../shared/base/engine-report.js';
import { invariant } from '../shared/base/invariant.js';
import { DRAIN_DEADLINE_MS } from '../shared/base/limits.js';
import { createLogger } from '../shared/base/log.js';
import { lockHolder, takeLock } from '../shared/base/process-lock.js';
import { systemScheduler } from '../shared/base/scheduler.js';
import { readSettings } from '../shared/base/settings.js';
import { chosenClickHouse } from '../shared/clickhouse/chosen-store.js';
import { ClickHouse } from '../shared/clickhouse/connection.js';
import { startTracing } from '../shared/tracing/open-telemetry.js';
import { diskOf, registerFigures } from './background/figures.js';
import { openCountryDatabase } from './countries/country-database.js';
import { Previews } from './preview/previews.js';
import { HostItems } from './preview/remembered-items.js';
import { connectToSupervisor } from './processes/child-link.js';
import { type EngineHealth, reportOf } from './processes/health.js';
import { type Part, PartRunner } from './processes/part-runner.js';
import { engineLock, engineSettings, profileOf, rolesInForce, spoolFolder } from './settings.js';
import { createFlusher, type Flusher } from './shipping/flusher.js';
import { takeSpoolKeys } from './spool/spool-keys.js';
import { AnswerWriter } from './store/answer-writer.js';
import { copyLock, removeOtherCopies } from './store/copies.js';
import { createSync, type Sync } from './sync/sync.js';
import { DeliveringHosts } from './webhooks/delivering-hosts.js';
import { WebhookDispatcher } from './webhooks/webhook-dispatcher.js';

/**
 * The one process of a host that works with PostgreSQL in bulk. It copies the configuration into the store and the clicks of
 * the spool into the click log, and delivers webhooks if the host has that role. No visitor waits for it. It may stop at any
 * moment; its successor repeats the work that was not finished.
 *
 * If its engine is to replace another one that still runs on the host, it first does only one thing: it updates the copy of
 * the configuration, unless the other engine writes that copy. Then it reports that it is ready. Everything else begins when
 * the other engine has stopped.
 */

const settings = readSettings(engineSettings, process.env);
const log = createLogger('background', settings.logLevel);
keepHeapTrimmed();
/** Traces of the calls of metadata APIs and of webhooks. Redirect processes make no traces: nothing may slow a visit. */
const tracing = await startTracing(settings, { name: 'background', log });

/** Part of the drain deadline reserved for shutting down, so that the process ends by itself and is not killed. */
const EXIT_MS = 1_000;
/** By then the redirect processes have ended. The rest of the drain deadline is for the last figures. */
const ASKERS_MS_MAX = DRAIN_DEADLINE_MS - 2_500;

const POLL_MS = 100;
/** An insertion takes a hundredth of this time. */
const CLICKHOUSE_TIMEOUT_MS = 30_000;
const delivers = rolesInForce(settings).includes('webhooks');
const deliveringHosts = new DeliveringHosts(monotonicClock);
/** For all statements that need neither notifications nor session state. */
const pooledUrl = settings.databasePoolUrl || settings.databaseUrl;
const keys = takeSpoolKeys(settings.secretsKeys, process.env);

const clickHouseUrl = chosenClickHouse(settings);
const clickHouse =
  clickHouseUrl === null ? null : new ClickHouse({ url: clickHouseUrl, timeoutMs: CLICKHOUSE_TIMEOUT_MS, application: 'engine' });

const countries = settings.countryDatabase === '' ? null : openCountryDatabase(settings.countryDatabase, log);

let sync: Sync | null = null;
let flusher: Flusher | null = null;
let dispatcher: WebhookDispatcher | null = null;
let previews: Previews | null = null;

/** The state of the one writer of the host's copy, shared by the parts that follow the feed and that call metadata APIs. */
interface OwnCopy {
  readonly answers: AnswerWriter;
  readonly items: HostItems;
}

/** Null until this process is that writer. */
let copy: OwnCopy | null = null;

function ownCopy(): OwnCopy {
  invariant(copy !== null, 'the parts that need the copy begin when it is held');
  return copy;
}

function runner(name: string, create: () => Part): PartRunner {
  return new PartRunner({ name, create, log, random: Math.random, schedule: systemScheduler });
}

/** The last report of the supervisor about all processes of the engine. */
let health: EngineHealth | null = null;

function report(): EngineReport | null {
  const shipped = flusher?.stats() ?? null;
  const spool =
    shipped === null
      ? null
      : { pending_bytes: shipped.pending_bytes, dropped_clicks: shipped.clicks_dropped_bound + shipped.clicks_dropped_disk };
  return health === null ? null : reportOf(health, spool);
}

const configSync = runner('config-sync', () => {
  sync = createSync({ databaseUrl: settings.databaseUrl, pooledUrl, dataDir: settings.dataDir, remembered: ownCopy().items, log });
  return sync;
});
const clicks = runner('clicks', () => {
  flusher = createFlusher({
    databaseUrl: pooledUrl,
    clickHouse,
    dir: spoolFolder(settings.dataDir),
    keys,
    keepMs: settings.spoolKeepSeconds * 1000,
    clock: systemClock,
    logger: log,
    webhookBacklogMax: settings.webhookBacklogMax,
    countries,
    onEvents: () => dispatcher?.poke(),
    tellsDeliverers: !delivers,
  });
  return flusher;
});
const webhooks = runner('webhooks', () => {
  dispatcher = new WebhookDispatcher({ ...settings, logger: log, deliveringHosts: () => deliveringHosts.count });
  return dispatcher;
});
const previewCalls = runner('previews', () => {
  const { answers, items } = ownCopy();
  previews = new Previews({
    ...settings,
    databaseUrl: pooledUrl,
    listenUrl: settings.databaseUrl,
    profile: profileOf(settings),
    answers,
    log,
    applied: () => items.appliedUpTo(),
    report,
    onEngines: (self, rows) => deliveringHosts.observe(self, rows),
  });
  return previews;
});
const parts = delivers ? [configSync, clicks, webhooks, previewCalls] : [configSync, clicks, previewCalls];

/**
 * Each part drains within its own time limit; all of them together have the supervisor's limit. Work that is cut off is
 * continued after the next start. If the whole engine stops, the redirect processes stop first, so that their last clicks and
 * figures can be stored. If they are to stay, the next process takes them over, so this one stops as soon as it can.
 */
async function drain(why: string, whole: boolean): Promise<void> {
  log.info({ code: 'background_draining', why }, 'background drains');
  const drained = (async () => {
    const asked = whole ? previews?.outliveAskers(ASKERS_MS_MAX) : undefined;
    await Promise.all([webhooks.stop(), asked]);
    await Promise.all([clicks.stop(), previewCalls.stop(), configSync.stop()]);
    await copy?.answers.close();
    countries?.stop();
    await clickHouse?.close();
    await tracing?.stop();
    return true;
  })();
  const late = new Promise<false>((resolve) => setTimeout(resolve, DRAIN_DEADLINE_MS - EXIT_MS, false));
  if (!(await Promise.race([drained, late])))
    log.warn({ code: 'background_cut_off' }, 'background ends before everything under way was finished');
}

const registry = new Registry();
collectDefaultMetrics({ register: registry });
registerFigures(registry, {
  sync: () => sync?.stats() ?? null,
  flusher: () => flusher?.stats() ?? null,
  webhooks: () => dispatcher?.stats() ?? null,
  previews: () => previews?.stats() ?? null,
  disk: () => diskOf(settings.dataDir),
});

const link = connectToSupervisor({
  health: () => parts.map((part) => part.health()),
  metrics: () => registry.getMetricsAsJSON(),
  drain,
  onHealth: (told) => {
    health = told;
  },
});

/** Whether an engine of another supervisor runs on the host. */
function isBesideAnother(): boolean {
  const holder = lockHolder(engineLock(settings.dataDir));
  return holder !== null && holder.pid !== process.ppid;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

/**
 * Becomes the writer of this release's copy. Returns false while another process is the writer. A release with its own formats
 * has its own copy, which no other release writes. With `alone`, a disk that is too full for the lock file is ignored.
 */
function tryTakeCopy(alone: boolean): boolean {
  try {
    if (takeLock(copyLock(settings.dataDir)).outcome === 'taken') return false;
  } catch (error) {
    log.warn({ code: 'copy_lock_unwritable', err: error }, 'the lock of the copy could not be written');
    if (!alone) return false;
  }
  const answers = new AnswerWriter({ dataDir: settings.dataDir, log, clock: systemClock });
  copy = { answers, items: new HostItems({ answers, underWay: () => previews, schedule: systemScheduler, now: monotonicClock }) };
  configSync.start();
  return true;
}

function copyIsCurrent(): boolean {
  return sync !== null && sync.stats().current_at_ms > 0;
}

/**
 * Resolves when the other engine ends. Reports ready when there is a copy that this release can serve from: its own, or that of
 * the other engine.
 */
async function prepareBeside(): Promise<void> {
  log.info({ code: 'engine_waits_for_predecessor' }, 'another engine runs here; this one only updates the copy of the configuration');
  if (tryTakeCopy(false)) await until(copyIsCurrent);
  link.ready(0);
  await until(() => !isBesideAnother());
}

async function takeUpWork(): Promise<void> {
  if (isBesideAnother()) await prepareBeside();
  else link.ready(0);
  await until(() => copy !== null || tryTakeCopy(true));
  for (const part of parts) part.start();
  await until(copyIsCurrent);
  const removed = removeOtherCopies(settings.dataDir);
  if (removed.length > 0)
    log.info({ code: 'old_copies_removed', removed }, 'copies of the configuration in the format of another release were removed');
}

void takeUpWork();
