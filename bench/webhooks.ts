import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureClickShipping, type ShippingMeasurement } from './webhook/click-shipping.js';
import { type LatencyMeasurement, measureLatency } from './webhook/latency.js';
import { measureQueue, type QueueMeasurement } from './webhook/queue-drain.js';
import { makeCertificate, type Scheme } from './webhook/receivers.js';
import { measureSteadyRate, type SteadyMeasurement } from './webhook/steady-rate.js';
import { measureThreads, type ThreadsMeasurement } from './webhook/threads.js';

export interface WebhooksBench {
  readonly rounds: number;
  readonly seconds: number;
  /** Minutes of the steady rate beside an old snapshot; 0 leaves it out. */
  readonly minutes: number;
  onStep(done: number, of: number, what: string): void;
}

export interface WebhooksResult {
  readonly threads: readonly ThreadsMeasurement[];
  readonly queue: readonly QueueMeasurement[];
  readonly latency: LatencyMeasurement;
  readonly shipping: readonly ShippingMeasurement[];
  readonly steady: SteadyMeasurement | null;
}

const SCHEMES: readonly Scheme[] = ['http', 'https'];
/** Percentiles of fewer events say little. */
const LATENCY_SECONDS_MIN = 10;

/** Measures deliveries, from the delivery threads alone up to the whole way from a commit to a receiver, on this machine's loopback. */
export async function runWebhooks({ rounds, seconds, minutes, onStep }: WebhooksBench): Promise<WebhooksResult> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-webhooks-'));
  const steps = SCHEMES.length * 2 + 2 + minutes;
  let done = 0;
  const step = (what: string) => onStep(done++, steps, what);
  try {
    const certificate = makeCertificate(folder);
    const threads: ThreadsMeasurement[] = [];
    for (const scheme of SCHEMES) {
      step(`threads alone, ${scheme}`);
      threads.push(await measureThreads({ rounds, seconds, scheme }, certificate));
    }
    const queue: QueueMeasurement[] = [];
    for (const scheme of SCHEMES) {
      step(`from the queue, ${scheme}`);
      queue.push(await measureQueue({ rounds, seconds, scheme }, certificate));
    }
    step('from commit to receiver');
    const latency = await measureLatency(Math.max(LATENCY_SECONDS_MIN, seconds));
    step('clicks into the log');
    const shipping = await measureClickShipping(rounds);
    const steady = minutes === 0 ? null : await measureSteadyRate(minutes, (minute) => step(`steady rate, minute ${minute}`));
    onStep(steps, steps, 'done');
    return { threads, queue, latency, shipping, steady };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
