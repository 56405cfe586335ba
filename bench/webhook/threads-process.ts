import type { Delivery } from '../../engine/webhooks/deliver.js';
import { DeliveryThreads } from '../../engine/webhooks/delivery-threads.js';
import { isSuccess } from '../../engine/webhooks/outcome.js';
import { monotonicClock } from '../../shared/base/clock.js';
import { createLogger } from '../../shared/base/log.js';
import { sampleEvent } from '../../shared/webhooks/body.js';
import { mainThreadMicroseconds } from '../load/process-cost.js';

/**
 * Runs only the delivery threads, in a process of their own: whole deliveries are signed, sent and reported as in the
 * engine, but nothing is claimed and nothing written. As many are always under way as the engine would have.
 */
export interface ThreadsJob {
  readonly origin: string;
  readonly threads: number;
  readonly seconds: number;
}

export interface ThreadsResult {
  readonly kind: 'result';
  readonly deliveries: number;
  readonly failures: number;
  readonly seconds: number;
  /**
   * The time that the main thread was on a core. This is not the busy time of its event loop, which on a full machine
   * is mostly waiting for a core.
   */
  readonly main_thread_us: number;
  /** User and system time of the whole process, all threads. */
  readonly cpu_us: number;
}

/** As in the dispatcher: `BATCH_MAX`, and twice what one well-behaved endpoint may have under way. */
const BATCH = 64;
const UNDER_WAY = 256;
const WARM_UP_MS = 1000;
const LEASE_MS = 30_000;

const job = JSON.parse(process.argv[2] ?? '') as ThreadsJob;
const threads = new DeliveryThreads({
  serviceName: 'Service',
  allow: [job.origin],
  timeoutMs: 10_000,
  threads: job.threads,
  log: createLogger('bench', 'silent'),
  onReports: (reports) => {
    free += reports.length;
    if (counting) {
      deliveries += reports.length;
      for (const { result } of reports) if (result === null || !isSuccess(result)) failures++;
    }
    sendBatches();
  },
  onLost: (keys) => {
    free += keys.length;
    failures += keys.length;
  },
});
const origin = { environment_id: 'env_bench', environment: 'live', at_ms: Date.now() } as const;
const { body } = sampleEvent(origin, 'link.created');

let nextKey = 0;
let counting = false;
let deliveries = 0;
let failures = 0;
let free = UNDER_WAY;
let stopping = false;

function sendBatches(): void {
  while (free >= BATCH && !stopping) {
    free -= BATCH;
    const leaseEndsAtMs = monotonicClock() + LEASE_MS;
    const batch = Array.from(
      { length: BATCH },
      (): Delivery => ({
        key: nextKey++,
        delivery_id: 'whd_01k0samp1e0000000000000000',
        event_type: 'link.created',
        body,
        url: `${job.origin}/hook`,
        secrets: ['whsec_0123456789abcdefghijklmnopqrstuv'],
        lease_ends_at_ms: leaseEndsAtMs,
      }),
    );
    threads.send(batch);
  }
}

sendBatches();
setTimeout(() => {
  counting = true;
  const cpuBefore = process.cpuUsage();
  const mainThreadBefore = mainThreadMicroseconds(process.pid);
  const beganAt = performance.now();
  setTimeout(() => {
    counting = false;
    stopping = true;
    const cpu = process.cpuUsage(cpuBefore);
    const result: ThreadsResult = {
      kind: 'result',
      deliveries,
      failures,
      seconds: (performance.now() - beganAt) / 1000,
      main_thread_us: mainThreadMicroseconds(process.pid) - mainThreadBefore,
      cpu_us: cpu.user + cpu.system,
    };
    process.send?.(result, () => process.exit());
  }, job.seconds * 1000);
}, WARM_UP_MS);
