import { Gauge, type Registry } from 'prom-client';

/** How long a reading is reused, so that the gauges of one page share a single reading. */
const READING_MS = 100;

export type AddGauge<Reading> = (
  name: string,
  help: string,
  labelNames: readonly string[],
  set: (gauge: Gauge, reading: Reading) => void,
) => void;

/** The source of the values of gauges. */
export interface ReadingSource<Reading> {
  read(): Promise<Reading>;
  onFailure(error: unknown): void;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/**
 * Creates gauges that one reading fills, and that have only the series that it sets. If the reading fails, the page has no series of
 * these gauges, but all other metrics.
 */
export function gaugesOf<Reading>(
  registry: Registry,
  { read, onFailure, now = () => performance.now() }: ReadingSource<Reading>,
): AddGauge<Reading> {
  let reading: Promise<Reading | null> = Promise.resolve(null);
  let readAtMs = Number.NEGATIVE_INFINITY;
  const latest = () => {
    if (now() - readAtMs > READING_MS) {
      readAtMs = now();
      reading = read().catch((error: unknown) => {
        onFailure(error);
        return null;
      });
    }
    return reading;
  };
  return (name, help, labelNames, set) => {
    const metric: Gauge = new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [registry],
      async collect() {
        const found = await latest();
        metric.reset();
        if (labelNames.length === 0) metric.remove();
        if (found !== null) set(metric, found);
      },
    });
  };
}
