import { type Spread, spreadOf } from '../load/statistics.js';
import { type BenchDispatcher, startDispatcher } from './dispatcher.js';
import { type BenchQueue, withQueue } from './queue.js';
import { type BenchReceiver, type Certificate, type Scheme, withReceiver } from './receivers.js';
import type { Rounds } from './threads.js';

/** From the queue in PostgreSQL to receivers and back into the log. */
export interface QueueMeasurement {
  readonly scheme: Scheme;
  readonly endpoints: number;
  readonly deliveries: number;
  readonly deliveries_per_second: Spread;
  readonly dispatcher_cpu_us_per_delivery: Spread;
  readonly connections: number;
}

const ENDPOINTS = 20;
const EVENTS_PER_STATEMENT = 500;
/** The rate to be reached. A second of a round stands for this many deliveries. */
const DELIVERIES_PER_SECOND = 3000;

/** The queue is filled first, so that claiming, delivering and writing outcomes are measured, and not the filling. */
export async function measureQueue({ rounds, seconds, scheme }: Rounds, certificate: Certificate): Promise<QueueMeasurement> {
  const tls = scheme === 'https' ? certificate : null;
  const events = Math.ceil((seconds * DELIVERIES_PER_SECOND) / ENDPOINTS);
  const deliveries = events * ENDPOINTS;
  const rates: number[] = [];
  const costs: number[] = [];
  let connections = 0;
  for (let round = 0; round < rounds; round++)
    await withQueue((queue) =>
      withReceiver({ tls, noteArrivals: false }, async (receiver) => {
        await fill(queue, receiver, events);
        const dispatcher = await startDispatcher(queue, [receiver.origin], tls);
        const tookMs = await drained(dispatcher, deliveries);
        rates.push((deliveries / tookMs) * 1000);
        costs.push(dispatcher.cpuMicroseconds() / deliveries);
        connections = await receiver.connections();
        await dispatcher.stop();
      }),
    );
  return {
    scheme,
    endpoints: ENDPOINTS,
    deliveries,
    deliveries_per_second: spreadOf(rates),
    dispatcher_cpu_us_per_delivery: spreadOf(costs),
    connections,
  };
}

async function fill(queue: BenchQueue, receiver: BenchReceiver, events: number): Promise<void> {
  await queue.addEndpoints(receiver.origin, ENDPOINTS);
  for (let emitted = 0; emitted < events; emitted += EVENTS_PER_STATEMENT)
    await queue.emit(Math.min(EVENTS_PER_STATEMENT, events - emitted));
}

/** Milliseconds until every delivery has succeeded and is logged. */
async function drained(dispatcher: BenchDispatcher, deliveries: number): Promise<number> {
  const beganAt = performance.now();
  for (;;) {
    const stats = await dispatcher.stats();
    if (stats.attempts_failed > 0) throw new Error(`${stats.attempts_failed} deliveries failed`);
    if (stats.attempts_succeeded >= deliveries && stats.outcomes_waiting === 0) return performance.now() - beganAt;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
