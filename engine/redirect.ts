import { keepHeapTrimmed } from '../shared/base/c-heap.js';
import { systemClock } from '../shared/base/clock.js';
import { systemLater } from '../shared/base/later.js';
import { createLogger } from '../shared/base/log.js';
import { readSettings } from '../shared/base/settings.js';
import { connectToSupervisor } from './child-link.js';
import { createRegistry, LinkHost } from './link-host.js';
import { AnswerLine } from './preview/answer-line.js';
import { ItemAnswers } from './preview/item-answers.js';
import { CHILD_ENVIRONMENT } from './process-messages.js';
import { registerRedirectMetrics } from './redirect-figures.js';
import { engineSettings, spoolFolder } from './settings.js';
import { openClickSpool, segmentBytesFor } from './spool/click-spool.js';
import { openAnswerReader } from './store/answer-store.js';
import { openConfigReader } from './store/config-store.js';
import { createReadThrough } from './store/read-through.js';

/**
 * One of the processes that answer the link hosts. It holds no truth and does no blocking work: what it knows comes from
 * the host's store, and a click is in the kernel's hands before its visitor is answered, so it may be killed at any moment.
 */

const settings = readSettings(engineSettings, process.env);
const log = createLogger(`redirect-${process.env[CHILD_ENVIRONMENT.slot] ?? 0}`, settings.logLevel);
keepHeapTrimmed();

const config = openConfigReader(settings.dataDir, log);
const spool = openClickSpool({
  dir: spoolFolder(settings.dataDir),
  bytesMax: settings.spoolBytesMax,
  mapped: settings.spoolMapped,
  clock: systemClock,
  segmentBytes: segmentBytesFor(settings.spoolBytesMax, settings.processes),
});
const readThrough = createReadThrough({
  databaseUrl: settings.databaseUrl,
  log,
  copyIsWhole: () => config.isWhole(),
});
const answers = openAnswerReader(settings.dataDir, log);
const line = new AnswerLine({ dataDir: settings.dataDir, log });
const items = new ItemAnswers(answers, line, systemClock);
const registry = createRegistry();
registerRedirectMetrics(registry, {
  config: () => config.stats(),
  readThrough: () => readThrough.stats(),
  spool: () => spool.stats(),
  line: () => line.stats(),
  items: () => items.stats(),
  answers: () => answers.stats(),
});
const host = new LinkHost({
  settings,
  config,
  clicks: spool,
  items,
  lookUp: (environmentId, environmentNumber, path) => readThrough.lookUp(environmentId, environmentNumber, path),
  clock: systemClock,
  later: systemLater,
  log,
  registry,
});

/** Visitors first: the spool takes clicks until the last of them is answered. */
async function drain(why: string): Promise<void> {
  log.info({ why }, 'redirect process drains');
  await host.stop();
  await line.stop();
  readThrough.stop();
  spool.stop();
  await Promise.all([config.close(), answers.close()]);
}

if (spool.stats().mode !== 'mapped') log.warn({ reason: spool.stats().fallback_reason }, 'clicks are stored by one write each');
line.start();
const link = connectToSupervisor({
  health: () => host.health(),
  metrics: () => registry.getMetricsAsJSON(),
  drain,
  knowsHost: (name) => host.knowsHost(name),
});
link.ready((await host.start()).port);
