import { openClickSpool } from '../../engine/spool/click-spool.js';
import { BENCH_SPOOL_KEYS } from '../spool-keys.js';
import { clickSource } from './generated-clicks.js';

/**
 * Appends clicks to a spool at a rate: `writer-process <folder> <environment number> <clicks a second> <phone share>`.
 * Reports once a second how many were stored and dropped, and how much CPU time it took.
 */
const [, , dir, environmentNumber, rate, phoneShare] = process.argv as [string, string, string, string, string, string];
const spool = openClickSpool({ dir, bytesMax: 4 * 1024 ** 3, mapped: true, keys: BENCH_SPOOL_KEYS, clock: Date.now });
const next = clickSource(Number(environmentNumber), Number(phoneShare));

/** The time between two bursts, like those of a redirect process between two turns of its event loop. */
const BURST_MS = 2;
const beganAt = performance.now();
let appended = 0;
setInterval(() => {
  const due = ((performance.now() - beganAt) / 1000) * Number(rate);
  // At most a tenth of a second is caught up, so that a writer that was held up does not flood.
  appended = Math.max(appended, due - Number(rate) / 10);
  for (; appended < due; appended++) spool.append(next());
}, BURST_MS);
setInterval(() => {
  const { clicks_stored, clicks_dropped_bound, clicks_dropped_disk } = spool.stats();
  const { user, system } = process.cpuUsage();
  process.send?.({ stored: clicks_stored, dropped: clicks_dropped_bound + clicks_dropped_disk, cpu_us: user + system });
}, 1000);
process.on('disconnect', () => process.exit());
