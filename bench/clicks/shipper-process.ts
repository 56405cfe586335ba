import { createFlusher } from '../../engine/shipping/flusher.js';
import { createLogger } from '../../shared/base/log.js';
import { ClickHouse } from '../../shared/clickhouse/connection.js';
import { BENCH_SPOOL_KEYS } from '../spool-keys.js';

/** As the engine's. */
const INSERT_TIMEOUT_MS = 30_000;

/**
 * Ships a spool's clicks into the log, or into ClickHouse: `shipper-process <folder> <database url> [<ClickHouse url>]`. Reports its
 * progress ten times a second.
 */
const [, , dir, databaseUrl, clickHouseUrl] = process.argv as [string, string, string, string, string?];
const clickHouse =
  clickHouseUrl === undefined ? null : new ClickHouse({ url: clickHouseUrl, timeoutMs: INSERT_TIMEOUT_MS, application: 'bench' });
const flusher = createFlusher({
  databaseUrl,
  clickHouse,
  dir,
  keys: BENCH_SPOOL_KEYS,
  clock: Date.now,
  log: createLogger('bench', 'warn'),
  webhookBacklogMax: 10_000,
});
process.on('message', () => flusher.start());
setInterval(() => {
  const { clicks_shipped, pending_bytes } = flusher.stats();
  const { user, system } = process.cpuUsage();
  process.send?.({ shipped: clicks_shipped, pending_bytes, cpu_us: user + system });
}, 100);
process.on('disconnect', () => process.exit());
