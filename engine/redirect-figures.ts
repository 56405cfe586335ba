import type { Registry } from 'prom-client';
import { collectCounter, collectGauge } from './collected-metrics.js';
import type { ClickSpoolStats } from './spool/click-spool.js';
import type { ConfigReaderStats } from './store/config-store.js';
import type { ReadThroughStats } from './store/read-through.js';

export interface RedirectFigureSources {
  readonly config: () => ConfigReaderStats;
  readonly readThrough: () => ReadThroughStats;
  readonly spool: () => ClickSpoolStats;
}

const READ_THROUGH_RESULTS = ['found', 'missing', 'unavailable', 'late', 'refused', 'remembered'] as const;

/** What a redirect process knows beside its visits: its view of the store, its questions to PostgreSQL, its spool. */
export function registerRedirectMetrics(registry: Registry, sources: RedirectFigureSources): void {
  const results = { name: 'read_through_total', help: 'Paths unknown to the store by what PostgreSQL said of them', label: 'result' };
  collectCounter(registry, results, (set) => {
    const stats = sources.readThrough();
    for (const result of READ_THROUGH_RESULTS) set(result, stats[result]);
  });
  const asked = { name: 'read_through_asked_total', help: 'Questions put to PostgreSQL' };
  collectCounter(registry, asked, (set) => set('', sources.readThrough().asked));
  const connected = { name: 'read_through_connected', help: 'Whether PostgreSQL can be asked' };
  collectGauge(registry, connected, () => (sources.readThrough().connection === 'ready' ? 1 : 0));
  const damages = { name: 'config_store_damages_total', help: 'Values or pages of the store that could not be read' };
  collectCounter(registry, damages, (set) => set('', sources.config().damages));
  const open = { name: 'config_store_open', help: 'Whether the process has a store to read' };
  collectGauge(registry, open, () => (sources.config().generation === null ? 0 : 1));
  const mapped = { name: 'click_spool_mapped', help: 'Whether clicks are stored through mapped memory' };
  collectGauge(registry, mapped, () => (sources.spool().mode === 'mapped' ? 1 : 0));
  const dropping = { name: 'click_spool_dropping', help: 'Whether clicks are being dropped at this moment' };
  collectGauge(registry, dropping, () => (sources.spool().dropping_reason === '' ? 0 : 1));
}
