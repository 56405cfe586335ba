import t from 'tap';
import { until } from '../../support/until.js';
import { WebhookQueue } from '../../support/webhook-queue.js';
import { startReceiver } from '../../support/webhook-receiver.js';

const SHIFT_MS = 31_000;
const EVENTS = 60;
/** Far above what a busy machine takes, far below what the clocks differ by. */
const LATE_MS = 25_000;

t.test('three hosts, one with a clock 31 s ahead and one 31 s behind, send every delivery once, and none later for it', async (t) => {
  const queue = await WebhookQueue.create(t);
  const emittedAt = new Map<string, number>();
  const delaysMs: number[] = [];
  const attempts = new Map<string, number>();
  const receiver = await startReceiver(t, (response, { event, path }) => {
    const attempt = (attempts.get(event.id) ?? 0) + 1;
    attempts.set(event.id, attempt);
    if (attempt === 1) delaysMs.push(performance.now() - (emittedAt.get(event.id) ?? 0));
    // Under way for long enough that the other host looks at the queue meanwhile.
    setTimeout(() => response.writeHead(path === '/fails' && attempt === 1 ? 500 : 200).end(), 500);
  });
  const endpoint = await queue.subscribe(receiver, '/');
  for (const clockShiftMs of [0, SHIFT_MS, -SHIFT_MS])
    await queue.startProcess(t, { outboundAllow: [receiver.origin], fullScanIntervalMs: 200, pollMs: 100 }, clockShiftMs);
  for (let sent = 0; sent < EVENTS; sent += 10) {
    const beganAt = performance.now();
    for (const { id } of await queue.emit(10)) emittedAt.set(id, beganAt);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  await until(async () => (await queue.deliveries(endpoint.id)).filter(({ status }) => status === 'succeeded').length === EVENTS);
  const ids = receiver.received.map(({ headers }) => headers['x-service-delivery']);
  t.equal(ids.length, new Set(ids).size, 'none is doubled');
  t.equal(ids.length, EVENTS);
  t.ok(Math.max(...delaysMs) < LATE_MS, `the latest after ${Math.round(Math.max(...delaysMs))} ms`);
  t.comment(`${EVENTS} deliveries, the latest ${Math.round(Math.max(...delaysMs))} ms after its commit`);

  // The wait before a next attempt is as long whichever host sent the first and whichever sends the second.
  await queue.pool.query('DELETE FROM webhook_endpoints WHERE id = $1', [endpoint.id]);
  const failing = await queue.subscribe(receiver, '/fails');
  const beganAt = performance.now();
  await queue.emit(20);
  await until(async () => (await queue.deliveries(failing.id)).filter(({ status }) => status === 'succeeded').length === 20);
  t.ok(performance.now() - beganAt < LATE_MS, `second attempts are over after ${Math.round(performance.now() - beganAt)} ms`);
  t.same((await queue.deliveries(failing.id)).map(({ attempt, status }) => `${attempt} ${status}`).toSorted(), [
    ...Array(20).fill('1 retrying'),
    ...Array(20).fill('2 succeeded'),
  ]);
});
