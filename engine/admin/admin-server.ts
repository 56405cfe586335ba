import { healthPage, type Page, type PageMaker, type PageServer, problemPage, startPageServer } from '../../shared/base/page-server.js';
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

/** https://prometheus.io/docs/instrumenting/exposition_formats/ */
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * What a TLS front end asks before it gets a certificate for a name (Caddy's `on_demand_tls { ask }`, which adds
 * `?domain=`): 200 for a host that is served here. 503 is "nobody can say", for a front end that tries again; it gives no
 * certificate either.
 */
async function tlsAllowedPage(pages: AdminPages, query: string): Promise<Page> {
  const domains = new URLSearchParams(query).getAll('domain');
  if (domains.length !== 1 || domains[0] === '') return problemPage(400, 'Exactly one parameter "domain" is required');
  const host = normaliseHost(asciiHostName((domains[0] as string).replace(/:\d{1,5}$/, '')));
  const answer = host === '' ? 'unknown' : await pages.knowsHost(host);
  if (answer === 'unknown') return problemPage(404, 'No such host is served here');
  if (answer === 'uncertain') return { ...problemPage(503, 'No process can tell whether the host is served here'), retry_after: '1' };
  return { status: 200, type: 'text/plain; charset=utf-8', body: `${host}\n` };
}

/** Health, metrics, and what a TLS front end asks. Rejects if the port cannot be had; the error carries Node's `code`. */
export function startAdminServer(pages: AdminPages, host: string, port: number): Promise<PageServer> {
  const paths = new Map<string, PageMaker>([
    ['/health/live', () => healthPage(pages.live())],
    ['/health/ready', () => healthPage(pages.ready())],
    ['/metrics', () => ({ status: 200, type: METRICS_TYPE, body: pages.metrics() })],
    ['/internal/tls-allowed', (query) => tlsAllowedPage(pages, query)],
  ]);
  return startPageServer(paths, host, port);
}
