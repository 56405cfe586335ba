import { statfsSync } from 'node:fs';
import type { Registry } from 'prom-client';
import type { PreviewsStats } from '../preview/previews.js';
import { collectCounter, collectGauge } from '../processes/collected-metrics.js';
import type { FlusherStats } from '../shipping/flusher.js';
import type { SyncStats } from '../sync/sync.js';
import type { WebhookDispatcherStats } from '../webhooks/dispatcher-options.js';

/** A figure that a part keeps itself and that is read when the metrics page is requested. */
interface Figure<Stats> {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  /** Null if it is unknown so far; the series is then left out. */
  readonly read: (stats: Stats) => number | null;
}

type Read<Stats> = Figure<Stats>['read'];
const counter = <Stats>(name: string, help: string, read: Read<Stats>): Figure<Stats> => ({ name, help, type: 'counter', read });
const gauge = <Stats>(name: string, help: string, read: Read<Stats>): Figure<Stats> => ({ name, help, type: 'gauge', read });

const SYNC: readonly Figure<SyncStats>[] = [
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

const FLUSHER: readonly Figure<FlusherStats>[] = [
  counter('clicks_shipped_total', 'Clicks stored in the click log', (s) => s.clicks_shipped),
  counter('clicks_refused_total', 'Clicks that could not be stored and were set aside', (s) => s.clicks_refused),
  counter('clicks_unreadable_total', 'Clicks lost behind a damaged spool record', (s) => s.clicks_unreadable),
  counter('click_flusher_failures_total', 'Rounds of the flusher that failed', (s) => s.failures),
  counter('click_segments_quarantined_total', 'Spool segments set aside', (s) => s.segments_quarantined),
  gauge('click_segments_unreadable', 'Spool segments that cannot be read from disk', (s) => s.segments_unreadable),
  gauge('click_spool_pending_bytes', 'Bytes known to wait in the spool', (s) => s.pending_bytes),
  gauge('click_spool_files', 'Files in the spool folder', (s) => s.files),
  // These counts are kept on disk across processes, so a sum over ended processes would count them again. They are gauges
  // although they only grow.
  gauge('clicks_dropped_bound', 'Clicks dropped because the spool was full', (s) => s.clicks_dropped_bound),
  gauge('clicks_dropped_disk', 'Clicks dropped because the disk refused the write', (s) => s.clicks_dropped_disk),
];

const WEBHOOKS: readonly Figure<WebhookDispatcherStats>[] = [
  counter('webhook_attempts_succeeded_total', 'Attempts answered with a 2xx', (s) => s.attempts_succeeded),
  counter('webhook_attempts_failed_total', 'Attempts that failed', (s) => s.attempts_failed),
  counter('webhook_deliveries_abandoned_total', 'Deliveries given up', (s) => s.deliveries_abandoned),
  counter('webhook_deliveries_expired_total', 'Deliveries of clicks abandoned after waiting for a day', (s) => s.deliveries_expired),
  counter('webhook_endpoints_auto_disabled_total', 'Endpoints disabled after failing', (s) => s.endpoints_auto_disabled),
  counter('webhook_thread_failures_total', 'Delivery threads that died or hung', (s) => s.thread_failures),
  gauge('webhook_secrets_unreadable', 'Endpoints whose signing secret cannot be decrypted', (s) => s.secrets_unreadable),
  gauge('webhook_deliveries_in_flight', 'Deliveries under way', (s) => s.in_flight),
  gauge('webhook_outcomes_waiting', 'Outcomes that wait to be written', (s) => s.outcomes_waiting),
  gauge('webhook_queue_lag_seconds', 'Time for which the oldest due delivery has been due', (s) => s.queue_lag_ms / 1000),
  gauge('webhook_claim_p50_seconds', 'Median duration of the latest scans of the webhook queue', (s) => s.claim.p50_ms / 1000),
  gauge(
    'webhook_claim_p99_seconds',
    '99th percentile of the duration of the latest scans of the webhook queue',
    (s) => s.claim.p99_ms / 1000,
  ),
];

const PREVIEWS: readonly Figure<PreviewsStats>[] = [
  gauge('preview_calls_under_way', 'Calls to metadata APIs under way', (s) => s.calls_under_way),
  gauge('preview_items_waiting', 'Items that are being fetched', (s) => s.fetches),
  gauge('preview_breakers_open', 'Metadata APIs with an open circuit breaker', (s) => s.breakers_open),
  gauge('preview_engines', 'Engines among which the limits of APIs are shared', (s) => s.engines),
  counter('preview_shared_answers_found_total', 'Answers found in the database that engines share', (s) => s.shared.found),
  counter('preview_shared_answers_unread_total', 'Queries that the database did not answer in time', (s) => s.shared.unread),
  gauge('preview_answers_waiting', 'Answers that wait to be written', (s) => s.write_behind.waiting),
  counter('preview_answers_dropped_total', 'Answers that were not written', (s) => s.write_behind.dropped),
  counter('preview_heartbeat_failures_total', 'Rounds of writing that failed', (s) => s.heartbeat.failures + s.write_behind.failures),
  counter('preview_stores_thrown_away_total', 'Number of times the store of answers was recreated', (s) => s.stores_thrown_away),
];

/** The disk of `DATA_DIR`. */
export interface DiskStats {
  readonly free_bytes: number;
  readonly size_bytes: number;
}

const DISK: readonly Figure<DiskStats>[] = [
  gauge('data_dir_free_bytes', 'Free bytes on the disk of DATA_DIR', (s) => s.free_bytes),
  gauge('data_dir_size_bytes', 'Size of the disk of DATA_DIR', (s) => s.size_bytes),
];

/** The parts whose figures are read; null while a part does not exist. The counters of a new part start at 0. */
export interface FigureSources {
  sync(): SyncStats | null;
  flusher(): FlusherStats | null;
  webhooks(): WebhookDispatcherStats | null;
  previews(): PreviewsStats | null;
  disk(): DiskStats | null;
}

/** `now` returns monotonic milliseconds. */
export function registerFigures(registry: Registry, sources: FigureSources, now: () => number = () => performance.now()): void {
  register(registry, SYNC, snapshots(sources.sync, now));
  register(registry, FLUSHER, snapshots(sources.flusher, now));
  register(registry, WEBHOOKS, snapshots(sources.webhooks, now));
  register(registry, PREVIEWS, snapshots(sources.previews, now));
  register(registry, DISK, snapshots(sources.disk, now));
}

/** One page reads a part once, not once per figure, because some figures require listing a folder. */
const SNAPSHOT_MS = 100;

function snapshots<Stats>(stats: () => Stats | null, now: () => number): () => Stats | null {
  let taken: Stats | null = null;
  let takenAtMs = Number.NEGATIVE_INFINITY;
  return () => {
    const nowMs = now();
    if (nowMs - takenAtMs > SNAPSHOT_MS) {
      taken = stats();
      takenAtMs = nowMs;
    }
    return taken;
  };
}

function register<Stats>(registry: Registry, figures: readonly Figure<Stats>[], snapshot: () => Stats | null): void {
  for (const { name, help, type, read } of figures) {
    const value = () => {
      const current = snapshot();
      return current === null ? null : read(current);
    };
    if (type === 'gauge') collectGauge(registry, { name, help }, value);
    else
      collectCounter(registry, { name, help }, (set) => {
        const current = value();
        if (current !== null) set('', current);
      });
  }
}

/** Returns null if the system does not report it. Space reserved for root does not count as free. */
export function diskOf(folder: string): DiskStats | null {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder);
    return { free_bytes: bavail * bsize, size_bytes: blocks * bsize };
  } catch {
    return null;
  }
}
