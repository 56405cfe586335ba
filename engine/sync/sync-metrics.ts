import { counter, gauge, type Metric } from '../processes/collected-metrics.js';
import type { SyncStats } from './sync.js';

export const SYNC_METRICS: readonly Metric<SyncStats>[] = [
  counter('config_sync_rows_total', 'Feed rows applied to the store', (s) => s.rows_applied),
  counter('config_sync_bootstraps_total', 'Number of times the store was rebuilt', (s) => s.bootstraps),
  counter('config_sync_failures_total', 'Rounds that failed and were repeated', (s) => s.failures),
  counter('config_sync_notifications_total', 'Notifications of the feed received', (s) => s.notifications),
  gauge('config_sync_position', 'Feed position of the store', (s) => s.position),
  gauge('config_sync_head_position', 'Last feed position of PostgreSQL at the newest poll', (s) => s.head_position),
  gauge(
    'config_sync_current_timestamp_seconds',
    'Last time at which the store was known to equal PostgreSQL',
    (s) => s.current_at_ms / 1000,
  ),
  gauge('link_index_links', 'Links in the mapped index', (s) => s.link_index?.links ?? null),
  gauge('link_index_bytes', 'Size of the mapped index', (s) => s.link_index?.bytes ?? null),
  gauge('link_index_files', 'Files of the mapped index', (s) => s.link_index?.files ?? null),
  counter('link_index_builds_total', 'Number of times the mapped index was built', (s) => s.link_index?.builds ?? null),
];
