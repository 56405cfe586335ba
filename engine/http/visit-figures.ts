import { Counter, Gauge, type Registry } from 'prom-client';
import { OUTCOMES, type Outcome } from '../route/decide.js';
import type { VerdictStats } from '../route/verdict-cache.js';

/** What a request ended as: what a link answered, and what never came to a link. */
const ENDS = [
  ...OUTCOMES,
  'app_links',
  'robots',
  'health',
  'unknown_host',
  'method_not_allowed',
  'dropped',
  'unavailable',
  'failed',
  'aborted',
] as const;
export type End = Outcome | (typeof ENDS)[number];

const INDEX: { readonly [Key in End]: number } = Object.fromEntries(ENDS.map((end, index) => [end, index])) as { [Key in End]: number };

/** Counts of one redirect process: plain stores into an array on the way of a visitor, labels only when asked for. */
export class VisitFigures {
  readonly #ends = new Float64Array(ENDS.length);
  clicks = 0;
  /** Clicks past the bound of the spool. */
  clicks_dropped = 0;
  /** Looks into the store that failed; the read-through answered in its place. */
  store_failures = 0;

  count(end: End): void {
    const index = INDEX[end];
    this.#ends[index] = (this.#ends[index] as number) + 1;
  }

  of(end: End): number {
    return this.#ends[INDEX[end]] as number;
  }

  ends(): Iterable<readonly [End, number]> {
    return ENDS.map((end, index) => [end, this.#ends[index] as number] as const);
  }
}

export interface FigureSources {
  readonly figures: VisitFigures;
  readonly verdicts: () => VerdictStats;
  readonly pendingVisits: () => number;
  readonly connections: () => number;
}

/** Counters of prom-client that are set, when read, from the figures. */
export function registerVisitMetrics(registry: Registry, sources: FigureSources): void {
  const { figures } = sources;
  counter(registry, 'link_host_requests_total', 'Requests to the link hosts by what was answered', (metric) => {
    for (const [end, value] of figures.ends()) metric.inc({ outcome: end }, value);
  });
  counter(registry, 'link_host_clicks_total', 'Clicks stored in the spool or dropped at its bound', (metric) => {
    metric.inc({ result: 'stored' }, figures.clicks);
    metric.inc({ result: 'dropped' }, figures.clicks_dropped);
  });
  counter(registry, 'link_host_store_failures_total', 'Looks into the local store that failed', (metric) =>
    metric.inc({}, figures.store_failures),
  );
  counter(registry, 'link_host_verdicts_total', 'User agents found in the verdict cache or recognised anew', (metric) => {
    const verdicts = sources.verdicts();
    metric.inc({ result: 'hit' }, verdicts.hits);
    metric.inc({ result: 'miss' }, verdicts.misses);
  });
  gauge(registry, 'link_host_verdicts', 'User agents in the verdict cache', () => sources.verdicts().entries);
  gauge(registry, 'link_host_pending_visits', 'Visitors that wait for the read-through of a path', sources.pendingVisits);
  gauge(registry, 'link_host_connections', 'Open connections', sources.connections);
}

function counter(registry: Registry, name: string, help: string, collect: (metric: Counter) => void): void {
  const metric: Counter = new Counter({
    name,
    help,
    labelNames: [...(LABELS[name] ?? [])],
    registers: [registry],
    collect() {
      metric.reset();
      collect(metric);
    },
  });
}

function gauge(registry: Registry, name: string, help: string, read: () => number): void {
  const metric: Gauge = new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      metric.set(read());
    },
  });
}

const LABELS: Readonly<Record<string, readonly string[]>> = {
  link_host_requests_total: ['outcome'],
  link_host_clicks_total: ['result'],
  link_host_verdicts_total: ['result'],
};
