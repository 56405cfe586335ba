import t, { type Test } from 'tap';
import { Janitor } from '../../../engine/webhooks/janitor.js';
import { autoDisableEndpoints } from '../../../engine/webhooks/janitor-sql.js';
import { createQueuePool } from '../../../engine/webhooks/queue-pool.js';
import { recordStreaks } from '../../../engine/webhooks/sql.js';
import { createLogger } from '../../../shared/base/log.js';
import { DatabaseClock } from '../../support/database-clock.js';
import { until } from '../../support/until.js';
import { WebhookQueue } from '../../support/webhook-queue.js';
import { startReceiver } from '../../support/webhook-receiver.js';

/**
 * Dropping the database ends connections that a pool is still closing. A connection that is lost during a test makes its
 * statement fail.
 */
const ignoreLost = () => {};

const HOUR_MS = 60 * 60 * 1000;

function janitorOf(t: Test): Janitor {
  const pool = createQueuePool(queue.url, ignoreLost);
  const janitor = new Janitor({
    pool,
    log: createLogger('test', 'silent'),
    onFailure: (error) => t.fail(String(error)),
    intervalMs: 20,
  });
  t.teardown(async () => {
    await janitor.stop();
    await pool.end();
  });
  return janitor;
}

/** One database for all cases. Each case begins with an empty queue. */
const queue = await WebhookQueue.create(t);
const clock = await DatabaseClock.of(queue.pool);
t.beforeEach(async () => {
  await queue.clear();
  await clock.release();
});

// Must be the first case: no row has been deleted yet, because deletions would show in the planner's statistics.
t.test('the log of a deleted endpoint is deleted, however long it is, and no other rows are', async (t) => {
  const deleted = await queue.addEndpoint('https://a.example.com/');
  const kept = await queue.addEndpoint('https://b.example.com/');
  await queue.emit(4500);
  await queue.pool.query(
    "UPDATE webhook_deliveries SET status = 'succeeded', due_at = NULL WHERE webhook_id = $1 AND id > (SELECT id FROM webhook_deliveries ORDER BY id OFFSET 100 LIMIT 1)",
    [deleted.id],
  );
  await queue.pool.query('DELETE FROM webhook_endpoints WHERE id = $1', [deleted.id]);
  const janitor = janitorOf(t);
  janitor.start();
  await until(async () => (await queue.deliveries(deleted.id)).length === 0);
  t.equal((await queue.deliveries(kept.id)).length, 4500, 'the log of the other endpoints is complete');
  await until(() => janitor.stats().dropped === 4500);
});

t.test('an endpoint that failed for 72 hours is disabled by the timer, to the second, even if nothing was sent meanwhile', async (t) => {
  await clock.hold();
  const failing = await queue.addEndpoint('https://a.example.com/');
  const quiet = await queue.addEndpoint('https://b.example.com/');
  const recent = await queue.addEndpoint('https://c.example.com/');
  const since = (id: string, ms: number) =>
    queue.pool.query('UPDATE webhook_endpoints SET failing_since = $2 WHERE id = $1', [id, new Date(ms)]);
  await since(failing.id, clock.now());
  await since(recent.id, clock.now() + 1000);
  await queue.emit(3, clock.now());
  const janitor = janitorOf(t);
  await clock.advance(72 * HOUR_MS - 1000);
  janitor.start();
  await new Promise((resolve) => setTimeout(resolve, 150));
  t.match(await queue.endpoint(failing.id), { status: 'active' });
  await clock.advance(1000);
  await until(async () => (await queue.endpoint(failing.id)).status === 'auto_disabled');
  t.match(await queue.endpoint(failing.id), { disabled_at: new Date(clock.now()), disabled_reason: 'no successful delivery for 3 days' });
  await until(async () => (await queue.deliveries(failing.id)).every(({ status }) => status === 'abandoned'));
  t.match(await queue.deliveries(failing.id), Array(3).fill({ status: 'abandoned', due_at: null, next_attempt_at: null }));
  t.match(await queue.endpoint(quiet.id), { status: 'active' }, 'an endpoint without a streak is never disabled');
  t.match(await queue.endpoint(recent.id), { status: 'active' });
  t.match(await queue.deliveries(quiet.id), Array(3).fill({ status: 'pending' }));
  // The count grows only after the rows have been committed.
  await until(() => janitor.stats().abandoned > 0);
  t.match(janitor.stats(), { autoDisabled: 1, abandoned: 3 });
  const epochs = async () =>
    (await queue.pool.query('SELECT queue_epoch, swept_epoch FROM webhook_endpoints ORDER BY queue_epoch')).rows.map(Object.values);
  await until(async () => (await epochs()).at(-1)?.[1] === 1);
  t.same(
    await epochs(),
    [
      [0, 0],
      [0, 0],
      [1, 1],
    ],
    'the queue begins a new epoch, and nothing of the earlier one is left',
  );
});

t.test('dispatchers lock the endpoints whose streaks they record in one order, and so do not deadlock', async (t) => {
  const made = [await queue.addEndpoint('https://a.example.com/'), await queue.addEndpoint('https://b.example.com/')];
  const [low, high] = made.map(({ id }) => id).toSorted() as [string, string];
  // The higher id comes first in the table too, because the update has moved the lower one to the end.
  await queue.pool.query('UPDATE webhook_endpoints SET url = url WHERE id = $1', [low]);
  const [one, other] = [await queue.pool.connect(), await queue.pool.connect()];
  t.teardown(() => {
    one.release(true);
    other.release(true);
  });
  const { rows } = await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  await one.query('BEGIN');
  await one.query('SELECT FROM webhook_endpoints WHERE id = $1 FOR UPDATE', [low]);
  const failed = (webhook_id: string) => ({ webhook_id, succeeded: false, failed_ms_ago: 0 });
  const recorded = recordStreaks(other, [failed(high), failed(low)]);
  await until(async () => (await queue.pool.query('SELECT FROM pg_locks WHERE pid = $1 AND NOT granted', [rows[0]?.pid])).rowCount === 1);
  await t.resolves(
    one.query('SELECT FROM webhook_endpoints WHERE id = $1 FOR UPDATE NOWAIT', [high]),
    'it holds no lock on the other endpoint while it waits',
  );
  await one.query('COMMIT');
  await recorded;
  for (const id of [low, high]) t.ok((await queue.endpoint(id)).failing_since);
});

t.test('a locked endpoint is disabled the next time, and does not delay others', async (t) => {
  const locked = await queue.addEndpoint('https://a.example.com/');
  const free = await queue.addEndpoint('https://b.example.com/');
  await queue.pool.query("UPDATE webhook_endpoints SET failing_since = now() - interval '73 hours'");
  const client = await queue.pool.connect();
  t.teardown(() => client.release(true));
  await client.query('BEGIN');
  await client.query('SELECT FROM webhook_endpoints WHERE id = $1 FOR UPDATE', [locked.id]);
  const pool = createQueuePool(queue.url, ignoreLost);
  t.teardown(() => pool.end());
  t.same(await autoDisableEndpoints(pool, 72), [free.id]);
  await client.query('COMMIT');
  t.same(await autoDisableEndpoints(pool, 72), [locked.id]);
});

t.test('the queue of a disabled endpoint is abandoned, except for deliveries under way and those requested by hand', async (t) => {
  await clock.hold();
  const endpoint = await queue.addEndpoint('https://a.example.com/');
  await queue.emit(4, clock.now());
  const rows = await queue.deliveries(endpoint.id);
  const set = (index: number, sql: string, values: unknown[] = []) =>
    queue.pool.query(`UPDATE webhook_deliveries SET ${sql} WHERE id = $1`, [rows[index]?.id, ...values]);
  await set(0, "status = 'retrying', next_attempt_at = $2, due_at = $2", [new Date(clock.now() + HOUR_MS)]);
  await set(1, 'claim_id = gen_random_uuid(), leased_until = $2', [new Date(clock.now() + 10_000)]);
  await set(2, 'claim_id = gen_random_uuid(), leased_until = $2', [new Date(clock.now() - 1)]);
  const test = await queue.queueSingle(endpoint.id, 'test', clock.now());
  await queue.pool.query("UPDATE webhook_endpoints SET status = 'disabled' WHERE id = $1", [endpoint.id]);
  const janitor = janitorOf(t);
  janitor.start();
  janitor.sweep([endpoint.id]);
  await until(() => janitor.stats().abandoned === 3);
  const after = new Map((await queue.deliveries(endpoint.id)).map((row) => [row.id, row]));
  t.match(after.get(rows[0]?.id ?? ''), { status: 'abandoned', due_at: null, next_attempt_at: null });
  t.match(
    after.get(rows[1]?.id ?? ''),
    { status: 'pending', leased_until: new Date(clock.now() + 10_000) },
    'its worker reports the outcome',
  );
  t.match(after.get(rows[2]?.id ?? ''), { status: 'abandoned', claim_id: null, leased_until: null }, 'its worker is gone');
  t.match(after.get(rows[3]?.id ?? ''), { status: 'abandoned' });
  t.match(after.get(test), { status: 'pending' });
});

t.test(
  'clicks that have waited a day without an attempt are abandoned and counted; attempted clicks and all other events are kept',
  async (t) => {
    await clock.hold();
    const endpoint = await queue.addEndpoint('https://a.example.com/', { events: ['click.created', 'link.created'] });
    await queue.emit(2, clock.now());
    await queue.emitClicks(5, clock.now());
    const clicks = (await queue.deliveries(endpoint.id)).filter(({ event_type }) => event_type === 'click.created');
    const set = (index: number, sql: string, values: unknown[] = []) =>
      queue.pool.query(`UPDATE webhook_deliveries SET ${sql} WHERE id = $1`, [clicks[index]?.id, ...values]);
    await set(0, "status = 'retrying'");
    await set(1, 'attempt = 2');
    await set(2, 'claim_id = gen_random_uuid(), leased_until = $2', [new Date(clock.now() + 48 * HOUR_MS)]);
    const janitor = janitorOf(t);
    await clock.advance(24 * HOUR_MS);
    janitor.start();
    await new Promise((resolve) => setTimeout(resolve, 100));
    t.equal(janitor.stats().expired, 0, 'to the second');
    await clock.advance(1);
    await until(() => janitor.stats().expired === 2);
    const after = (await queue.deliveries(endpoint.id)).filter(({ due_at }) => due_at === null);
    t.same(after.map(({ id }) => id).toSorted(), [clicks[3]?.id, clicks[4]?.id].toSorted());
    for (const row of after) t.match(row, { status: 'abandoned', error: 'expired', response_code: null });
    t.same(await queue.backlog(endpoint.id), { queued: 3, dropped: 2, dropped_at: new Date(clock.now()) });
  },
);

t.test('the backlog of clicks counts what is queued, and shrinks exactly by what is finished', async (t) => {
  let status = 200;
  const receiver = await startReceiver(t, (response) => response.writeHead(status).end());
  const endpoint = await queue.subscribe(receiver, '/', { events: ['click.created', 'link.created'] });
  const dispatcher = await queue.start(t, {
    outboundAllow: [receiver.origin],
    webhookRetryDelays: [3600],
    janitorIntervalMs: 50,
    pollMs: 50,
  });
  await queue.emit(2);
  await queue.emitClicks(3);
  await queue.queueSingle(endpoint.id, 'test');
  dispatcher.poke();
  await until(async () => (await queue.deliveries(endpoint.id)).every((row) => row.status === 'succeeded'));
  t.match(await queue.backlog(endpoint.id), { queued: 0, dropped: 0, dropped_at: null });
  status = 500;
  await queue.emitClicks(4);
  dispatcher.poke();
  await until(async () => (await queue.deliveries(endpoint.id)).filter((row) => row.status === 'retrying').length === 4);
  t.match(await queue.backlog(endpoint.id), { queued: 4 }, 'a delivery that will be retried is not finished');
  await queue.pool.query("UPDATE webhook_endpoints SET status = 'disabled' WHERE id = $1", [endpoint.id]);
  await until(async () => (await queue.backlog(endpoint.id))?.queued === 0);
  t.match(
    (await queue.deliveries(endpoint.id))
      .map((row) => row.status)
      .toSorted()
      .slice(0, 4),
    Array(4).fill('abandoned'),
  );
  await queue.pool.query('UPDATE webhook_backlogs SET queued = 100000');
  await until(async () => (await queue.backlog(endpoint.id))?.queued === 0);
  t.pass('a count without queued clicks is set to zero');
  await queue.pool.query('DELETE FROM webhook_endpoints WHERE id = $1', [endpoint.id]);
  await until(async () => (await queue.backlog(endpoint.id)) === undefined);
});

t.test('a running dispatcher abandons the queue of an endpoint that is disabled and deletes that of a deleted one', async (t) => {
  const receiver = await startReceiver(t, (response) => response.writeHead(500).end());
  const disabled = await queue.subscribe(receiver, '/a');
  const deleted = await queue.subscribe(receiver, '/b');
  const dispatcher = await queue.start(t, {
    outboundAllow: [receiver.origin],
    webhookRetryDelays: [3600],
    janitorIntervalMs: 50,
    pollMs: 50,
  });
  await queue.emit(2);
  dispatcher.poke();
  await until(async () => (await queue.deliveries(disabled.id)).every(({ status }) => status === 'retrying'));
  await queue.pool.query("UPDATE webhook_endpoints SET status = 'disabled' WHERE id = $1", [disabled.id]);
  await queue.pool.query('DELETE FROM webhook_endpoints WHERE id = $1', [deleted.id]);
  await until(async () => (await queue.deliveries(disabled.id)).every(({ status }) => status === 'abandoned'));
  await until(async () => (await queue.deliveries(deleted.id)).length === 0);
  t.equal(receiver.received.length, 4);
});
