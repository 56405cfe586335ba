import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { asciiHostName } from '../../shared/net/host-name.js';
import { normaliseHost } from '../../shared/resolve/hosts.js';
import type { HealthReport } from '../processes/health.js';
import type { HostAnswer } from '../processes/messages.js';

export interface AdminPages {
  live(): HealthReport;
  ready(): HealthReport;
  metrics(): string;
  /** `host` in lower case, in ASCII, without a dot at its end. */
  knowsHost(host: string): Promise<HostAnswer>;
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
  /** Seconds. */
  readonly retry_after?: string;
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

type PageMaker = (pages: AdminPages, query: string) => Page | Promise<Page>;

/** Every page by its path; what stands behind `?` is its own. */
const PAGES: ReadonlyMap<string, PageMaker> = new Map<string, PageMaker>([
  ['/health/live', (pages) => healthPage(pages.live())],
  ['/health/ready', (pages) => healthPage(pages.ready())],
  ['/metrics', (pages) => ({ status: 200, type: METRICS_TYPE, body: pages.metrics() })],
  ['/internal/tls-allowed', tlsAllowedPage],
]);

/**
 * What a TLS front end asks before it gets a certificate for a name (Caddy's `on_demand_tls { ask }`, which adds
 * `?domain=`): 200 for a host that is served here. 503 is "nobody can say", for a front end that tries again; it gives no
 * certificate either.
 */
async function tlsAllowedPage(pages: AdminPages, query: string): Promise<Page> {
  const domains = new URLSearchParams(query).getAll('domain');
  if (domains.length !== 1 || domains[0] === '') return problem(400, 'One parameter "domain" is needed');
  const host = normaliseHost(asciiHostName((domains[0] as string).replace(/:\d{1,5}$/, '')));
  const answer = host === '' ? 'unknown' : await pages.knowsHost(host);
  if (answer === 'unknown') return problem(404, 'No such host is served here');
  if (answer === 'uncertain') return { ...problem(503, 'No process can say whether the host is served here'), retry_after: '1' };
  return { status: 200, type: 'text/plain; charset=utf-8', body: `${host}\n` };
}

function pageOf(pages: AdminPages, { method, url = '/' }: IncomingMessage): Page | Promise<Page> {
  const mark = url.indexOf('?');
  const page = PAGES.get(mark === -1 ? url : url.slice(0, mark));
  if (page === undefined) return problem(404, `No such page; there are ${[...PAGES.keys()].join(', ')}`);
  if (method !== 'GET' && method !== 'HEAD') return { ...problem(405, 'Only GET and HEAD'), allow: 'GET, HEAD' };
  return page(pages, mark === -1 ? '' : url.slice(mark + 1));
}

async function answer(pages: AdminPages, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, type, body, allow, retry_after } = await pageOf(pages, request);
  const { method } = request;
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    // A body that was not asked for is not read: the connection ends with the answer.
    ...(method === 'GET' || method === 'HEAD' ? {} : { connection: 'close' }),
    ...(allow === undefined ? {} : { allow }),
    ...(retry_after === undefined ? {} : { 'retry-after': retry_after }),
  });
  response.end(method === 'HEAD' ? undefined : body);
}

/** Connections of probes and scrapers, of which a host has a handful. */
const CONNECTIONS_MAX = 100;

/** Health, metrics, and what a TLS front end asks. Rejects if the port cannot be had; the error carries Node's `code`. */
export function startAdminServer(pages: AdminPages, host: string, port: number): Promise<AdminServer> {
  const server = createServer({ requestTimeout: 5_000, headersTimeout: 5_000, connectionsCheckingInterval: 1_000 }, (request, response) => {
    // A page that throws is our own fault: the rejection is not caught, and ends the process as any other does.
    void answer(pages, request, response);
  });
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
