import { Counter, Gauge, type Registry } from 'prom-client';

/** One line of a room's table of metrics. The room counts in plain numbers: prom-client is not involved until the metrics are read. */
export interface Metric<Stats> {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  /** Name of the only label, for a family of series. */
  readonly label?: string;
  /** Null if it is unknown so far; a gauge then has no series. Of a family, all figures by the values of the label. */
  readonly read: (stats: Stats) => number | null | Readonly<Record<string, number>>;
}

type Read<Stats> = (stats: Stats) => number | null;
type ReadFamily<Stats> = (stats: Stats) => Readonly<Record<string, number>>;

export function counter<Stats>(name: string, help: string, read: Read<Stats>): Metric<Stats> {
  return { name, help, type: 'counter', read };
}

/** A counter with one series for each value of the label. */
export function counters<Stats>(name: string, help: string, label: string, read: ReadFamily<Stats>): Metric<Stats> {
  return { name, help, type: 'counter', label, read };
}

export function gauge<Stats>(name: string, help: string, read: Read<Stats>): Metric<Stats> {
  return { name, help, type: 'gauge', read };
}

/** Registers a table. `stats` returns null while the part that counts does not exist. */
export function registerMetrics<Stats>(registry: Registry, table: readonly Metric<Stats>[], stats: () => Stats | null): void {
  for (const { name, help, type, label, read } of table) {
    const configuration = {
      name,
      help,
      labelNames: label === undefined ? [] : [label],
      registers: [registry],
      collect() {
        const current = stats();
        const value = current === null ? null : read(current);
        // The figure of a counter is its total count, not the increase since the last collection.
        metric.reset();
        if (value === null) {
          if (type === 'gauge') metric.remove();
        } else if (typeof value === 'number') metric.inc(value);
        else for (const [labelValue, figure] of Object.entries(value)) metric.inc({ [label as string]: labelValue }, figure);
      },
    };
    const metric: Pick<Counter, 'inc' | 'reset' | 'remove'> = type === 'counter' ? new Counter(configuration) : new Gauge(configuration);
  }
}
