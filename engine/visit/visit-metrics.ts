import type { CacheStats } from '../../shared/base/generation-cache.js';
import { counter, counters, gauge, type Metric } from '../processes/collected-metrics.js';
import type { VisitFigures } from './visit-figures.js';

export interface VisitSources {
  readonly figures: VisitFigures;
  readonly verdicts: () => CacheStats;
  readonly pendingVisits: () => number;
  readonly waitingForCards: () => number;
  readonly connections: () => number;
}

export const VISIT_METRICS: readonly Metric<VisitSources>[] = [
  counters('link_host_requests_total', 'Requests to the link hosts by result', 'outcome', ({ figures }) =>
    Object.fromEntries(figures.ends()),
  ),
  counters('link_host_clicks_total', 'Clicks stored in the spool, or dropped because it was full', 'result', ({ figures }) => ({
    stored: figures.clicks,
    dropped: figures.clicks_dropped,
  })),
  counter(
    'link_host_device_reports_dropped_total',
    'Device reports from pages, dropped because the spool was full',
    ({ figures }) => figures.devices_dropped,
  ),
  counter('link_host_store_failures_total', 'Failed reads of the local store', ({ figures }) => figures.store_failures),
  counters('link_host_verdicts_total', 'User agents found in the cache, or newly classified', 'result', ({ verdicts }) => {
    const { hits, misses } = verdicts();
    return { hit: hits, miss: misses };
  }),
  gauge('link_host_verdicts', 'User agents in the verdict cache', ({ verdicts }) => verdicts().entries),
  gauge(
    'link_host_pending_visits',
    'Visitors who wait for PostgreSQL: for an unknown path, a protected link or a long link',
    ({ pendingVisits }) => pendingVisits(),
  ),
  gauge('link_host_waiting_previews', 'Preview bots that wait for a metadata API', ({ waitingForCards }) => waitingForCards()),
  gauge('link_host_connections', 'Open connections', ({ connections }) => connections()),
];
