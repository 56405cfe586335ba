import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';

/** One part of the server and whether it does its work. */
export interface PartHealth {
  readonly part: string;
  readonly ok: boolean;
  /** Empty where it is well. */
  readonly reason: string;
}

export interface AdminPages {
  /** Whether the process should get requests: every part with its reason. */
  readonly ready: () => Promise<readonly PartHealth[]>;
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

/** Health and metrics on a port of their own, which is not the world's to see. Rejects where the port cannot be had. */
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
  if (path === '/metrics') return { status: 200, type: pages.metrics.contentType, body: await pages.metrics.metrics() };
  return { status: 404, type: 'text/plain; charset=utf-8', body: 'There are /health/live, /health/ready and /metrics.\n' };
}

function health(parts: readonly PartHealth[]): Page {
  const ok = parts.every((part) => part.ok);
  const body = `${JSON.stringify({ status: ok ? 'ok' : 'failing', parts }, null, 2)}\n`;
  return { status: ok ? 200 : 503, type: 'application/json; charset=utf-8', body };
}

async function stop(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}
