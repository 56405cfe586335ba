import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { TcpProxy } from '../../support/tcp-proxy.js';
import { SECRETS_KEYS, until, WebhookQueue } from '../../support/webhook-queue.js';
import { type Receiver, startReceiver } from '../../support/webhook-receiver.js';

async function startProcess(t: Test, queue: WebhookQueue, receiver: Receiver): Promise<ChildProcess> {
  const options = {
    databaseUrl: queue.url,
    queueDatabaseUrl: '',
    secretsKeys: SECRETS_KEYS,
    serviceName: 'Service',
    outboundAllow: [receiver.origin],
    webhookRetryDelays: [60],
    webhookThreads: 2,
    // Long enough for a busy machine: an attempt that times out would wait for its retry a minute from now.
    attemptTimeoutMs: 6000,
    leaseMs: 7000,
  };
  const child = fork(fileURLToPath(new URL('../../support/webhook-process.js', import.meta.url)), [JSON.stringify(options)]);
  t.teardown(() => child.kill('SIGKILL'));
  await once(child, 'message');
  return child;
}

function distinctEvents(receiver: Receiver): number {
  return new Set(receiver.received.map(({ event }) => event.id)).size;
}

t.test('a process killed again and again loses no event and doubles at most what was under way', async (t) => {
  const queue = await WebhookQueue.create(t);
  const receiver = await startReceiver(t, (response) => setTimeout(() => response.writeHead(200).end(), 20));
  const endpoint = await queue.addEndpoint(receiver.origin);
  receiver.secrets.push(endpoint.secret);
  const total = 600;
  await queue.emit(total);
  let underWay = 0;
  for (const killAt of [150, 350]) {
    const child = await startProcess(t, queue, receiver);
    await until(() => distinctEvents(receiver) >= killAt, 60_000);
    child.kill('SIGKILL');
    await once(child, 'exit');
    underWay += (await queue.deliveries(endpoint.id)).filter(({ claim_id }) => claim_id !== null).length;
  }
  await startProcess(t, queue, receiver);
  await until(async () => (await queue.deliveries(endpoint.id)).every(({ status }) => status === 'succeeded'), 60_000);
  t.equal(distinctEvents(receiver), total, 'none is missing');
  const doubled = receiver.received.length - total;
  t.ok(doubled <= underWay, `${doubled} doubled, ${underWay} were claimed at the kills`);
  t.equal((await queue.deliveries(endpoint.id)).length, total);
  t.same(receiver.refused, []);
});

t.test('connections to PostgreSQL that are ended under load lose nothing', async (t) => {
  const queue = await WebhookQueue.create(t);
  const receiver = await startReceiver(t, (response) => response.writeHead(200).end());
  const endpoint = await queue.addEndpoint(receiver.origin);
  const dispatcher = await queue.start(t, { outboundAllow: [receiver.origin], attemptTimeoutMs: 4000, leaseMs: 5000 });
  let total = 0;
  for (let round = 0; round < 8; round++) {
    await queue.emit(50);
    total += 50;
    dispatcher.poke();
    await new Promise((resolve) => setTimeout(resolve, 30));
    await queue.pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'link-service webhook%'",
    );
  }
  await until(async () => (await queue.deliveries(endpoint.id)).every(({ status }) => status === 'succeeded'), 60_000);
  t.equal(distinctEvents(receiver), total);
  t.match(await until(() => dispatcher.health().ok && dispatcher.health()), { ok: true });
});

/** 5 s on a machine of its own; here everything that runs beside shares two cores. */
const BACK_MS_MAX = 15_000;

t.test('when the database of the queue is away this is shown, and soon after its return deliveries go on', async (t) => {
  const queue = await WebhookQueue.create(t);
  const receiver = await startReceiver(t, (response) => response.writeHead(200).end());
  await queue.addEndpoint(receiver.origin);
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
  for (let round = 0; round < 5; round++) {
    await proxy.cut();
    await queue.emit();
    await new Promise((resolve) => setTimeout(resolve, 150));
    await proxy.restore();
    const backAt = performance.now();
    await until(() => receiver.received.length === 3 + round);
    t.ok(performance.now() - backAt < BACK_MS_MAX, `restart ${round}: ${Math.round(performance.now() - backAt)} ms`);
  }
});

t.test('an outcome that cannot be written is kept and written when the database is back, and nothing is sent twice', async (t) => {
  const queue = await WebhookQueue.create(t);
  const url = new URL(queue.url);
  const proxy = await TcpProxy.to(t, { host: url.hostname, port: Number(url.port) });
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  const receiver = await startReceiver(t, (response) => {
    void proxy.cut().then(() => response.writeHead(200).end());
  });
  const endpoint = await queue.addEndpoint(receiver.origin);
  // The lease ends while the database is away: what is claimed then must wait for what is to be written.
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
