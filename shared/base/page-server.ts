import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The response of a page on an admin port. */
export interface Page {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  /** In seconds. */
  readonly retry_after?: string;
}

/** `query` is the part after `?`. A page that throws is our own fault: the rejection is not caught, and ends the process. */
export type PageMaker = (query: string) => Page | Promise<Page>;

export interface PageServer {
  readonly port: number;
  stop(): Promise<void>;
}

/** A monitor does not need to read the body: a status other than `ok` is 503. */
export function healthPage<Report extends { readonly status: string }>(report: Report): Page {
  const body = `${JSON.stringify(report, null, 2)}\n`;
  return { status: report.status === 'ok' ? 200 : 503, type: 'application/json; charset=utf-8', body };
}

export function problemPage(status: number, title: string): Page {
  return { status, type: 'application/problem+json', body: `${JSON.stringify({ type: 'about:blank', title, status })}\n` };
}

function pageOf(pages: ReadonlyMap<string, PageMaker>, url: string, mayRead: boolean): Page | Promise<Page> {
  const mark = url.indexOf('?');
  const page = pages.get(mark === -1 ? url : url.slice(0, mark));
  if (page === undefined) return problemPage(404, `There is no such page. Pages: ${[...pages.keys()].join(', ')}`);
  return mayRead ? page(mark === -1 ? '' : url.slice(mark + 1)) : problemPage(405, 'Only GET and HEAD are supported');
}

async function answer(pages: ReadonlyMap<string, PageMaker>, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url = '/' } = request;
  const mayRead = method === 'GET' || method === 'HEAD';
  const { status, type, body, retry_after } = await pageOf(pages, url, mayRead);
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    // A body that was not asked for is not read, so the connection ends with the answer.
    ...(mayRead ? {} : { connection: 'close' }),
    ...(status === 405 ? { allow: 'GET, HEAD' } : {}),
    ...(retry_after === undefined ? {} : { 'retry-after': retry_after }),
  });
  response.end(method === 'HEAD' ? undefined : body);
}

/** Connections of probes and scrapers. A host has a handful of them. */
const CONNECTIONS_MAX = 100;

/** Serves each page at its path, on a port that is not public. Rejects if the port is not available; the error carries Node's `code`. */
export async function startPageServer(pages: ReadonlyMap<string, PageMaker>, host: string, port: number): Promise<PageServer> {
  const server = createServer({ requestTimeout: 5_000, headersTimeout: 5_000, connectionsCheckingInterval: 1_000 }, (request, response) => {
    void answer(pages, request, response);
  });
  server.maxConnections = CONNECTIONS_MAX;
  // A connection that cannot be accepted, for example for lack of descriptors, must not end the process that keeps all others.
  server.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
