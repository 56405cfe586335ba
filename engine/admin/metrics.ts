/**
 * One Prometheus page for a host whose counters are in several processes that come and go. Children send prom-client's JSON with
 * every `alive` message. Their values are kept here per process name and written out.
 */

/** What `prom-client` returns for one metric (`Registry.getMetricsAsJSON`), as far as it is used. */
interface ReportedMetric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly values: readonly ReportedValue[];
}

interface ReportedValue {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  /** Histograms: `x_bucket`, `x_sum`, `x_count`. */
  readonly metricName?: string;
}

interface Family {
  readonly help: string;
  readonly type: string;
}

/** Values by series: name and labels, as written on the page. */
type SeriesValues = Map<string, number>;

interface ProcessValues {
  /** The latest report of every living process with the name: two while one replaces the other. Insertion order is age. */
  readonly live: Map<number, readonly ReportedMetric[]>;
  /** Sums of what ended processes with the name had counted. */
  readonly retired: Map<string, SeriesValues>;
}

function isValue(value: unknown): value is ReportedValue {
  const { value: number, labels } = (value ?? {}) as Partial<ReportedValue>;
  // A NaN becomes null on its way through JSON.
  return typeof number === 'number' && typeof labels === 'object' && labels !== null;
}

function isMetric(metric: unknown): metric is ReportedMetric {
  const { name, help, type, values } = (metric ?? {}) as Partial<ReportedMetric>;
  return typeof name === 'string' && typeof help === 'string' && typeof type === 'string' && Array.isArray(values);
}

/** Returns the usable part of a report; null if it is not a report. */
function readReport(metrics: unknown): readonly ReportedMetric[] | null {
  if (!Array.isArray(metrics)) return null;
  return metrics.filter(isMetric).map(({ name, help, type, values }) => ({ name, help, type, values: values.filter(isValue) }));
}

/** https://prometheus.io/docs/instrumenting/exposition_formats/: backslash, quote and line feed are escaped in label values. */
function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function escapeHelp(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function seriesOf(metric: ReportedMetric, value: ReportedValue, process: string): string {
  const labels = [...Object.entries(value.labels), ['process', process] as const].map(
    ([name, text]) => `${name}="${escapeLabel(String(text))}"`,
  );
  return `${value.metricName ?? metric.name}{${labels.join(',')}}`;
}

function formatNumber(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  if (value === Number.NEGATIVE_INFINITY) return '-Inf';
  return String(value);
}

/** Counters and histograms only grow, so sums over processes, including dead ones, are meaningful. Gauges end with their process. */
function accumulates(type: string): boolean {
  return type === 'counter' || type === 'histogram';
}

export class MetricsPage {
  readonly #families = new Map<string, Family>();
  readonly #processes = new Map<string, ProcessValues>();

  /** Replaces what this pid reported before. Ignores a report that does not have prom-client's form. */
  report(process: string, pid: number, metrics: unknown): void {
    const report = readReport(metrics);
    if (report === null) return;
    for (const { name, help, type } of report) if (!this.#families.has(name)) this.#families.set(name, { help, type });
    this.#of(process).live.set(pid, report);
  }

  /**
   * Handles the end of a process: what it had counted is added to the counts of its predecessors, and its gauges are removed. What
   * it counted after its last report, less than a second of it, is lost.
   */
  retire(process: string, pid: number): void {
    const values = this.#of(process);
    for (const metric of values.live.get(pid) ?? []) {
      if (!accumulates(metric.type)) continue;
      const sums = values.retired.get(metric.name) ?? new Map<string, number>();
      values.retired.set(metric.name, sums);
      addInto(sums, metric, process);
    }
    values.live.delete(pid);
  }

  /** Returns the page in the text format 0.0.4. */
  render(): string {
    const lines: string[] = [];
    for (const [name, { help, type }] of this.#families) {
      const series = this.#seriesOf(name);
      if (series.size === 0) continue;
      lines.push(`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`);
      for (const [key, value] of series) lines.push(`${key} ${formatNumber(value)}`);
    }
    return `${lines.join('\n')}\n`;
  }

  #seriesOf(name: string): SeriesValues {
    const all: SeriesValues = new Map();
    for (const [process, { live, retired }] of this.#processes) {
      for (const [key, value] of retired.get(name) ?? []) all.set(key, value);
      for (const metrics of live.values())
        for (const metric of metrics) {
          if (metric.name !== name) continue;
          if (accumulates(metric.type)) addInto(all, metric, process);
          // For gauges, the youngest process with the name counts.
          else for (const value of metric.values) all.set(seriesOf(metric, value, process), value.value);
        }
    }
    return all;
  }

  #of(process: string): ProcessValues {
    const known = this.#processes.get(process);
    if (known !== undefined) return known;
    const values: ProcessValues = { live: new Map(), retired: new Map() };
    this.#processes.set(process, values);
    return values;
  }
}

function addInto(sums: SeriesValues, metric: ReportedMetric, process: string): void {
  for (const value of metric.values) {
    const key = seriesOf(metric, value, process);
    sums.set(key, (sums.get(key) ?? 0) + value.value);
  }
}
