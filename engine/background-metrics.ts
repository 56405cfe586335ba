import { statfsSync } from 'node:fs';
import type { Registry } from 'prom-client';
import { PREVIEW_METRICS } from './preview/preview-metrics.js';
import type { PreviewsStats } from './preview/previews.js';
import { gauge, type Metric, registerMetrics } from './processes/collected-metrics.js';
import type { FlusherStats } from './shipping/flusher.js';
import { SHIPPING_METRICS } from './shipping/shipping-metrics.js';
import type { SyncStats } from './sync/sync.js';
import { SYNC_METRICS } from './sync/sync-metrics.js';
import type { WebhookDispatcherStats } from './webhooks/dispatcher-options.js';
import { WEBHOOKS_METRICS } from './webhooks/webhooks-metrics.js';

/** The disk of `DATA_DIR`. */
export interface DiskStats {
  readonly free_bytes: number;
  readonly size_bytes: number;
}

const DISK_METRICS: readonly Metric<DiskStats>[] = [
  gauge('data_dir_free_bytes', 'Free bytes on the disk of DATA_DIR', (s) => s.free_bytes),
  gauge('data_dir_size_bytes', 'Size of the disk of DATA_DIR', (s) => s.size_bytes),
];

/** The parts whose metrics are read; null while a part does not exist. The counters of a new part start at 0. */
export interface BackgroundSources {
  sync(): SyncStats | null;
  flusher(): FlusherStats | null;
  webhooks(): WebhookDispatcherStats | null;
  previews(): PreviewsStats | null;
  disk(): DiskStats | null;
}

/** `now` returns monotonic milliseconds. */
export function registerBackgroundMetrics(
  registry: Registry,
  sources: BackgroundSources,
  now: () => number = () => performance.now(),
): void {
  registerMetrics(registry, SYNC_METRICS, snapshots(sources.sync, now));
  registerMetrics(registry, SHIPPING_METRICS, snapshots(sources.flusher, now));
  registerMetrics(registry, WEBHOOKS_METRICS, snapshots(sources.webhooks, now));
  registerMetrics(registry, PREVIEW_METRICS, snapshots(sources.previews, now));
  registerMetrics(registry, DISK_METRICS, snapshots(sources.disk, now));
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

/** Returns null if the system does not report it. Space reserved for root does not count as free. */
export function diskOf(folder: string): DiskStats | null {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder);
    return { free_bytes: bavail * bsize, size_bytes: blocks * bsize };
  } catch {
    return null;
  }
}
