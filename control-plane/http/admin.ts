import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import type { PartHealth } from '../../shared/base/part-health.js';

export interface AdminPages {
  /** Whether the process should get requests: every part with its reason. */
  readonly ready: () => Promise<readonly PartHealth[]>;
  /** The whole installation, as JSON. */
  readonly installation: () => Promise<{ readonly status: 'ok' | 'degraded' }>;
  readonly metrics: Registry;
}

export interface AdminServer {
  readonly port: number;
  stop(): Promise<void>;
}

interface Page {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** Health and metrics on a port of their own, which is not the world's to see. Rejects if the port cannot be had. */
export async function startAdminServer(pages: AdminPages, host: string, port: number): Promise<AdminServer> {
  const server = createServer({ requestTimeout: 5_000, headersTimeout: 5_000 }, (request, response) => {
    answer(pages, request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  // A connection that cannot be accepted, for want of descriptors say, must not end the process.
  server.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return { port: (server.address() as AddressInfo).port, stop: () => stop(server) };
}

async function answer(pages: AdminPages, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, type, body } = await pageOf(pages, (request.url ?? '/').split('?', 1)[0] as string);
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body), 'cache-control': 'no-store' });
  response.end(request.method === 'HEAD' ? undefined : body);
}

async function pageOf(pages: AdminPages, path: string): Promise<Page> {
  // Whoever gets this answer knows that the event loop turns, which is all that liveness says here.
  if (path === '/health/live') return health([{ part: 'event-loop', ok: true, reason: '' }]);
  if (path === '/health/ready') return health(await pages.ready());
  if (path === '/health/installation') {
    const installation = await pages.installation();
    return json(installation.status === 'ok', installation);
  }
  if (path === '/metrics') return { status: 200, type: pages.metrics.contentType, body: await pages.metrics.metrics() };
  return {
    status: 404,
    type: 'text/plain; charset=utf-8',
    body: 'There are /health/live, /health/ready, /health/installation and /metrics.\n',
  };
}

function health(parts: readonly PartHealth[]): Page {
  const ok = parts.every((part) => part.ok);
  return json(ok, { status: ok ? 'ok' : 'failing', parts });
}

/** A monitor need not read the body: what is not well is 503. */
function json(ok: boolean, body: unknown): Page {
  return { status: ok ? 200 : 503, type: 'application/json; charset=utf-8', body: `${JSON.stringify(body, null, 2)}\n` };
}

async function stop(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}
