import type { Registry } from 'prom-client';
import { healthPage, type Page, type PageMaker, type PageServer, problemPage, startPageServer } from '../../shared/base/page-server.js';
import type { PartHealth } from '../../shared/base/part-health.js';

interface AdminPages {
  /** Whether the process should get requests: every part with its reason. */
  readonly ready: () => Promise<readonly PartHealth[]>;
  /** The whole installation, as JSON. */
  readonly installation: () => Promise<{ readonly status: 'ok' | 'degraded' }>;
  readonly metrics: Registry;
}

/** Health and metrics on a port of their own, which is not the world's to see. Rejects if the port cannot be had. */
export function startAdminServer({ ready, installation, metrics }: AdminPages, host: string, port: number): Promise<PageServer> {
  const paths = new Map<string, () => Promise<Page>>([
    // This answer shows that the event loop turns, which is all that liveness says here.
    ['/health/live', async () => health([{ part: 'event-loop', ok: true, reason: '' }])],
    ['/health/ready', async () => health(await ready())],
    ['/health/installation', async () => healthPage(await installation())],
    ['/metrics', async () => ({ status: 200, type: metrics.contentType, body: await metrics.metrics() })],
  ]);
  return startPageServer(new Map([...paths].map(([path, page]): [string, PageMaker] => [path, () => page().catch(failed)])), host, port);
}

/** Monitoring must not end what it watches. */
function failed(error: unknown): Page {
  return problemPage(500, String(error));
}

function health(parts: readonly PartHealth[]): Page {
  return healthPage({ status: parts.every((part) => part.ok) ? 'ok' : 'failing', parts });
}
