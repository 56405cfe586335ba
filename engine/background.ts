import { collectDefaultMetrics, Registry } from 'prom-client';
import { systemClock } from '../shared/base/clock.js';
import { systemLater } from '../shared/base/later.js';
import { DRAIN_DEADLINE_MS } from '../shared/base/limits.js';
import { createLogger } from '../shared/base/log.js';
import { readSettings } from '../shared/base/settings.js';
import { registerFigures } from './background/figures.js';
import { type Part, PartRunner } from './background/part-runner.js';
import { connectToSupervisor } from './child-link.js';
import { engineSettings, spoolFolder } from './settings.js';
import { createFlusher, type Flusher } from './spool/flusher.js';
import { createSync, type Sync } from './sync/sync.js';
import { createWebhookDispatcher, type WebhookDispatcher } from './webhooks/dispatcher.js';

/**
 * The one process of a host that talks to PostgreSQL in bulk: brings the configuration into the store, the clicks of the
 * spool into the click log, and webhooks to their receivers. No visitor waits for it: it may end at any moment, and what it
 * had under way is under way again with its successor.
 */

const settings = readSettings(engineSettings, process.env);
const log = createLogger('background', settings.logLevel);

/** What of the drain is kept for the way out, so that the process ends by itself and is not killed. */
const EXIT_MS = 1_000;

let sync: Sync | null = null;
let flusher: Flusher | null = null;
let dispatcher: WebhookDispatcher | null = null;

function runner(name: string, create: () => Part): PartRunner {
  return new PartRunner({ name, create, log, random: Math.random, later: systemLater });
}

const parts = [
  runner('config-sync', () => {
    sync = createSync({ databaseUrl: settings.databaseUrl, dataDir: settings.dataDir, log });
    return sync;
  }),
  runner('clicks', () => {
    flusher = createFlusher({
      databaseUrl: settings.databaseUrl,
      dir: spoolFolder(settings.dataDir),
      clock: systemClock,
      logger: log,
      webhookBacklogMax: settings.webhookBacklogMax,
      onEvents: () => dispatcher?.poke(),
    });
    return flusher;
  }),
  runner('webhooks', () => {
    dispatcher = createWebhookDispatcher({ ...settings, logger: log });
    return dispatcher;
  }),
];

/** Each part drains within its own bound; together they have the supervisor's. What is cut off is taken up by the next start. */
async function drain(why: string): Promise<void> {
  log.info({ why }, 'background drains');
  const drained = Promise.all(parts.map((part) => part.stop())).then(() => true);
  const late = new Promise<false>((resolve) => setTimeout(resolve, DRAIN_DEADLINE_MS - EXIT_MS, false));
  if (!(await Promise.race([drained, late]))) log.warn('background ends before everything under way was finished');
}

const registry = new Registry();
collectDefaultMetrics({ register: registry });
registerFigures(registry, {
  sync: () => sync?.stats() ?? null,
  flusher: () => flusher?.stats() ?? null,
  webhooks: () => dispatcher?.stats() ?? null,
});

const link = connectToSupervisor({
  health: () => parts.map((part) => part.health()),
  metrics: () => registry.getMetricsAsJSON(),
  drain,
});
for (const part of parts) part.start();
link.ready(0);
