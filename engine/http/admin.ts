import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { HealthReport } from './health.js';

export interface AdminPages {
  live(): HealthReport;
  ready(): HealthReport;
  metrics(): string;
}

export interface AdminServer {
  readonly port: number;
  stop(): Promise<void>;
}

interface Page {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly allow?: string;
}

const JSON_TYPE = 'application/json; charset=utf-8';
/** https://prometheus.io/docs/instrumenting/exposition_formats/ */
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

function healthPage(report: HealthReport): Page {
  return { status: report.status === 'ok' ? 200 : 503, type: JSON_TYPE, body: `${JSON.stringify(report, null, 2)}\n` };
}

function problem(status: number, title: string): Page {
  return { status, type: 'application/problem+json', body: `${JSON.stringify({ type: 'about:blank', title, status })}\n` };
}

function pageOf(pages: AdminPages, method: string, path: string): Page {
  if (path !== '/health/live' && path !== '/health/ready' && path !== '/metrics')
    return problem(404, 'No such page; there are /health/live, /health/ready and /metrics');
  if (method !== 'GET' && method !== 'HEAD') return { ...problem(405, 'Only GET and HEAD'), allow: 'GET, HEAD' };
  if (path === '/metrics') return { status: 200, type: METRICS_TYPE, body: pages.metrics() };
  return healthPage(path === '/health/live' ? pages.live() : pages.ready());
}

function answer(pages: AdminPages, request: IncomingMessage, response: ServerResponse): void {
  const { method = 'GET', url = '/' } = request;
  const { status, type, body, allow } = pageOf(pages, method, url.split('?', 1)[0] as string);
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    // A body that was not asked for is not read: the connection ends with the answer.
    ...(method === 'GET' || method === 'HEAD' ? {} : { connection: 'close' }),
    ...(allow === undefined ? {} : { allow }),
  });
  response.end(method === 'HEAD' ? undefined : body);
}

/** Connections of probes and scrapers, of which a host has a handful. */
const CONNECTIONS_MAX = 100;

/** Health and metrics. Rejects where the port cannot be had; the error carries Node's `code`. */
export function startAdminServer(pages: AdminPages, host: string, port: number): Promise<AdminServer> {
  const server = createServer({ requestTimeout: 5_000, headersTimeout: 5_000, connectionsCheckingInterval: 1_000 }, (request, response) =>
    answer(pages, request, response),
  );
  server.maxConnections = CONNECTIONS_MAX;
  // A connection that cannot be accepted, for want of descriptors say, must not end the process that keeps all others.
  server.on('error', () => undefined);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve({ port: portOf(server), stop: () => stop(server) });
    });
  });
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
