import { counter, gauge, type Metric } from '../processes/collected-metrics.js';
import type { FlusherStats } from './flusher.js';

export const SHIPPING_METRICS: readonly Metric<FlusherStats>[] = [
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
