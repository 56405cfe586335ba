import { Registry } from 'prom-client';
import t from 'tap';
import { registerMetrics } from '../../../engine/processes/collected-metrics.js';
import { VisitFigures } from '../../../engine/visit/visit-figures.js';
import { VISIT_METRICS, type VisitSources } from '../../../engine/visit/visit-metrics.js';

t.test('figures are exported each time metrics are read, and are not added twice', async (t) => {
  const registry = new Registry();
  const figures = new VisitFigures();
  const sources: VisitSources = {
    figures,
    verdicts: () => ({ hits: 5, misses: 2, entries: 2 }),
    pendingVisits: () => 3,
    waitingForCards: () => 6,
    connections: () => 4,
  };
  registerMetrics(registry, VISIT_METRICS, () => sources);
  figures.count('redirect');
  figures.count('redirect');
  figures.count('expired');
  figures.clicks = 2;
  await registry.getMetricsAsJSON();
  const text = await registry.metrics();
  for (const line of [
    'link_host_requests_total{outcome="redirect"} 2',
    'link_host_requests_total{outcome="expired"} 1',
    'link_host_requests_total{outcome="failed"} 0',
    'link_host_clicks_total{result="stored"} 2',
    'link_host_clicks_total{result="dropped"} 0',
    'link_host_store_failures_total 0',
    'link_host_verdicts_total{result="hit"} 5',
    'link_host_verdicts 2',
    'link_host_pending_visits 3',
    'link_host_waiting_previews 6',
    'link_host_connections 4',
  ])
    t.match(text, `${line}\n`);
});
