import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { collectProcessMetrics } from '../../shared/base/process-metrics.js';

/** Metrics of the API, for `/metrics`. */
export interface ApiMetrics {
  readonly registry: Registry;
  observe(operation: string, status: number, seconds: number): void;
  observeClickStreams(open: number): void;
}

export function createApiMetrics(): ApiMetrics {
  const registry = new Registry();
  collectProcessMetrics(registry);
  const requests = new Counter({
    name: 'api_requests_total',
    help: 'Requests by operation and status',
    labelNames: ['operation', 'status'],
    registers: [registry],
  });
  const duration = new Histogram({
    name: 'api_request_duration_seconds',
    help: 'Time from request to response by operation; for a stream, to its beginning',
    labelNames: ['operation'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const clickStreams = new Gauge({ name: 'api_click_streams_open', help: 'Streams of clicks that are open', registers: [registry] });
  return {
    registry,
    observeClickStreams: (open) => clickStreams.set(open),
    observe(operation, status, seconds) {
      requests.inc({ operation, status });
      duration.observe({ operation }, seconds);
    },
  };
}
