import { percentile } from '../load/statistics.js';
import { startDispatcher } from './dispatcher.js';
import { Emitter } from './emitter.js';
import { withQueue } from './queue.js';
import { withReceiver } from './receivers.js';

/** From the commit of an event to its arrival at the receiver. */
export interface LatencyMeasurement {
  readonly events_per_second: number;
  readonly events: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly max_ms: number;
}

const EVENTS_PER_SECOND = 200;
/** The time to compile code and to open connections, which does not count. */
const WARM_UP_SECONDS = 2;

export async function measureLatency(seconds: number): Promise<LatencyMeasurement> {
  return withQueue((queue) =>
    withReceiver({ tls: null, noteArrivals: true }, async (receiver) => {
      await queue.addEndpoints(receiver.origin, 1);
      const dispatcher = await startDispatcher(queue, [receiver.origin], null);
      const emitter = new Emitter(queue);
      const arrivals = async () => {
        while ((await queue.queued()) > 0) await new Promise((resolve) => setTimeout(resolve, 50));
        return receiver.arrivals();
      };
      await emitter.run(EVENTS_PER_SECOND, WARM_UP_SECONDS);
      emitter.waits(await arrivals());
      await emitter.run(EVENTS_PER_SECOND, seconds);
      const waits = emitter.waits(await arrivals());
      await dispatcher.stop();
      return {
        events_per_second: EVENTS_PER_SECOND,
        events: waits.length,
        p50_ms: percentile(waits, 0.5),
        p99_ms: percentile(waits, 0.99),
        max_ms: percentile(waits, 1),
      };
    }),
  );
}
