import { collectDefaultMetrics, Registry } from 'prom-client';
import { keepHeapTrimmed } from '../shared/base/c-heap.js';
import { systemClock } from '../shared/base/clock.js';
import type { EngineReport } from '../shared/base/engine-report.js';
import { systemLater } from '../shared/base/later.js';
import { DRAIN_DEADLINE_MS } from '../shared/base/limits.js';
import { createLogger } from '../shared/base/log.js';
import { readSettings } from '../shared/base/settings.js';
import { registerFigures } from './background/figures.js';
import { type Part, PartRunner } from './background/part-runner.js';
import { connectToSupervisor } from './child-link.js';
import { type EngineHealth, reportOf } from './http/health.js';
import { Previews } from './preview/previews.js';
import { HostItems } from './preview/remembered-items.js';
import { engineSettings, spoolFolder } from './settings.js';
import { createFlusher, type Flusher } from './spool/flusher.js';
import { AnswerWriter } from './store/answer-writer.js';
import { createSync, type Sync } from './sync/sync.js';
import { createWebhookDispatcher, type WebhookDispatcher } from './webhooks/dispatcher.js';

/**
 * The one process of a host that talks to PostgreSQL in bulk: brings the configuration into the store, the clicks of the
 * spool into the click log, and webhooks to their receivers. No visitor waits for it: it may end at any moment, and what it
 * had under way is under way again with its successor.
 */

const settings = readSettings(engineSettings, process.env);
const log = createLogger('background', settings.logLevel);
keepHeapTrimmed();

/** What of the drain is kept for the way out, so that the process ends by itself and is not killed. */
const EXIT_MS = 1_000;
/** A redirect process has ended by then; what is left of the drain is for the last figures. */
const ASKERS_MS_MAX = DRAIN_DEADLINE_MS - 2_500;

let sync: Sync | null = null;
let flusher: Flusher | null = null;
let dispatcher: WebhookDispatcher | null = null;
let previews: Previews | null = null;

/** Shared by the parts that follow the feed and that call metadata APIs: opened here, because it has one writer. */
const answers = new AnswerWriter({ dataDir: settings.dataDir, log, clock: systemClock });
const items = new HostItems({ answers, underWay: () => previews, later: systemLater });

function runner(name: string, create: () => Part): PartRunner {
  return new PartRunner({ name, create, log, random: Math.random, later: systemLater });
}

/** What the supervisor last said of all processes of the engine. */
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
  sync = createSync({ databaseUrl: settings.databaseUrl, dataDir: settings.dataDir, remembered: items, log });
  return sync;
});
const clicks = runner('clicks', () => {
  flusher = createFlusher({
    databaseUrl: settings.databaseUrl,
    dir: spoolFolder(settings.dataDir),
    clock: systemClock,
    logger: log,
    webhookBacklogMax: settings.webhookBacklogMax,
    onEvents: () => dispatcher?.poke(),
  });
  return flusher;
});
const webhooks = runner('webhooks', () => {
  dispatcher = createWebhookDispatcher({ ...settings, logger: log });
  return dispatcher;
});
const previewCalls = runner('previews', () => {
  previews = new Previews({ ...settings, answers, log, applied: () => items.appliedUpTo(), report });
  return previews;
});
const parts = [configSync, clicks, webhooks, previewCalls];

/**
 * Each part drains within its own bound; together they have the supervisor's. What is cut off is taken up by the next start.
 * Previews come last, and with them what tells them what to forget: redirect processes ask until their own end, and say
 * their last figures then. Where these are to stay, the next process takes them over, and the sooner it comes the better.
 */
async function drain(why: string, whole: boolean): Promise<void> {
  log.info({ why }, 'background drains');
  const drained = (async () => {
    await Promise.all([clicks.stop(), webhooks.stop(), whole ? previews?.outliveAskers(ASKERS_MS_MAX) : undefined]);
    await Promise.all([previewCalls.stop(), configSync.stop()]);
    await answers.close();
    return true;
  })();
  const late = new Promise<false>((resolve) => setTimeout(resolve, DRAIN_DEADLINE_MS - EXIT_MS, false));
  if (!(await Promise.race([drained, late]))) log.warn('background ends before everything under way was finished');
}

const registry = new Registry();
collectDefaultMetrics({ register: registry });
registerFigures(registry, {
  sync: () => sync?.stats() ?? null,
  flusher: () => flusher?.stats() ?? null,
  webhooks: () => dispatcher?.stats() ?? null,
  previews: () => previews?.stats() ?? null,
});

const link = connectToSupervisor({
  health: () => parts.map((part) => part.health()),
  metrics: () => registry.getMetricsAsJSON(),
  drain,
  onHealth: (told) => {
    health = told;
  },
});
for (const part of parts) part.start();
link.ready(0);
