import t, { type Test } from 'tap';
import { createQueuePool } from '../../../engine/webhooks/queue-pool.js';
import { readQueuedFrom, scanQueues } from '../../../engine/webhooks/queue-scan.js';
import { DELIVERY_LOG_DAYS } from '../../../shared/base/limits.js';
import { until } from '../../support/until.js';
import { WebhookQueue } from '../../support/webhook-queue.js';
import { startReceiver } from '../../support/webhook-receiver.js';

const DAY_MS = 86_400_000;
const NO_MARKS = { common: null, lower: new Map() };

async function queueOfDays(test: Test, daysAgo: readonly number[]): Promise<WebhookQueue> {
  const queue = await WebhookQueue.create(test);
  for (const table of ['events', 'webhook_deliveries'])
    for (const ago of [...daysAgo, 0])
      await queue.pool.query('SELECT ensure_day_partition($1, $2)', [table, new Date(Date.now() - ago * DAY_MS)]);
  return queue;
}

t.test('days of the log without anything queued are not searched', async (t) => {
  const queue = await queueOfDays(t, [DELIVERY_LOG_DAYS + 9, 20, 7]);
  const pool = createQueuePool(queue.url, () => {});
  t.teardown(() => pool.end());
  const { id } = await queue.addEndpoint('https://hooks.example.com/');
  const queuedDaysAgo = async () => {
    const from = await readQueuedFrom(pool);
    return from === '-infinity' ? from : Math.floor((Date.now() - Date.parse(from)) / DAY_MS);
  };
  const take = (ago: number) =>
    queue.pool.query("UPDATE webhook_deliveries SET status = 'succeeded', due_at = NULL WHERE created_at < $1", [
      new Date(Date.now() - (ago - 1) * DAY_MS),
    ]);
  t.equal(await queuedDaysAgo(), 1, 'a clock that is late by up to a day');
  await queue.emit(1, Date.now() - (DELIVERY_LOG_DAYS + 9) * DAY_MS);
  await queue.emit(1, Date.now() - 20 * DAY_MS);
  await queue.emit(1, Date.now() - 7 * DAY_MS);
  t.equal(await queuedDaysAgo(), '-infinity');
  await take(DELIVERY_LOG_DAYS + 9);
  t.equal(await queuedDaysAgo(), 21, 'a day begins a whole number of days ago');
  await take(20);
  t.equal(await queuedDaysAgo(), 8);
  const found = async (from: string | null) => (await scanQueues(pool, NO_MARKS, from)).queued.map(({ webhook_id }) => webhook_id);
  t.strictSame(await found(null), [id]);
  t.strictSame(await found(await readQueuedFrom(pool)), [id]);
  t.strictSame(await found(new Date(Date.now() - 2 * DAY_MS).toISOString()), []);
  await take(7);
  t.equal(await queuedDaysAgo(), 1);
});

t.test('a delivery whose machine has a clock that is late by days is found by a full scan', async (t) => {
  const queue = await queueOfDays(t, [9]);
  const receiver = await startReceiver(t, (response) => response.writeHead(200).end());
  await queue.subscribe(receiver, '/');
  const dispatcher = await queue.start(t, { outboundAllow: [receiver.origin], fullScanIntervalMs: 200 });
  await queue.emit();
  dispatcher.poke();
  await until(() => receiver.received.length === 1);
  // A full scan has found that nothing is queued in days before.
  await new Promise((resolve) => setTimeout(resolve, 500));
  const [event] = await queue.emit(1, Date.now() - 9 * DAY_MS);
  await queue.pool.query('UPDATE webhook_deliveries SET due_at = clock_timestamp() WHERE event_id = $1', [event?.id]);
  await until(() => receiver.received.length === 2);
});
