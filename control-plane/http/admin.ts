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

/** Health and metrics on a port of their own, which is not the world's to see. Rejects if the port cannot be had. */
export function startAdminServer({ ready, installation, metrics }: AdminPages, host: string, port: number): Promise<PageServer> {
  const paths = new Map<string, () => Promise<Page>>([
    // This answer shows that the event loop turns, which is all that liveness says here.
    ['/health/live', async () => healthPage({ status: 'ok', parts: [{ part: 'event-loop', ok: true, reason: '' }] })],
    ['/health/ready', async () => readyPage(await ready())],
    ['/health/installation', async () => healthPage(await installation())],
    ['/metrics', async () => ({ status: 200, type: metrics.contentType, body: await metrics.metrics() })],
  ]);
  return startPageServer(new Map([...paths].map(([path, page]): [string, PageMaker] => [path, () => page().catch(failed)])), host, port);
}

/** Monitoring must not end what it watches. */
function failed(error: unknown): Page {
  return problemPage(500, String(error));
}

/** Parts without which no request can be answered. */
const NEEDED: ReadonlySet<string> = new Set(['listener', 'database', 'schema']);

/**
 * Whether a load balancer should send requests here. A late job or an unreachable ClickHouse is none of its business: mostly every control
 * plane has the same trouble, and each of them still answers what does not need that part.
 */
function readyPage(parts: readonly PartHealth[]): Page {
  const failed = parts.filter(({ ok }) => !ok);
  const status = failed.length === 0 ? 'ok' : failed.some(({ part }) => NEEDED.has(part)) ? 'failing' : 'degraded';
  return { ...healthPage({ status, parts }), status: status === 'failing' ? 503 : 200 };
}
