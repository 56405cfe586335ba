import type { Registry } from 'prom-client';
import { CONFIG_METRICS } from './config/config-metrics.js';
import type { ConfigReaderStats } from './config/config-reader.js';
import { PREVIEW_CLIENT_METRICS, type PreviewSources } from './preview/preview-metrics.js';
import { registerMetrics } from './processes/collected-metrics.js';
import type { ReadThroughStats } from './read-through/read-through.js';
import { READ_THROUGH_METRICS } from './read-through/read-through-metrics.js';
import type { ClickSpoolStats } from './spool/click-spool.js';
import { SPOOL_METRICS } from './spool/spool-metrics.js';

export interface RedirectSources {
  readonly config: () => ConfigReaderStats;
  readonly readThrough: () => ReadThroughStats;
  readonly spool: () => ClickSpoolStats;
  readonly previews: () => PreviewSources;
}

/** Metrics of a redirect process other than its visits: its store, its queries to PostgreSQL, its spool. */
export function registerRedirectMetrics(registry: Registry, sources: RedirectSources): void {
  registerMetrics(registry, CONFIG_METRICS, sources.config);
  registerMetrics(registry, READ_THROUGH_METRICS, sources.readThrough);
  registerMetrics(registry, SPOOL_METRICS, sources.spool);
  registerMetrics(registry, PREVIEW_CLIENT_METRICS, sources.previews);
}
