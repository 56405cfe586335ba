import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';

/**
 * How often the delay of the event loop is measured. prom-client does so every 10 ms, which woke each idle process a hundred times a
 * second. Whatever holds up the event loop for longer than this is seen, with up to 50 ms less than it lasted.
 */
const INTERVAL_MS = 50;
/** Keeps prom-client's own measurement from waking the process: some 24 days. */
const NEVER_MS = 2 ** 31 - 1;

interface Figure {
  readonly text: string;
  /** In nanoseconds. */
  readonly read: (delays: RecordableHistogram) => number;
}

const FIGURES: Readonly<Record<string, Figure>> = {
  min: { text: 'Shortest delay', read: ({ min }) => min },
  max: { text: 'Longest delay', read: ({ max }) => max },
  mean: { text: 'Mean delay', read: ({ mean }) => mean },
  stddev: { text: 'Standard deviation of the delays', read: ({ stddev }) => stddev },
  p50: { text: '50th percentile of the delays', read: (delays) => delays.percentile(50) },
  p90: { text: '90th percentile of the delays', read: (delays) => delays.percentile(90) },
  p99: { text: '99th percentile of the delays', read: (delays) => delays.percentile(99) },
};

/**
 * Registers prom-client's figures of the process itself: CPU, memory, garbage collection, event loop.
 *
 * The delays of the event loop have prom-client's names and are in seconds. They are delays alone, while prom-client adds the interval
 * of its timer to them.
 */
export function collectProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER_MS });
  const delays = measureDelays();
  for (const [figure, { text, read }] of Object.entries(FIGURES)) {
    const name = `nodejs_eventloop_lag_${figure}_seconds`;
    registry.removeSingleMetric(name);
    const gauge: Gauge = new Gauge({
      name,
      help: `${text} of the event loop since the last collection`,
      registers: [registry],
      collect() {
        if (delays.count > 0) gauge.set(read(delays) / 1e9);
        // Metrics are collected in the order in which they were registered.
        if (figure === 'p99') delays.reset();
      },
    });
  }
}

/** Returns the delays in nanoseconds, from now on. `monitorEventLoopDelay` does not record the delay during which it is reset. */
function measureDelays(): RecordableHistogram {
  const delays = createHistogram();
  let dueMs = performance.now() + INTERVAL_MS;
  setInterval(() => {
    const now = performance.now();
    delays.record(Math.max(1, Math.round((now - dueMs) * 1e6)));
    dueMs = now + INTERVAL_MS;
  }, INTERVAL_MS).unref();
  return delays;
}
