import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findEnvironmentNumber } from '../../control-plane/projects/projects.js';
import { createFlusher } from '../../engine/shipping/flusher.js';
import type { Click } from '../../engine/spool/click.js';
import { openClickSpool } from '../../engine/spool/click-spool.js';
import { newClick } from '../../engine/visit/click-record.js';
import { createLogger } from '../../shared/base/log.js';
import { type Spread, spreadOf } from '../load/statistics.js';
import { BENCH_SPOOL_KEYS } from '../spool-keys.js';
import { type BenchQueue, withQueue } from './queue.js';

/** How fast clicks go from the spool into the click log, with and without endpoints that receive them. */
export interface ShippingMeasurement {
  readonly receivers: string;
  readonly clicks: number;
  readonly clicks_per_second: Spread;
  /** CPU time of this process alone, without that of PostgreSQL. */
  readonly shipper_cpu_us_per_click: Spread;
}

const CLICKS = 200_000;
/** Less than the real limit, so that one backlog is full from the beginning and the other one soon. */
const BACKLOG_MAX = 10_000;

interface Receivers {
  readonly name: string;
  prepare(queue: BenchQueue): Promise<void>;
}

async function subscribe(queue: BenchQueue, queued: number): Promise<void> {
  await queue.addEndpoints('http://127.0.0.1:1', 1);
  await queue.pool.query("UPDATE webhook_endpoints SET events = '{click.created}'");
  await queue.pool.query('INSERT INTO webhook_backlogs (webhook_id, queued) SELECT id, $1 FROM webhook_endpoints', [queued]);
}

const RECEIVERS: readonly Receivers[] = [
  { name: 'nobody', prepare: async () => {} },
  { name: 'an endpoint whose backlog is full', prepare: (queue) => subscribe(queue, BACKLOG_MAX) },
  { name: `an endpoint with room for ${BACKLOG_MAX}`, prepare: (queue) => subscribe(queue, 0) },
];

export async function measureClickShipping(rounds: number): Promise<readonly ShippingMeasurement[]> {
  const rates = new Map<Receivers, number[]>(RECEIVERS.map((receivers) => [receivers, []]));
  const costs = new Map<Receivers, number[]>(RECEIVERS.map((receivers) => [receivers, []]));
  for (let round = 0; round < rounds; round++)
    for (const receivers of RECEIVERS)
      await withQueue(async (queue) => {
        await receivers.prepare(queue);
        const { seconds, cpuUs } = await ship(queue);
        rates.get(receivers)?.push(CLICKS / seconds);
        costs.get(receivers)?.push(cpuUs / CLICKS);
      });
  return RECEIVERS.map((receivers) => ({
    receivers: receivers.name,
    clicks: CLICKS,
    clicks_per_second: spreadOf(rates.get(receivers) as number[]),
    shipper_cpu_us_per_click: spreadOf(costs.get(receivers) as number[]),
  }));
}

async function ship(queue: BenchQueue): Promise<{ readonly seconds: number; readonly cpuUs: number }> {
  const dir = mkdtempSync(join(tmpdir(), 'bench-spool-'));
  try {
    const spool = openClickSpool({ dir, bytesMax: 2 ** 30, mapped: true, keys: BENCH_SPOOL_KEYS, clock: Date.now });
    const environmentNumber = await findEnvironmentNumber(queue.pool, queue.environmentId);
    for (let index = 0; index < CLICKS; index++) spool.append(click(environmentNumber, index));
    spool.stop();
    const cpuBefore = process.cpuUsage();
    const beganAt = performance.now();
    const flusher = createFlusher({
      databaseUrl: queue.url,
      dir,
      keys: BENCH_SPOOL_KEYS,
      clock: Date.now,
      log: createLogger('bench', 'warn'),
      webhookBacklogMax: BACKLOG_MAX,
    });
    flusher.start();
    while (flusher.stats().clicks_shipped < CLICKS) await new Promise((resolve) => setTimeout(resolve, 5));
    const seconds = (performance.now() - beganAt) / 1000;
    const cpu = process.cpuUsage(cpuBefore);
    await flusher.stop();
    return { seconds, cpuUs: cpu.user + cpu.system };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function click(environmentNumber: number, index: number): Click {
  return {
    ...newClick(),
    occurred_at_ms: Date.now(),
    environment_number: environmentNumber,
    subject_id: 'lnk_01k0samp1e0000000000000000',
    host: 'go.example.com',
    path: `path${index % 1000}`,
    user_agent: 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    referrer: 'https://news.example.com/',
    destination: 'https://example.com/',
    country: 'DE',
    address_text: `203.0.113.${index % 256}`,
  };
}
