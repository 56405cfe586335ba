import { createFlusher } from '../../engine/shipping/flusher.js';
import { createLogger } from '../../shared/base/log.js';
import { BENCH_SPOOL_KEYS } from '../spool-keys.js';

/** Ships a spool's clicks into the log: `shipper-process <folder> <database url>`. Reports its progress ten times a second. */
const [, , dir, databaseUrl] = process.argv as [string, string, string, string];
const flusher = createFlusher({
  databaseUrl,
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
