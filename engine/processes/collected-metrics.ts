import { Counter, Gauge, type Registry } from 'prom-client';

export interface MetricNaming {
  readonly name: string;
  readonly help: string;
  /** Name of the only label, for a family of series. */
  readonly label?: string;
}

/** Sets one series: the label's value ('' for a metric without a label) and the figure. */
export type SetSeries = (labelValue: string, value: number) => void;

/** A counter whose owner counts in plain numbers: prom-client is not involved until the metrics are read. */
export function collectCounter(registry: Registry, naming: MetricNaming, collect: (set: SetSeries) => void): void {
  const { label } = naming;
  const metric: Counter = new Counter({
    name: naming.name,
    help: naming.help,
    labelNames: label === undefined ? [] : [label],
    registers: [registry],
    collect() {
      // The owner's figure is the total count, not the increase since the last collection.
      metric.reset();
      collect((labelValue, value) => metric.inc(label === undefined ? {} : { [label]: labelValue }, value));
    },
  });
}

/** A figure that goes up and down. There is no series while it is null. */
export function collectGauge(registry: Registry, naming: MetricNaming, read: () => number | null): void {
  const metric: Gauge = new Gauge({
    name: naming.name,
    help: naming.help,
    registers: [registry],
    collect() {
      const value = read();
      if (value === null) metric.remove();
      else metric.set(value);
    },
  });
}
