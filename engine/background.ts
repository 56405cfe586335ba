import { Registry } from 'prom-client';
import { keepHeapTrimmed } from '../shared/base/c-heap.js';
import { createLogger } from '../shared/base/log.js';
import { collectProcessMetrics } from '../shared/base/process-metrics.js';
import { readSettings } from '../shared/base/settings.js';
import { startTracing } from '../shared/tracing/open-telemetry.js';
import { registerBackgroundMetrics } from './background-metrics.js';
import { BackgroundProcess } from './background-process.js';
import { connectToSupervisor } from './processes/child-link.js';
import { engineSettings } from './settings.js';
import { takeSpoolKeys } from './spool/spool-keys.js';

const settings = readSettings(engineSettings, process.env);
const log = createLogger('background', settings.logLevel);
keepHeapTrimmed();
/** Traces of the calls of metadata APIs and of webhooks. Redirect processes make no traces: nothing may slow a visit. */
const tracing = await startTracing(settings, { name: 'background', log });

const background = new BackgroundProcess({ settings, log, tracing, keys: takeSpoolKeys(settings.secretsKeys, process.env) });
const registry = new Registry();
collectProcessMetrics(registry);
registerBackgroundMetrics(registry, background.metricSources());
const link = connectToSupervisor({
  health: () => background.health(),
  metrics: () => registry.getMetricsAsJSON(),
  drain: (why, whole) => background.drain(why, whole),
  onHealth: (health) => background.noteHealth(health),
});
void background.takeUpWork(() => link.ready(0));
