import { parentPort, workerData } from 'node:worker_threads';
import { monotonicClock, systemClock } from '../../shared/base/clock.js';
import { invariant } from '../../shared/base/invariant.js';
import { OutboundClient } from '../../shared/net/bounded-request.js';
import { type Delivery, type DeliveryContext, deliver } from './deliver.js';
import type { AttemptResult } from './outcome.js';

/**
 * A delivery thread. It takes batches of whole deliveries, sends all of a batch at once and reports each as it ends: what
 * ends in the same turn of the event loop goes back in one message. A batch's own promise only says that all of it has
 * ended; were results to wait for it, one receiver that hangs would hold back the outcomes of 63 others for ten seconds.
 */
export interface WorkerSettings {
  readonly serviceName: string;
  readonly allow: readonly string[];
  readonly timeoutMs: number;
}

export interface DeliveryReport {
  readonly key: number;
  /** null if it was not sent. */
  readonly result: AttemptResult | null;
}

invariant(parentPort !== null, 'this module runs in a worker thread');
const port = parentPort;
const settings = workerData as WorkerSettings;
const client = new OutboundClient({ allow: settings.allow });
const context: DeliveryContext = {
  request: (request) => client.request(request),
  clock: systemClock,
  monotonic: monotonicClock,
  serviceName: settings.serviceName,
  timeoutMs: settings.timeoutMs,
};

let reports: DeliveryReport[] = [];

function report(entry: DeliveryReport): void {
  if (reports.length === 0) setImmediate(send);
  reports.push(entry);
}

function send(): void {
  port.postMessage(reports);
  reports = [];
}

export default async function deliverBatch(deliveries: readonly Delivery[]): Promise<void> {
  await Promise.all(deliveries.map(async (delivery) => report({ key: delivery.key, result: await deliver(delivery, context) })));
}
