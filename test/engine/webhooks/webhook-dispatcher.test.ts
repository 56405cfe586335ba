import type { ServerResponse } from 'node:http';
import t from 'tap';
import { until } from '../../support/until.js';
import { WebhookQueue } from '../../support/webhook-queue.js';
import { isAccepted, startReceiver } from '../../support/webhook-receiver.js';

// The cases spend most of their time waiting. In parallel they take as long as the longest of them.
t.jobs = 8;

const database = await WebhookQueue.create(t);
/** The answers of the shared receiver by path, for paths that do not answer 200 without a body. */
const answers = new Map<string, (response: ServerResponse) => void>();
const receiver = await startReceiver(t, (response, { path }) => (answers.get(path) ?? ((ok) => ok.writeHead(200).end()))(response));
/** Shared by all cases that need no special settings. Each case has an environment and paths of its own. */
const dispatcher = await database.start(t, { outboundAllow: [receiver.origin] });

t.test('an event is delivered to each subscribed endpoint, signed, with the headers of the contract', { buffered: true }, async (t) => {
  const queue = await database.another();
  for (const path of ['/first', '/second']) answers.set(path, (response) => response.writeHead(204).end());
  const [first, second] = [await queue.subscribe(receiver, '/first'), await queue.subscribe(receiver, '/second')];
  const unsubscribed = await queue.subscribe(receiver, '/unsubscribed', { events: ['click.created'] });
  const [event] = await queue.emit();
  dispatcher.poke();
  t.equal((await queue.deliveries(second.id)).length, 1);
  await until(() => receiver.at('/first').length === 1 && receiver.at('/second').length === 1);
  for (const received of [...receiver.at('/first'), ...receiver.at('/second')]) {
    t.equal(received.body, event?.body, 'the stored text is sent unchanged, byte for byte');
    t.match(received.headers, {
      'content-type': 'application/json',
      'user-agent': 'Service-Webhooks/1',
      'x-service-event': 'link.created',
      'x-service-delivery': /^whd_/,
      'x-service-signature': /^t=\d+,v1=[0-9a-f]{64}$/,
    });
  }
  const [row] = await until(async () => {
    const rows = await queue.deliveries(first.id);
    return rows[0]?.status === 'succeeded' && rows;
  });
  t.match(row, {
    kind: 'automatic',
    attempt: 1,
    status: 'succeeded',
    response_code: 204,
    response_body: '',
    error: null,
    next_attempt_at: null,
    due_at: null,
    claim_id: null,
  });
  t.type(row?.latency_ms, 'number');
  t.equal(receiver.at('/first')[0]?.headers['x-service-delivery'], row?.id);
  t.same(await queue.deliveries(unsubscribed.id), []);
});

t.test('a replay or a test is a single attempt without retries and starts no failure streak', { buffered: true }, async (t) => {
  const queue = await database.another();
  answers.set('/single', (response) => response.writeHead(503).end());
  const endpoint = await queue.subscribe(receiver, '/single');
  for (const kind of ['replay', 'test'] as const) await queue.queueSingle(endpoint.id, kind);
  dispatcher.poke();
  const rows = await until(async () => {
    const found = await queue.deliveries(endpoint.id);
    return found.every(({ status }) => status === 'failed') && found;
  });
  t.same(rows.map(({ kind }) => kind).sort(), ['replay', 'test']);
  for (const row of rows) t.match(row, { attempt: 1, next_attempt_at: null, due_at: null });
  t.equal(receiver.at('/single').length, 2);
  t.equal((await queue.endpoint(endpoint.id)).failing_since, null);
});

t.test('a streak begins with a failed automatic attempt and ends with a success of any kind', { buffered: true }, async (t) => {
  const queue = await database.another();
  let status = 500;
  answers.set('/streak', (response) => response.writeHead(status).end());
  const endpoint = await queue.subscribe(receiver, '/streak');
  await queue.emit();
  dispatcher.poke();
  const since = (await until(async () => (await queue.endpoint(endpoint.id)).failing_since)).getTime();
  await queue.emit();
  dispatcher.poke();
  await until(async () => (await queue.deliveries(endpoint.id)).filter((row) => row.status === 'retrying').length === 2);
  t.equal((await queue.endpoint(endpoint.id)).failing_since?.getTime(), since, 'a second failure does not move the start of the streak');
  status = 200;
  await queue.queueSingle(endpoint.id, 'test');
  dispatcher.poke();
  await until(async () => (await queue.endpoint(endpoint.id)).failing_since === null);
  t.pass('a successful test ends the streak');
});

t.test('the first 2 KB of an answer are logged, cut between characters, without NUL', { buffered: true }, async (t) => {
  const queue = await database.another();
  answers.set('/long', (response) => response.writeHead(200).end(`a\0${'€'.repeat(5000)}`));
  const endpoint = await queue.subscribe(receiver, '/long');
  await queue.emit();
  dispatcher.poke();
  const row = await until(async () => (await queue.deliveries(endpoint.id)).find(({ status }) => status === 'succeeded'));
  const body = row.response_body as string;
  t.ok(body.startsWith('a\uFFFD€€'));
  t.ok(body.endsWith('€'));
  t.ok(Buffer.byteLength(body) <= 2048 && Buffer.byteLength(body) > 2044);
});

t.test(
  'until the old secret expires both secrets accept a delivery, and afterwards only the new one does',
  { buffered: true },
  async (t) => {
    const queue = await database.another();
    const during = await queue.subscribe(receiver, '/during', {
      previousSecret: 'whsec_old',
      previousExpiresAt: new Date(Date.now() + 60_000),
    });
    const after = await queue.subscribe(receiver, '/after', {
      previousSecret: 'whsec_old',
      previousExpiresAt: new Date(Date.now() - 1),
    });
    await queue.emit();
    dispatcher.poke();
    await until(() => receiver.at('/during').length === 1 && receiver.at('/after').length === 1);
    const accepted = (path: string, secret: string) => {
      const [received] = receiver.at(path);
      return isAccepted(received?.body ?? '', String(received?.headers['x-service-signature']), secret);
    };
    t.ok(accepted('/during', during.secret));
    t.ok(accepted('/during', 'whsec_old'));
    t.ok(accepted('/after', after.secret));
    t.notOk(accepted('/after', 'whsec_old'));
  },
);

t.test(
  'redirects are failures and are not followed; an endless body is cut off and the status decides; a slow receiver times out',
  { buffered: true },
  async (t) => {
    const queue = await WebhookQueue.create(t);
    const receiver = await startReceiver(t, (response, { path }) => {
      if (path === '/redirect') response.writeHead(307, { location: '/elsewhere' }).end();
      if (path === '/endless') {
        response.writeHead(200);
        const timer = setInterval(() => response.write('e'.repeat(32_768)), 1);
        response.on('close', () => clearInterval(timer));
      }
      if (path === '/drip') {
        response.writeHead(200);
        const timer = setInterval(() => response.write('.'), 20);
        response.on('close', () => clearInterval(timer));
      }
    });
    const endpoints = { redirect: '', endless: '', drip: '', hang: '' };
    for (const name of Object.keys(endpoints) as (keyof typeof endpoints)[])
      endpoints[name] = (await queue.subscribe(receiver, `/${name}`)).id;
    const refused = await queue.addEndpoint('http://127.0.0.1:1/');
    const blocked = await queue.addEndpoint('https://127.0.0.1:1/');
    const dispatcher = await queue.start(t, { outboundAllow: [receiver.origin, 'http://127.0.0.1:1'], attemptTimeoutMs: 2500 });
    await queue.emit();
    dispatcher.poke();
    const outcome = (id: string) => until(async () => (await queue.deliveries(id)).find(({ status }) => status !== 'pending'));
    t.match(await outcome(endpoints.redirect), { status: 'retrying', response_code: 307, error: null });
    t.match(await outcome(endpoints.endless), { status: 'succeeded', response_code: 200, response_body: 'e'.repeat(2048), error: null });
    t.match(await outcome(endpoints.drip), { status: 'retrying', response_code: 200, error: 'timeout' });
    t.match(await outcome(endpoints.hang), { status: 'retrying', response_code: null, response_body: null, error: 'timeout' });
    t.match(await outcome(refused.id), { status: 'retrying', response_code: null, error: 'connect' });
    t.match(await outcome(blocked.id), { status: 'retrying', response_code: null, error: 'blocked_address' });
    t.notOk(receiver.received.some(({ path }) => path === '/elsewhere'));
    t.equal(dispatcher.stats().in_flight, 0);
  },
);

t.test('the only dispatcher of a queue', { buffered: true }, async (t) => {
  const queue = await WebhookQueue.create(t);
  t.beforeEach(() => queue.clear());

  await t.test('a failed attempt is retried in a row of its own up to the eighth, and then abandoned', async (t) => {
    const receiver = await startReceiver(t, (response) => response.writeHead(500).end('broken'));
    const endpoint = await queue.subscribe(receiver, '/');
    const dispatcher = await queue.start(t, { outboundAllow: [receiver.origin], webhookRetryDelays: [0.03], pollMs: 10 });
    const [event] = await queue.emit();
    dispatcher.poke();
    const rows = await until(async () => {
      const found = await queue.deliveries(endpoint.id);
      return found.at(-1)?.status === 'abandoned' && found;
    });
    t.same(
      rows.map(({ attempt }) => attempt),
      [1, 2, 3, 4, 5, 6, 7, 8],
    );
    t.same(
      rows.map(({ status }) => status),
      [...Array(7).fill('retrying'), 'abandoned'],
    );
    for (const row of rows) t.match(row, { event_id: event?.id, response_code: 500, response_body: 'broken', error: null, due_at: null });
    t.equal(new Set(rows.map(({ id }) => id)).size, 8);
    for (const [index, row] of rows.entries()) {
      if (index === 7) t.equal(row.next_attempt_at, null);
      else t.ok((row.next_attempt_at?.getTime() ?? 0) <= (rows[index + 1]?.created_at.getTime() ?? 0), 'no attempt is early');
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
    t.equal(receiver.received.length, 8);
    t.equal(new Set(receiver.received.map(({ event }) => event.id)).size, 1, 'the event id is the same at every attempt');
    t.equal(new Set(receiver.received.map(({ headers }) => headers['x-service-delivery'])).size, 8);
    t.ok((await queue.endpoint(endpoint.id)).failing_since);
    t.equal(dispatcher.stats().deliveries_abandoned, 1, 'what is given up is counted');
  });

  await t.test('a notification of due webhooks or of changed configuration wakes the dispatcher', async (t) => {
    const receiver = await startReceiver(t, (response) => response.writeHead(200).end());
    await queue.subscribe(receiver, '/');
    // The dispatcher does not poll by itself: a notification announces everything it delivers.
    const dispatcher = await queue.start(t, { outboundAllow: [receiver.origin], pollMs: 3_600_000 });
    // The first pass finds an empty queue. A notification would be lost until the dispatcher listens and has made the pass that follows.
    await until(async () => {
      const { rows } = await queue.pool.query(
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'link-service listen%' AND query LIKE 'LISTEN%' AND state = 'idle'",
      );
      return rows.length > 0;
    });
    await new Promise((resolve) => setTimeout(resolve, 500));
    for (const [index, channel] of ['webhook_due', 'config_feed', 'webhook_due'].entries()) {
      await queue.emit();
      t.equal(receiver.received.length, index);
      await queue.pool.query("SELECT pg_notify($1, '{}')", [channel]);
      await until(() => receiver.received.length === index + 1);
      await until(() => dispatcher.stats().in_flight === 0);
    }
  });

  await t.test('without any notification the queue is polled', async (t) => {
    const receiver = await startReceiver(t, (response) => response.writeHead(200).end());
    await queue.subscribe(receiver, '/');
    await queue.start(t, { outboundAllow: [receiver.origin], pollMs: 50 });
    for (const count of [1, 2]) {
      await queue.emit();
      await until(() => receiver.received.length === count);
    }
    t.pass('each event was delivered');
  });

  await t.test('a stop lets deliveries under way finish and writes their outcome', async (t) => {
    const receiver = await startReceiver(t, (response) => setTimeout(() => response.writeHead(200).end(), 300));
    const endpoint = await queue.subscribe(receiver, '/');
    const dispatcher = await queue.start(t, { outboundAllow: [receiver.origin], pollMs: 50 });
    await queue.emit(3);
    dispatcher.poke();
    await until(() => receiver.received.length === 3);
    await dispatcher.stop();
    t.same(
      (await queue.deliveries(endpoint.id)).map(({ status }) => status),
      ['succeeded', 'succeeded', 'succeeded'],
    );
    await queue.emit();
    await new Promise((resolve) => setTimeout(resolve, 200));
    t.equal(receiver.received.length, 3, 'nothing is sent afterwards');
  });
});
