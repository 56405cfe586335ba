import { Registry } from 'prom-client';
import {
  clickHouseStatements,
  registerClickHouseMetrics,
  registerPendingBatchMetrics,
} from '../../control-plane/health/clickhouse-metrics.js';
import { registerDatabaseMetrics } from '../../control-plane/health/database-metrics.js';
import { registerInstallationMetrics } from '../../control-plane/health/installation-metrics.js';
import { registerJobMetrics } from '../../control-plane/health/job-metrics.js';
import { createApiMetrics } from '../../control-plane/http/metrics.js';
import { registerBackgroundMetrics } from '../../engine/background-metrics.js';
import { createRegistry } from '../../engine/link-host.js';
import { registerMetrics } from '../../engine/processes/collected-metrics.js';
import { registerRedirectMetrics } from '../../engine/redirect-metrics.js';
import { ENGINE_ROLES } from '../../engine/settings.js';
import { ListenerProbe } from '../../engine/supervisor/listener-probe.js';
import type { Supervisor } from '../../engine/supervisor/supervisor.js';
import { probeMetrics, supervisorMetrics } from '../../engine/supervisor/supervisor-metrics.js';
import { TLS_METRICS } from '../../engine/tls/tls-metrics.js';
import { VISIT_METRICS } from '../../engine/visit/visit-metrics.js';
import { cell, code, table } from './markdown.js';

export interface Metric {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
  readonly help: string;
}

/** What prom-client stores for a metric beyond what its types declare. */
interface RegisteredMetric {
  readonly name: string;
  readonly help: string;
  readonly type?: string;
  readonly labelNames?: readonly string[];
}

/** On the engine's page, this label says which of its processes each series belongs to. */
const PROCESS_LABEL = 'process';

/** The metrics are registered only to be listed: nothing reads the sources of their values. */
const UNREAD = {} as never;

/** Metrics that every Node.js process has. */
export function nodeMetrics(): readonly Metric[] {
  return metricsOf(createRegistry());
}

export function controlPlaneMetrics(): readonly Metric[] {
  const known = new Set(nodeMetrics().map(({ name }) => name));
  const { registry } = createApiMetrics();
  registerInstallationMetrics(registry, UNREAD);
  registerDatabaseMetrics(registry, UNREAD);
  registerJobMetrics(registry, UNREAD);
  return metricsOf(registry).filter(({ name }) => !known.has(name));
}

/** Further metrics of a control plane whose clicks are in ClickHouse. */
export function clickHouseMetrics(): readonly Metric[] {
  const registry = new Registry();
  clickHouseStatements(registry);
  registerClickHouseMetrics(registry, UNREAD);
  registerPendingBatchMetrics(registry, UNREAD);
  return metricsOf(registry);
}

export function engineMetrics(): readonly Metric[] {
  const registry = new Registry();
  registerMetrics(registry, VISIT_METRICS, UNREAD);
  registerRedirectMetrics(registry, UNREAD);
  registerMetrics(registry, TLS_METRICS, UNREAD);
  registerBackgroundMetrics(registry, UNREAD);
  return [...metricsOf(registry), ...ofSupervisor()].map((metric) => ({ ...metric, labels: [...metric.labels, PROCESS_LABEL] }));
}

function ofSupervisor(): readonly Metric[] {
  const process = { name: 'redirect-0', restarts: 0, ok: true };
  const supervisor = { status: () => [process] } as unknown as Supervisor;
  const reported = [...supervisorMetrics(supervisor, ENGINE_ROLES), ...probeMetrics(new ListenerProbe(UNREAD))] as readonly (Metric & {
    readonly values: readonly { readonly labels: object }[];
  })[];
  return reported.map(({ name, type, help, values }) => ({ name, type, help, labels: labelsOf(type, values[0]?.labels ?? {}) }));
}

/** Every histogram has `le`. */
function labelsOf(type: string, labels: object): readonly string[] {
  return type === 'histogram' ? [] : Object.keys(labels);
}

function metricsOf(registry: Registry): readonly Metric[] {
  const registered = registry.getMetricsAsArray() as unknown as readonly RegisteredMetric[];
  return registered.map(({ name, type = 'gauge', labelNames = [], help }) => ({ name, type, labels: labelNames, help }));
}

export function metricsPage(): string {
  return `# Metrics

The admin ports show metrics in the format of Prometheus at \`/metrics\`: \`ENGINE_ADMIN_PORT\` (9090) and \`CONTROL_PLANE_ADMIN_PORT\`
(9091). The counters of an engine include what its processes had counted before they ended, so they never go back.

## Engine

${metricTable(engineMetrics())}

## Control plane

${metricTable(controlPlaneMetrics())}

If \`CLICK_STORE\` is \`clickhouse\`, it also has these:

${metricTable(clickHouseMetrics())}

## Every process

Both have these figures of Node.js itself; those of an engine have the label \`${PROCESS_LABEL}\`.

${metricTable(nodeMetrics())}
`;
}

function metricTable(metrics: readonly Metric[]): string {
  const rows = metrics
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, type, labels, help }) => [code(name), type, labels.map(code).join(', ') || '-', cell(help)]);
  return table(['Metric', 'Type', 'Labels', 'What it says'], rows);
}
