import { healthPage, type Page, type PageMaker, type PageServer, problemPage, startPageServer } from '../../shared/base/page-server.js';
import { asciiHostName } from '../../shared/net/host-name.js';
import { normaliseHost } from '../../shared/resolve/hosts.js';
import type { HealthReport } from '../processes/health.js';
import type { HostAnswer } from '../processes/messages.js';

export interface AdminPages {
  live(): HealthReport;
  ready(): HealthReport;
  metrics(): string;
  /** `host` is in lower case and ASCII, without a trailing dot. */
  knowsHost(host: string): Promise<HostAnswer>;
}

/** https://prometheus.io/docs/instrumenting/exposition_formats/ */
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Answers a TLS front end that asks before it obtains a certificate for a name (Caddy's `on_demand_tls { ask }`, which adds
 * `?domain=`): 200 for a host that is served here. 503 means that no process can tell, for a front end that tries again; it allows
 * no certificate either.
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

/** Serves health, metrics, and the questions of a TLS front end. Rejects if the port is unavailable; the error has Node's `code`. */
export function startAdminServer(pages: AdminPages, host: string, port: number): Promise<PageServer> {
  const paths = new Map<string, PageMaker>([
    ['/health/live', () => healthPage(pages.live())],
    ['/health/ready', () => healthPage(pages.ready())],
    ['/metrics', () => ({ status: 200, type: METRICS_TYPE, body: pages.metrics() })],
    ['/internal/tls-allowed', (query) => tlsAllowedPage(pages, query)],
  ]);
  return startPageServer(paths, host, port);
}
