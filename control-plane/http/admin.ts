import type { Registry } from 'prom-client';
import { healthPage, type Page, type PageMaker, type PageServer, problemPage, startPageServer } from '../../shared/base/page-server.js';
import type { PartHealth } from '../../shared/base/part-health.js';

interface AdminPages {
  /** Every part of the process, with the reason of one that does not work. */
  readonly ready: () => Promise<readonly PartHealth[]>;
  /** The whole installation, as JSON. */
  readonly installation: () => Promise<{ readonly status: 'ok' | 'degraded' }>;
  readonly metrics: Registry;
}

/** Serves health and metrics on a separate port, which must not be public. Rejects if the server cannot listen on the port. */
export function startAdminServer({ ready, installation, metrics }: AdminPages, host: string, port: number): Promise<PageServer> {
  const paths = new Map<string, () => Promise<Page>>([
    // A response shows that the event loop is running, which is all that liveness means here.
    ['/health/live', async () => healthPage({ status: 'ok', parts: [{ part: 'event-loop', ok: true, reason: '' }] })],
    ['/health/ready', async () => readyPage(await ready())],
    ['/health/installation', async () => healthPage(await installation())],
    ['/metrics', async () => ({ status: 200, type: metrics.contentType, body: await metrics.metrics() })],
  ]);
  return startPageServer(new Map([...paths].map(([path, page]): [string, PageMaker] => [path, () => page().catch(failed)])), host, port);
}

/** An error in monitoring must not end the process. */
function failed(error: unknown): Page {
  return problemPage(500, String(error));
}

/** Parts without which the process cannot answer any request. */
const NEEDED: ReadonlySet<string> = new Set(['listener', 'database', 'schema']);

/**
 * Whether a load balancer should send requests here. A late job or an unreachable ClickHouse does not matter for that: usually every
 * control plane has the same problem, and each of them still answers requests that do not need that part.
 */
function readyPage(parts: readonly PartHealth[]): Page {
  const failed = parts.filter(({ ok }) => !ok);
  const status = failed.length === 0 ? 'ok' : failed.some(({ part }) => NEEDED.has(part)) ? 'failing' : 'degraded';
  return { ...healthPage({ status, parts }), status: status === 'failing' ? 503 : 200 };
}
