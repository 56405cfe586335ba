import type { Registry } from 'prom-client';
import type { CacheStats } from '../../shared/base/generation-cache.js';
import { OUTCOMES, type Outcome } from '../../shared/resolve/follow-link.js';
import { collectCounter, collectGauge } from '../processes/collected-metrics.js';

/** How a request ended: the outcomes of links, and the ends of requests that never reached a link. */
const ENDS = [
  ...OUTCOMES,
  'app_links',
  'robots',
  'brand_logo',
  'health',
  'click_device',
  'host_proof',
  'password_asked',
  'password_wrong',
  'password_throttled',
  'unknown_host',
  'bad_request',
  'body_refused',
  'method_not_allowed',
  'dropped',
  'unavailable',
  'failed',
  'aborted',
] as const;
export type End = Outcome | (typeof ENDS)[number];

const INDEX: { readonly [Key in End]: number } = Object.fromEntries(ENDS.map((end, index) => [end, index])) as { [Key in End]: number };

/**
 * Counts of one redirect process. Counting is a plain store into an array, because it is on the hot path; labels are added only
 * when metrics are collected.
 */
export class VisitFigures {
  readonly #ends = new Float64Array(ENDS.length);
  clicks = 0;
  /** Clicks dropped because the spool was full. */
  clicks_dropped = 0;
  /** Device reports dropped because the spool was full. */
  devices_dropped = 0;
  /** Failed look-ups in the store; the read-through answered instead. */
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
  readonly verdicts: () => CacheStats;
  readonly pendingVisits: () => number;
  readonly waitingForCards: () => number;
  readonly connections: () => number;
}

/** Registers the figures as metrics. */
export function registerVisitMetrics(registry: Registry, sources: FigureSources): void {
  const { figures } = sources;
  const requests = { name: 'link_host_requests_total', help: 'Requests to the link hosts by result', label: 'outcome' };
  collectCounter(registry, requests, (set) => {
    for (const [end, value] of figures.ends()) set(end, value);
  });
  const clicks = { name: 'link_host_clicks_total', help: 'Clicks stored in the spool, or dropped because it was full', label: 'result' };
  collectCounter(registry, clicks, (set) => {
    set('stored', figures.clicks);
    set('dropped', figures.clicks_dropped);
  });
  const devices = {
    name: 'link_host_device_reports_dropped_total',
    help: 'Device reports from pages, dropped because the spool was full',
  };
  collectCounter(registry, devices, (set) => set('', figures.devices_dropped));
  const failures = { name: 'link_host_store_failures_total', help: 'Failed reads of the local store' };
  collectCounter(registry, failures, (set) => set('', figures.store_failures));
  const verdicts = { name: 'link_host_verdicts_total', help: 'User agents found in the cache, or newly classified', label: 'result' };
  collectCounter(registry, verdicts, (set) => {
    const { hits, misses } = sources.verdicts();
    set('hit', hits);
    set('miss', misses);
  });
  collectGauge(registry, { name: 'link_host_verdicts', help: 'User agents in the verdict cache' }, () => sources.verdicts().entries);
  const pending = {
    name: 'link_host_pending_visits',
    help: 'Visitors who wait for PostgreSQL: for an unknown path, a protected link or a long link',
  };
  collectGauge(registry, pending, sources.pendingVisits);
  const cards = { name: 'link_host_waiting_previews', help: 'Preview bots that wait for a metadata API' };
  collectGauge(registry, cards, sources.waitingForCards);
  collectGauge(registry, { name: 'link_host_connections', help: 'Open connections' }, sources.connections);
}
