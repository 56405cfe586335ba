import { counter, gauge, type Metric } from '../processes/collected-metrics.js';
import type { ConfigReaderStats } from './config-reader.js';

export const CONFIG_METRICS: readonly Metric<ConfigReaderStats>[] = [
  counter('config_store_damages_total', 'Values or pages of the store that could not be read', (s) => s.damages),
  gauge('config_store_open', 'Whether the process has a store to read', (s) => (s.generation === null ? 0 : 1)),
  gauge('link_index_mapped', 'Whether links are looked up in the mapped index before LMDB', (s) => (s.indexed ? 1 : 0)),
  counter(
    'link_index_lookups_missed_total',
    'Look-ups of links that LMDB had and the mapped index lacked; a few are normal just after links are created',
    (s) => s.unindexed,
  ),
];
