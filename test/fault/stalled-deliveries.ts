import { createServer, type Socket } from 'node:net';
import type { Test } from 'tap';
import { type Delivery, deliver } from '../../engine/webhooks/deliver.js';
import { monotonicClock, systemClock } from '../../shared/base/clock.js';
import { OutboundClient } from '../../shared/net/bounded-request.js';
import { TLS_NAME } from '../support/tls.js';

async function listen(t: Test, serve: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as { port: number }).port;
}

function drip(socket: Socket, before: string, each: string): void {
  socket.once('data', () => {
    socket.write(before);
    const timer = setInterval(() => socket.write(each), 50);
    socket.on('close', () => clearInterval(timer));
  });
}

export function deliveryTo(url: string): Delivery {
  return {
    key: 0,
    delivery_id: 'whd_1',
    event_type: 'link.created',
    body: '{}',
    url,
    secrets: ['whsec_a'],
    lease_ends_at_ms: monotonicClock() + 30_000,
  };
}

/**
 * Five receivers, each of which stalls at a different step. `npm test` runs the short form, `npm run test:fault` the ten seconds
 * of the contract.
 */
export async function stalledDeliveries(t: Test, timeoutMs: number, endsMsMax: number): Promise<void> {
  const silent = await listen(t, () => {});
  const head = await listen(t, (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nx: ', 'y'));
  const body = await listen(t, (socket) => drip(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n', 'z'));
  const never = () => new Promise<never>(() => {});
  const cases = {
    'a name that is never answered': { url: 'https://hooks.example.com/', resolve: never, status: null },
    'a handshake that never ends': { url: `https://${TLS_NAME}:${silent}/`, resolve: async () => ['127.0.0.1'], status: null },
    'no head': { url: `http://127.0.0.1:${silent}/`, resolve: never, status: null },
    'a head that drips': { url: `http://127.0.0.1:${head}/`, resolve: never, status: null },
    'a body that drips': { url: `http://127.0.0.1:${body}/`, resolve: never, status: 200 },
  } as const;
  await Promise.all(
    Object.entries(cases).map(async ([name, { url, resolve, status }]) => {
      const allow = name.startsWith('a name') ? [] : [new URL(url).origin];
      const client = new OutboundClient({ allow, publicResolver: resolve, systemResolver: resolve });
      const beganAt = performance.now();
      const result = await deliver(deliveryTo(url), {
        request: (request) => client.request(request),
        clock: systemClock,
        monotonic: monotonicClock,
        serviceName: 'Service',
        timeoutMs,
      });
      const tookMs = Math.round(performance.now() - beganAt);
      t.match(result, { error: 'timeout', response_code: status }, name);
      t.ok(tookMs >= timeoutMs - 1 && tookMs <= endsMsMax, `${name}: ${tookMs} ms`);
      t.match(client.stats(), { connections: 0 }, `${name}: no connection stays open`);
      await client.close();
    }),
  );
}
