import t from 'tap';
import { until } from '../../support/until.js';
import { WebhookQueue } from '../../support/webhook-queue.js';
import { type Receiver, startReceiver } from '../../support/webhook-receiver.js';

const DYING = new URL('../../fixtures/dying-deliver.worker.js', import.meta.url);
const HANGING = new URL('../../fixtures/hanging-deliver.worker.js', import.meta.url);

/** One database for all cases. Each case begins with an empty queue. */
const queue = await WebhookQueue.create(t);
t.beforeEach(() => queue.clear());

/** Sets the number of earlier claims that came to nothing, without waiting for their leases. */
async function claimedBefore(deliveryId: string, claims: number): Promise<void> {
  await queue.pool.query('UPDATE webhook_deliveries SET claims = $2 WHERE id = $1', [deliveryId, claims]);
}

function eventsAt(receiver: Receiver, path: string): number {
  return new Set(receiver.received.filter((request) => request.path === path).map(({ event }) => event.id)).size;
}

async function allEnded(webhookId: string) {
  return until(
    async () => {
      const rows = await queue.deliveries(webhookId);
      return rows.length > 0 && rows.every(({ status }) => status !== 'pending') && rows;
    },
    'every attempt to end',
    60_000,
  );
}

t.test(
  'an attempt whose earlier claims had no outcome is sent alone: what ends its thread then has failed, and others are delivered',
  async (t) => {
    const receiver = await startReceiver(t, (response) => response.writeHead(200).end());
    const healthy = await queue.subscribe(receiver, '/');
    const deadly = await queue.subscribe(receiver, '/dies', { events: ['click.created'] });
    const test = await queue.queueSingle(deadly.id, 'test');
    await queue.emitClicks(1);
    await queue.emit(20);
    for (const { id } of await queue.deliveries(deadly.id)) await claimedBefore(id, 2);
    const [innocent] = await queue.deliveries(healthy.id);
    await claimedBefore(innocent?.id ?? '', 2);
    const dispatcher = await queue.start(t, { outboundAllow: [receiver.origin], webhookThreads: 2, threadModule: DYING });
    for (const { id, ...row } of await allEnded(deadly.id))
      t.match(row, { status: id === test ? 'failed' : 'retrying', error: 'sender_failed', response_code: null, claims: 3 });
    await until(() => eventsAt(receiver, '/') === 20, 'the others', 60_000);
    t.match(
      (await allEnded(healthy.id)).find(({ id }) => id === innocent?.id),
      { status: 'succeeded', claims: 3 },
      'this one was only sent together with the bad one',
    );
    t.ok(dispatcher.stats().thread_failures >= 2);
    t.equal((await queue.endpoint(deadly.id)).failing_since, null, 'the endpoint is not to blame');
  },
);

t.test('an attempt that ended the process each time is given up after some claims without being sent', async (t) => {
  const receiver = await startReceiver(t, (response) => response.writeHead(200).end());
  const endpoint = await queue.subscribe(receiver, '/');
  await queue.emit(1);
  const [row] = await queue.deliveries(endpoint.id);
  await claimedBefore(row?.id ?? '', 5);
  await queue.start(t, { outboundAllow: [receiver.origin] });
  t.match(await allEnded(endpoint.id), [{ status: 'retrying', error: 'sender_failed', claims: 6 }]);
  t.equal(receiver.received.length, 0);
});

t.test('a claim under which nothing was sent does not count', async (t) => {
  const receiver = await startReceiver(t, (response) => response.writeHead(200).end());
  const endpoint = await queue.subscribe(receiver, '/');
  await queue.emit(1);
  // The leases are shorter than an attempt, so that every claim comes too late. Three leases end during the wait below.
  await queue.start(t, { outboundAllow: [receiver.origin], attemptTimeoutMs: 20_000, leaseMs: 3000, fullScanIntervalMs: 100, pollMs: 50 });
  await new Promise((resolve) => setTimeout(resolve, 7000));
  const [row] = await queue.deliveries(endpoint.id);
  t.equal(row?.status, 'pending');
  t.ok((row?.claims ?? 9) < 3, `${row?.claims} claims`);
  t.equal(receiver.received.length, 0);
});

t.test('only a thread that stalls is replaced, and deliveries of other threads are sent once', async (t) => {
  const receiver = await startReceiver(t, (response) => void setTimeout(() => response.writeHead(200).end(), 700));
  const healthy = await queue.subscribe(receiver, '/');
  const stopping = await queue.subscribe(receiver, '/hangs', { events: ['click.created'] });
  const dispatcher = await queue.start(t, {
    outboundAllow: [receiver.origin],
    webhookThreads: 2,
    threadModule: HANGING,
    webhookRetryDelays: [1],
    attemptTimeoutMs: 4000,
    leaseMs: 9000,
    fullScanIntervalMs: 200,
    pollMs: 100,
  });
  const id = await queue.queueSingle(stopping.id, 'test');
  dispatcher.poke();
  await until(() => dispatcher.stats().in_flight === 1);
  // The delivery must not be claimed again when its lease ends: a second thread that stops would lose what it has under way.
  await queue.pool.query('DELETE FROM webhook_deliveries WHERE id = $1', [id]);
  let emitted = 0;
  while (dispatcher.stats().thread_failures === 0) {
    emitted += (await queue.emit(3)).length;
    dispatcher.poke();
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  await until(() => eventsAt(receiver, '/') === emitted, 'every event', 60_000);
  const sent = receiver.received.map(({ headers }) => headers['x-service-delivery']);
  t.equal(sent.length, new Set(sent).size, 'no delivery was under way on a healthy thread that was ended');
  t.equal((await queue.endpoint(healthy.id)).failing_since, null);
});
