import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from './until.js';

/** One webhook delivery as it came over the wire. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Exactly the bytes that were sent. */
  readonly body: Buffer;
  readonly atMs: number;
}

export interface Receiver {
  readonly origin: string;
  readonly received: readonly Received[];
  /** Status of the answers from now on. */
  answerWith(status: number): void;
  /** The first delivery, received or yet to come, that fits. */
  first(fits: (received: Received) => boolean, what: string): Promise<Received>;
  stop(): Promise<void>;
}

/** An endpoint for webhooks on loopback that keeps what it gets. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks), atMs: Date.now() });
      response.writeHead(status).end('taken');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    received,
    answerWith(next) {
      status = next;
    },
    first: (fits, what) => until(() => received.find(fits), what),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
