import { statfsSync } from 'node:fs';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { PreviewsStats } from '../preview/previews.js';
import type { FlusherStats } from '../shipping/flusher.js';
import type { SyncStats } from '../sync/sync.js';
import type { WebhookDispatcherStats } from '../webhooks/webhook-dispatcher.js';

/** A figure that a part keeps itself and that is read when the page is asked for. */
interface Figure<Stats> {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  /** null if it is not known yet: the series is then left out. */
  readonly read: (stats: Stats) => number | null;
}

const SYNC: readonly Figure<SyncStats>[] = [
  { name: 'config_sync_rows_total', help: 'Feed rows applied to the store', type: 'counter', read: (s) => s.rows_applied },
  { name: 'config_sync_bootstraps_total', help: 'Times the store was built again', type: 'counter', read: (s) => s.bootstraps },
  { name: 'config_sync_failures_total', help: 'Rounds that failed and were tried again', type: 'counter', read: (s) => s.failures },
  { name: 'config_sync_notifications_total', help: 'Notifications of the feed received', type: 'counter', read: (s) => s.notifications },
  { name: 'config_sync_position', help: 'Feed position of the store', type: 'gauge', read: (s) => s.position },
  {
    name: 'config_sync_head_position',
    help: 'Last feed position of PostgreSQL at the newest poll',
    type: 'gauge',
    read: (s) => s.head_position,
  },
  {
    name: 'config_sync_current_timestamp_seconds',
    help: 'When the store was last known to equal PostgreSQL',
    type: 'gauge',
    read: (s) => s.current_at_ms / 1000,
  },
  { name: 'link_index_links', help: 'Links in the mapped index', type: 'gauge', read: (s) => s.link_index?.links ?? null },
  { name: 'link_index_bytes', help: 'Size of the mapped index', type: 'gauge', read: (s) => s.link_index?.bytes ?? null },
  { name: 'link_index_files', help: 'Files of the mapped index', type: 'gauge', read: (s) => s.link_index?.files ?? null },
  { name: 'link_index_builds_total', help: 'Times the mapped index was built', type: 'counter', read: (s) => s.link_index?.builds ?? null },
];

const FLUSHER: readonly Figure<FlusherStats>[] = [
  { name: 'clicks_shipped_total', help: 'Clicks stored in the click log', type: 'counter', read: (s) => s.clicks_shipped },
  {
    name: 'clicks_refused_total',
    help: 'Clicks that could not be stored and were set aside',
    type: 'counter',
    read: (s) => s.clicks_refused,
  },
  { name: 'clicks_unreadable_total', help: 'Clicks behind a damaged spool record', type: 'counter', read: (s) => s.clicks_unreadable },
  { name: 'click_flusher_failures_total', help: 'Rounds of the flusher that failed', type: 'counter', read: (s) => s.failures },
  { name: 'click_segments_quarantined_total', help: 'Spool segments set aside', type: 'counter', read: (s) => s.segments_quarantined },
  {
    name: 'click_segments_unreadable',
    help: 'Spool segments that the disk does not let be read',
    type: 'gauge',
    read: (s) => s.segments_unreadable,
  },
  { name: 'click_spool_pending_bytes', help: 'Bytes known to wait in the spool', type: 'gauge', read: (s) => s.pending_bytes },
  { name: 'click_spool_files', help: 'Files in the spool folder', type: 'gauge', read: (s) => s.files },
  // Kept on disk across processes, so that a sum over ended ones would count them again: gauges, though they only grow.
  { name: 'clicks_dropped_bound', help: 'Clicks dropped because the spool was full', type: 'gauge', read: (s) => s.clicks_dropped_bound },
  { name: 'clicks_dropped_disk', help: 'Clicks dropped because the disk refused', type: 'gauge', read: (s) => s.clicks_dropped_disk },
];

const WEBHOOKS: readonly Figure<WebhookDispatcherStats>[] = [
  { name: 'webhook_attempts_succeeded_total', help: 'Attempts answered with a 2xx', type: 'counter', read: (s) => s.attempts_succeeded },
  { name: 'webhook_attempts_failed_total', help: 'Attempts that failed', type: 'counter', read: (s) => s.attempts_failed },
  { name: 'webhook_deliveries_abandoned_total', help: 'Deliveries given up', type: 'counter', read: (s) => s.deliveries_abandoned },
  {
    name: 'webhook_deliveries_expired_total',
    help: 'Deliveries of clicks given up after waiting for a day',
    type: 'counter',
    read: (s) => s.deliveries_expired,
  },
  {
    name: 'webhook_endpoints_auto_disabled_total',
    help: 'Endpoints disabled after failing',
    type: 'counter',
    read: (s) => s.endpoints_auto_disabled,
  },
  { name: 'webhook_thread_failures_total', help: 'Delivery threads that died or hung', type: 'counter', read: (s) => s.thread_failures },
  {
    name: 'webhook_secrets_unreadable',
    help: 'Endpoints whose signing secret cannot be opened',
    type: 'gauge',
    read: (s) => s.secrets_unreadable,
  },
  { name: 'webhook_deliveries_in_flight', help: 'Deliveries under way', type: 'gauge', read: (s) => s.in_flight },
  { name: 'webhook_outcomes_waiting', help: 'Outcomes that wait to be written', type: 'gauge', read: (s) => s.outcomes_waiting },
  {
    name: 'webhook_queue_lag_seconds',
    help: 'How long the earliest due delivery has been due',
    type: 'gauge',
    read: (s) => s.queue_lag_ms / 1000,
  },
  {
    name: 'webhook_claim_p50_seconds',
    help: 'Median duration of the newest looks at the webhook queue',
    type: 'gauge',
    read: (s) => s.claim.p50_ms / 1000,
  },
  {
    name: 'webhook_claim_p99_seconds',
    help: '99th percentile of the duration of the newest looks at the webhook queue',
    type: 'gauge',
    read: (s) => s.claim.p99_ms / 1000,
  },
];

const PREVIEWS: readonly Figure<PreviewsStats>[] = [
  { name: 'preview_calls_under_way', help: 'Calls to metadata APIs under way', type: 'gauge', read: (s) => s.calls_under_way },
  { name: 'preview_items_waiting', help: 'Items on their way to an answer', type: 'gauge', read: (s) => s.fetches },
  { name: 'preview_breakers_open', help: 'Metadata APIs that are kept from calls', type: 'gauge', read: (s) => s.breakers_open },
  { name: 'preview_engines', help: 'Engines among which the limits of APIs are shared', type: 'gauge', read: (s) => s.engines },
  {
    name: 'preview_shared_answers_found_total',
    help: 'Answers found in the database that engines share',
    type: 'counter',
    read: (s) => s.shared.found,
  },
  {
    name: 'preview_shared_answers_unread_total',
    help: 'Questions that the database did not answer in time',
    type: 'counter',
    read: (s) => s.shared.unread,
  },
  { name: 'preview_answers_waiting', help: 'Answers that wait to be written', type: 'gauge', read: (s) => s.write_behind.waiting },
  { name: 'preview_answers_dropped_total', help: 'Answers that were not written', type: 'counter', read: (s) => s.write_behind.dropped },
  {
    name: 'preview_heartbeat_failures_total',
    help: 'Rounds of writing that failed',
    type: 'counter',
    read: (s) => s.heartbeat.failures + s.write_behind.failures,
  },
  {
    name: 'preview_stores_thrown_away_total',
    help: 'Times the store of answers was made again',
    type: 'counter',
    read: (s) => s.stores_thrown_away,
  },
];

/** The disk of `DATA_DIR`. */
export interface DiskStats {
  readonly free_bytes: number;
  readonly size_bytes: number;
}

const DISK: readonly Figure<DiskStats>[] = [
  { name: 'data_dir_free_bytes', help: 'Bytes that the disk of DATA_DIR has left', type: 'gauge', read: (s) => s.free_bytes },
  { name: 'data_dir_size_bytes', help: 'Size of the disk of DATA_DIR', type: 'gauge', read: (s) => s.size_bytes },
];

/** The parts whose figures are read; null while a part does not exist. The counters of a new part start at 0. */
export interface FigureSources {
  sync(): SyncStats | null;
  flusher(): FlusherStats | null;
  webhooks(): WebhookDispatcherStats | null;
  previews(): PreviewsStats | null;
  disk(): DiskStats | null;
}

/** `now` gives monotonic milliseconds. */
export function registerFigures(registry: Registry, sources: FigureSources, now: () => number = () => performance.now()): void {
  register(registry, SYNC, snapshots(sources.sync, now));
  register(registry, FLUSHER, snapshots(sources.flusher, now));
  register(registry, WEBHOOKS, snapshots(sources.webhooks, now));
  register(registry, PREVIEWS, snapshots(sources.previews, now));
  register(registry, DISK, snapshots(sources.disk, now));
}

/** One page reads a part once, not once for each figure: some figures are found by listing a folder. */
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
    if (type === 'counter') registerCounter(registry, { name, help }, value);
    else registerGauge(registry, { name, help }, value);
  }
}

/** null if the system does not say. Where root alone may use the last of a disk, that is not counted as free. */
export function diskOf(folder: string): DiskStats | null {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder);
    return { free_bytes: bavail * bsize, size_bytes: blocks * bsize };
  } catch {
    return null;
  }
}

interface Naming {
  readonly name: string;
  readonly help: string;
}

function registerCounter(registry: Registry, naming: Naming, value: () => number | null): void {
  const metric: Counter = new Counter({
    ...naming,
    registers: [registry],
    collect() {
      const now = value();
      metric.reset();
      if (now !== null) metric.inc(now);
    },
  });
}

function registerGauge(registry: Registry, naming: Naming, value: () => number | null): void {
  const metric: Gauge = new Gauge({
    ...naming,
    registers: [registry],
    collect() {
      const now = value();
      if (now === null) metric.remove();
      else metric.set(now);
    },
  });
}
