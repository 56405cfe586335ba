import { gauge, type Metric } from '../processes/collected-metrics.js';
import type { ClickSpoolStats } from './click-spool.js';

export const SPOOL_METRICS: readonly Metric<ClickSpoolStats>[] = [
  gauge('click_spool_mapped', 'Whether clicks are stored through mapped memory', (s) => (s.mode === 'mapped' ? 1 : 0)),
  gauge('click_spool_dropping', 'Whether clicks are being dropped at this moment', (s) => (s.dropping_reason === '' ? 0 : 1)),
];
