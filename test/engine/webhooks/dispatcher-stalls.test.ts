import t from 'tap';
import { until, WebhookQueue } from '../../support/webhook-queue.js';
import { startReceiver } from '../../support/webhook-receiver.js';

t.test('endpoints that hang, drip or refuse hold up no other, and are given up after ten seconds', async (t) => {
  const queue = await WebhookQueue.create(t);
  const good = await startReceiver(t, (response) => response.writeHead(200).end());
  const bad = await startReceiver(t, (response, { path }) => {
    if (path !== '/drip') return;
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), 100);
    response.on('close', () => clearInterval(timer));
  });
  for (let index = 0; index < 8; index++) await queue.addEndpoint(`${good.origin}/${index}`);
  const stalling: string[] = [];
  for (const path of ['/hang', '/drip']) stalling.push((await queue.addEndpoint(bad.origin + path)).id);
  await queue.addEndpoint('http://127.0.0.1:1/');
  const dispatcher = await queue.start(t, { outboundAllow: [good.origin, bad.origin, 'http://127.0.0.1:1'], attemptTimeoutMs: 10_000 });
  await queue.emit(50);
  dispatcher.poke();
  await until(() => good.received.length === 8 * 50);
  const waiting = await Promise.all(stalling.map((id) => queue.deliveries(id)));
  t.ok(
    waiting.flat().every(({ status }) => status === 'pending'),
    'all others have theirs before the first of the bad is given up',
  );
  for (const id of stalling) {
    const row = await until(async () => (await queue.deliveries(id)).find(({ status }) => status === 'retrying'), 30_000);
    t.match(row, { error: 'timeout' });
    // 10.5 s on a machine of its own. Without the deadline neither of the two would ever end.
    t.ok((row.latency_ms ?? 0) >= 10_000 && (row.latency_ms ?? 0) <= 13_000, `${row.latency_ms} ms`);
  }
});
