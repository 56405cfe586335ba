import { createServer, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import { CAP_FIRST } from '../../../engine/webhooks/endpoint-slots.js';
import { until } from '../../support/until.js';
import { WebhookQueue } from '../../support/webhook-queue.js';
import { startReceiver } from '../../support/webhook-receiver.js';

/** An endpoint that swallows what it is sent, each connection in the given way. */
async function blackHole(t: Test, swallow: (socket: Socket) => void): Promise<{ readonly origin: string; close(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    swallow(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  t.teardown(close);
  return { origin: `http://127.0.0.1:${(server.address() as { port: number }).port}`, close };
}

const WAYS: Readonly<Record<string, (socket: Socket) => void>> = {
  'takes nothing off the connection': (socket) => socket.pause(),
  'sends no head': (socket) => socket.resume(),
  'sends a body without end': (socket) => {
    socket.resume();
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
    const timer = setInterval(() => socket.write('1\r\n.\r\n'), 50);
    socket.on('close', () => clearInterval(timer));
  },
};

const HEALTHY = 19;
const EVENTS = 40;
/** The real limit: on a busy machine the others need seconds, and would need this long if one of these held them up. */
const ATTEMPT_MS = 10_000;

t.test('endpoints that swallow what they are sent, each in its own way, hold up none of nineteen others', async (t) => {
  const queue = await WebhookQueue.create(t);
  const good = await startReceiver(t, (response) => response.writeHead(200).end());
  const bad = await Promise.all(Object.values(WAYS).map((swallow) => blackHole(t, swallow)));
  for (let index = 0; index < HEALTHY; index++) await queue.subscribe(good, `/${index}`);
  const stalled = await Promise.all(bad.map(({ origin }) => queue.addEndpoint(origin)));
  const dispatcher = await queue.start(t, {
    outboundAllow: [good.origin, ...bad.map(({ origin }) => origin)],
    attemptTimeoutMs: ATTEMPT_MS,
  });
  await until(() => dispatcher.health().ok);
  await queue.emit(EVENTS);
  const emittedAt = Date.now();
  dispatcher.poke();
  await until(() => good.received.length === HEALTHY * EVENTS);
  const waits = good.received.map(({ atMs }) => atMs - emittedAt).sort((a, b) => a - b);
  t.comment(`${waits.length} deliveries to the others, 99 % of them within ${waits[Math.floor(waits.length * 0.99)]} ms`);
  const held = await Promise.all(stalled.map(({ id }) => queue.deliveries(id)));
  for (const rows of held) {
    t.ok(
      rows.every(({ status }) => status === 'pending'),
      'all others have theirs before the first attempt at a bad one is given up',
    );
    t.ok(rows.filter(({ claim_id }) => claim_id !== null).length <= CAP_FIRST, 'which holds no more slots than a new endpoint has');
  }
  for (const { close } of bad) close();
  for (const { id } of stalled)
    t.match(await until(async () => (await queue.deliveries(id)).find(({ status }) => status === 'retrying')), {
      error: 'connection_lost',
    });
});
