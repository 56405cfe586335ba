import { parentPort, workerData } from 'node:worker_threads';
import { monotonicClock, systemClock } from '../../shared/base/clock.js';
import { invariant } from '../../shared/base/invariant.js';
import { OutboundClient } from '../../shared/net/bounded-request.js';
import { type Delivery, type DeliveryContext, deliver } from './deliver.js';
import type { AttemptResult } from './outcome.js';

/**
 * A delivery thread. It receives batches of deliveries, sends all deliveries of a batch at the same time and reports each one
 * when it ends; those that end in the same turn of the event loop are reported in one message. The promise of a batch only says
 * that the whole batch has ended. Outcomes do not wait for it, because one slow receiver would delay 63 others for ten seconds.
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
