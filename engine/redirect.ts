import { keepHeapTrimmed } from '../shared/base/c-heap.js';
import { systemClock } from '../shared/base/clock.js';
import { createLogger } from '../shared/base/log.js';
import { systemScheduler } from '../shared/base/scheduler.js';
import { readSettings } from '../shared/base/settings.js';
import { createBlockList } from './block-list/block-list.js';
import { createClickLimits } from './click-limits/click-limits.js';
import { openConfigReader } from './config/config-reader.js';
import { openCountryDatabase } from './countries/country-database.js';
import { createRegistry, LinkHost } from './link-host.js';
import { ItemAnswers } from './preview/item-answers.js';
import { PreviewClient } from './preview/preview-client.js';
import { connectToSupervisor } from './processes/child-link.js';
import { CHILD_ENVIRONMENT } from './processes/messages.js';
import { createReadThrough } from './read-through/read-through.js';
import { registerRedirectMetrics } from './redirect-metrics.js';
import { engineSettings, spoolFolder } from './settings.js';
import { openClickSpool, segmentBytesFor } from './spool/click-spool.js';
import { takeSpoolKeys } from './spool/spool-keys.js';
import { openAnswerReader } from './store/answer-store.js';
import { hasOtherCopies } from './store/copies.js';

/**
 * One of the processes that serve the link hosts. It owns no data and does no blocking work: its configuration comes from the
 * host's store, and a click is in the kernel's memory before its visitor is answered. So it may be killed at any moment.
 */

const settings = readSettings(engineSettings, process.env);
const log = createLogger(`redirect-${process.env[CHILD_ENVIRONMENT.slot] ?? 0}`, settings.logLevel);
keepHeapTrimmed();

const keys = takeSpoolKeys(settings.secretsKeys, process.env);
const config = openConfigReader(settings.dataDir, log);
const spool = openClickSpool({
  dir: spoolFolder(settings.dataDir),
  bytesMax: settings.spoolBytesMax,
  mapped: settings.spoolMapped,
  keys,
  clock: systemClock,
  segmentBytes: segmentBytesFor(settings.spoolBytesMax, settings.processes),
  segmentMsMax: settings.spoolSegmentSeconds * 1000,
  onDropping: (reason) => {
    if (reason === '') log.info({ code: 'clicks_stored_again' }, 'clicks are stored in the spool again');
    else log.warn({ code: 'clicks_dropped', reason }, 'clicks are dropped, because the spool has no room for them');
  },
});
const databaseUrl = settings.databasePoolUrl || settings.databaseUrl;
const readThrough = createReadThrough({ databaseUrl, log, copyIsWhole: () => config.isWhole() });
const clickLimits = createClickLimits({ databaseUrl, log });
const blockList = createBlockList({ databaseUrl, log });
const countries = openCountryDatabase(settings.countryDatabase, log, systemScheduler);
const answers = openAnswerReader(settings.dataDir, log);
const previewClient = new PreviewClient({ dataDir: settings.dataDir, log });
const items = new ItemAnswers(answers, previewClient, systemClock);
const registry = createRegistry();
registerRedirectMetrics(registry, {
  config: () => config.stats(),
  readThrough: () => readThrough.stats(),
  spool: () => spool.stats(),
  previews: () => ({ client: previewClient.stats(), items: items.stats(), answers: answers.stats() }),
});
const host = new LinkHost({
  settings,
  config,
  clicks: spool,
  clickIds: keys.clickIds,
  items,
  lookUp: (environmentId, environmentNumber, path) => readThrough.lookUp(environmentId, environmentNumber, path),
  countries,
  clickLimits,
  blockList,
  clock: systemClock,
  schedule: systemScheduler,
  log,
  registry,
});

/** How often to look for a copy to serve from. */
const COPY_POLL_MS = 50;

let draining = false;

/**
 * If another release served on this host and there is no copy in the format of this release yet, the port stays closed until
 * there is one. Until then the processes of the other release serve. A host without any copy opens the port immediately.
 */
async function untilThereIsACopy(): Promise<void> {
  while (!draining && !config.hasCopy() && hasOtherCopies(settings.dataDir))
    await new Promise((resolve) => setTimeout(resolve, COPY_POLL_MS));
}

/** Visitors first: the spool accepts clicks until the last visitor is answered. */
async function drain(why: string): Promise<void> {
  log.info({ code: 'redirect_draining', why }, 'redirect process drains');
  draining = true;
  await host.stop();
  await previewClient.stop();
  readThrough.stop();
  clickLimits.stop();
  blockList.stop();
  countries.stop();
  spool.stop();
  await Promise.all([config.close(), answers.close()]);
}

if (spool.stats().mode !== 'mapped')
  log.warn({ code: 'spool_not_mapped', reason: spool.stats().fallback_reason }, 'clicks are stored with one write each');
previewClient.start();
const link = connectToSupervisor({
  health: () => host.health(),
  metrics: () => registry.getMetricsAsJSON(),
  drain,
  knowsHost: (name) => host.knowsHost(name),
});
await untilThereIsACopy();
if (!draining) link.ready((await host.start()).port);
