import type { ServerResponse } from 'node:http';
import t from 'tap';
import { parseUrl } from '../../../shared/base/parse-url.js';
import { judgeHostname } from '../../../shared/net/public-host.js';
import { hungThread } from '../../fault/webhook-scenarios.js';
import { REFUSED_URLS } from '../../support/refused-urls.js';
import { TcpProxy } from '../../support/tcp-proxy.js';
import { until } from '../../support/until.js';
import { WebhookQueue } from '../../support/webhook-queue.js';
import { type Receiver, startReceiver } from '../../support/webhook-receiver.js';

// The cases spend most of their time waiting. In parallel they take as long as the longest of them.
t.jobs = 4;

// On a busy machine an attempt may time out although its receiver answers at once.
const SHORT_LEASES = { attemptTimeoutMs: 3000, leaseMs: 3500, fullScanIntervalMs: 200 };

function distinctEvents(receiver: Receiver): number {
  return new Set(receiver.received.map(({ event }) => event.id)).size;
}

t.test(
  'a thread that dies again and again loses nothing, and its deliveries are sent after their lease has ended',
  { buffered: true },
  async (t) => {
    const queue = await WebhookQueue.create(t);
    const receiver = await startReceiver(t, (response) => response.writeHead(200).end());
    const endpoint = await queue.subscribe(receiver, '/');
    // This delivery kills its thread, with everything else that the thread has under way, each time its lease has ended.
    const deadly = await queue.subscribe(receiver, '/dies', { events: ['click.created'] });
    await queue.queueSingle(deadly.id, 'test');
    const dispatcher = await queue.start(t, {
      outboundAllow: [receiver.origin],
      webhookThreads: 2,
      threadModule: new URL('../../fixtures/dying-deliver.worker.js', import.meta.url),
      ...SHORT_LEASES,
    });
    await until(() => dispatcher.stats().thread_failures >= 1);
    t.match(dispatcher.health(), { ok: false, reason: 'The delivery threads keep failing.' });
    const total = 100;
    await queue.emit(total);
    dispatcher.poke();
    await until(() => dispatcher.stats().thread_failures >= 2);
    await queue.pool.query('DELETE FROM webhook_endpoints WHERE id = $1', [deadly.id]);
    await until(async () => (await queue.deliveries(endpoint.id)).every(({ status }) => status === 'succeeded'));
    t.equal(distinctEvents(receiver), total);
    await queue.emit();
    t.match(await until(() => dispatcher.health().ok && dispatcher.health()), { ok: true });
  },
);

t.test('a thread that hangs is reported and replaced, and its deliveries are sent by the next one', { buffered: true }, (t) =>
  hungThread(t, 1000),
);

t.test('a secret that cannot be decrypted has its own error, and health names the endpoint', { buffered: true }, async (t) => {
  const queue = await WebhookQueue.create(t);
  const receiver = await startReceiver(t, (response) => response.writeHead(200).end());
  const broken = await queue.subscribe(receiver, '/broken');
  await queue.subscribe(receiver, '/works');
  const { rows } = await queue.pool.query('SELECT secret FROM webhook_endpoints WHERE id = $1', [broken.id]);
  await queue.pool.query("UPDATE webhook_endpoints SET secret = secret || '\\x00' WHERE id = $1", [broken.id]);
  const dispatcher = await queue.start(t, { outboundAllow: [receiver.origin], webhookRetryDelays: [1], fullScanIntervalMs: 200 });
  await queue.emit();
  dispatcher.poke();
  const [failed] = await until(async () => {
    const found = await queue.deliveries(broken.id);
    return found[0]?.status === 'retrying' && found;
  });
  t.match(failed, { error: 'secret_unreadable', response_code: null });
  t.match(dispatcher.health(), { ok: false, reason: new RegExp(`^The signing secret of ${broken.id} cannot be decrypted`) });
  t.equal(dispatcher.stats().secrets_unreadable, 1);
  await until(() => receiver.received.length === 1);
  t.equal((await queue.endpoint(broken.id)).failing_since, null, 'the endpoint is not to blame');
  await queue.pool.query('UPDATE webhook_endpoints SET secret = $2 WHERE id = $1', [broken.id, rows[0].secret]);
  await until(() => receiver.received.length === 2);
  t.match(await until(() => dispatcher.health().ok && dispatcher.health()), { ok: true }, 'health is ok again once the secret works');
});

t.test(
  'a stored URL that is not allowed is never called, by a test, a replay or an event: nothing reaches loopback',
  { buffered: true },
  async (t) => {
    const queue = await WebhookQueue.create(t);
    const receiver = await startReceiver(t, (response) => response.writeHead(200).end());
    const port = new URL(receiver.origin).port;
    // URLs that were stored before the rules, or planted: every host of the table, with a port that somebody listens on.
    const hosts = REFUSED_URLS.flatMap(([text]) => parseUrl(text) ?? []).filter(
      ({ protocol, hostname }) => protocol === 'http:' || (protocol === 'https:' && judgeHostname(hostname) !== null),
    );
    for (const [index, url] of hosts.entries()) {
      url.port = port;
      const endpoint = await queue.addEndpoint(url.href);
      await queue.queueSingle(endpoint.id, index % 2 === 0 ? 'test' : 'replay');
    }
    await queue.emit();
    const dispatcher = await queue.start(t, { outboundAllow: [] });
    dispatcher.poke();
    const ended = await until(async () => {
      const { rows } = await queue.pool.query("SELECT kind, status, error FROM webhook_deliveries WHERE status <> 'pending'");
      return rows.length === 2 * hosts.length && rows;
    });
    for (const { kind, status, error } of ended) {
      t.equal(status, kind === 'automatic' ? 'retrying' : 'failed');
      t.equal(error, 'blocked_address');
    }
    t.ok(hosts.length > 50);
    t.equal(receiver.received.length, 0);
  },
);

t.test('a process that was paused beyond its lease overwrites nothing when it continues', { buffered: true }, async (t) => {
  const queue = await WebhookQueue.create(t);
  let held: ServerResponse | null = null;
  const receiver = await startReceiver(t, (response) => {
    if (held === null) held = response;
    else response.writeHead(200).end('second');
  });
  const endpoint = await queue.subscribe(receiver, '/');
  const stopped = await queue.startProcess(t, { outboundAllow: [receiver.origin], ...SHORT_LEASES });
  await queue.emit();
  await until(() => held !== null);
  stopped.kill('SIGSTOP');
  (held as unknown as ServerResponse).writeHead(500).end('first');
  await queue.startProcess(t, { outboundAllow: [receiver.origin], ...SHORT_LEASES });
  const done = await until(async () => {
    const rows = await queue.deliveries(endpoint.id);
    return rows[0]?.status === 'succeeded' && rows;
  });
  stopped.kill('SIGCONT');
  await new Promise((resolve) => setTimeout(resolve, 1000));
  t.same(await queue.deliveries(endpoint.id), done, 'the outcome of the second process stays');
  t.match(done, [{ response_body: 'second' }]);
  t.equal((await queue.endpoint(endpoint.id)).failing_since, null);
});

t.test('deliveries are not lost when connections to PostgreSQL are ended under load', { buffered: true }, async (t) => {
  const queue = await WebhookQueue.create(t);
  const receiver = await startReceiver(t, (response) => response.writeHead(200).end());
  const endpoint = await queue.subscribe(receiver, '/');
  const dispatcher = await queue.start(t, { outboundAllow: [receiver.origin], attemptTimeoutMs: 4000, leaseMs: 5000 });
  let total = 0;
  for (let round = 0; round < 5; round++) {
    await queue.emit(50);
    total += 50;
    dispatcher.poke();
    await new Promise((resolve) => setTimeout(resolve, 30));
    await queue.pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'link-service webhook%'",
    );
  }
  await until(async () => (await queue.deliveries(endpoint.id)).every(({ status }) => status === 'succeeded'), undefined, 60_000);
  t.equal(distinctEvents(receiver), total);
  t.match(await until(() => dispatcher.health().ok && dispatcher.health()), { ok: true });
});

/** 5 s on a machine of its own. Here, other work shares the two cores. */
const BACK_MS_MAX = 15_000;

t.test(
  'health shows that the database of the queue is away, and deliveries resume soon after its return',
  { buffered: true },
  async (t) => {
    const queue = await WebhookQueue.create(t);
    const receiver = await startReceiver(t, (response) => response.writeHead(200).end());
    await queue.subscribe(receiver, '/');
    const url = new URL(queue.url);
    const proxy = await TcpProxy.to(t, { host: url.hostname, port: Number(url.port) });
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    const dispatcher = await queue.start(t, { outboundAllow: [receiver.origin], queueDatabaseUrl: url.href });
    await queue.emit();
    dispatcher.poke();
    await until(() => receiver.received.length === 1 && dispatcher.health().ok);
    await proxy.cut();
    await queue.emit();
    dispatcher.poke();
    const unhealthy = await until(() => !dispatcher.health().ok && dispatcher.health());
    t.match(unhealthy, { part: 'webhooks', reason: "The queue's database cannot be reached." });
    await proxy.restore();
    const restoredAt = performance.now();
    await until(() => receiver.received.length === 2);
    t.ok(performance.now() - restoredAt < BACK_MS_MAX, `${Math.round(performance.now() - restoredAt)} ms`);
    t.match(await until(() => dispatcher.health().ok && dispatcher.health()), { ok: true, reason: '' });
    for (let round = 0; round < 2; round++) {
      await proxy.cut();
      await queue.emit();
      await new Promise((resolve) => setTimeout(resolve, 150));
      await proxy.restore();
      const backAt = performance.now();
      await until(() => receiver.received.length === 3 + round);
      t.ok(performance.now() - backAt < BACK_MS_MAX, `restart ${round}: ${Math.round(performance.now() - backAt)} ms`);
    }
  },
);

t.test('an outcome that cannot be written is kept until the database is back, and nothing is sent twice', { buffered: true }, async (t) => {
  const queue = await WebhookQueue.create(t);
  const url = new URL(queue.url);
  const proxy = await TcpProxy.to(t, { host: url.hostname, port: Number(url.port) });
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  const receiver = await startReceiver(t, (response) => {
    void proxy.cut().then(() => response.writeHead(200).end());
  });
  const endpoint = await queue.subscribe(receiver, '/');
  // The lease ends while the database is away. Claims made afterwards must wait until the pending outcome is written.
  const dispatcher = await queue.start(t, {
    outboundAllow: [receiver.origin],
    queueDatabaseUrl: url.href,
    attemptTimeoutMs: 2500,
    leaseMs: 3500,
  });
  await queue.emit();
  dispatcher.poke();
  await until(() => dispatcher.stats().attempts_succeeded === 1);
  await new Promise((resolve) => setTimeout(resolve, 3500));
  t.equal(dispatcher.stats().outcomes_waiting, 1);
  await proxy.restore();
  await until(async () => (await queue.deliveries(endpoint.id))[0]?.status === 'succeeded');
  await new Promise((resolve) => setTimeout(resolve, 300));
  t.equal(receiver.received.length, 1);
  t.equal((await queue.deliveries(endpoint.id)).length, 1);
});
