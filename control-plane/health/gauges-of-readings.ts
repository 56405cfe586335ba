import { Gauge, type Registry } from 'prom-client';

/** One page asks once: its gauges are read within a moment. */
const READING_MS = 100;

export type AddGauge<Reading> = (
  name: string,
  help: string,
  labelNames: readonly string[],
  set: (gauge: Gauge, reading: Reading) => void,
) => void;

/** What gauges are filled with. */
export interface ReadingSource<Reading> {
  read(): Promise<Reading>;
  onFailure(error: unknown): void;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/**
 * Gauges that one reading fills, whose series are only what it sets: a reading that fails leaves the page without them,
 * and with all others.
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
