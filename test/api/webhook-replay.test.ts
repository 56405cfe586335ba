import { randomUUID } from 'node:crypto';
import t from 'tap';
import { lockReplays } from '../../control-plane/webhooks/replay-sql.js';
import { idAt } from '../../shared/base/ids.js';
import type { EventType } from '../../shared/contract/schemas/events.js';
import { unseal, webhookSecretPlace } from '../../shared/secrets/seal.js';
import { exampleEvent } from '../../shared/webhooks/samples.js';
import { until } from '../support/until.js';
import { call, send } from './api-client.js';
import { type ApiServer, startApiServer, TEST_SECRET_KEYS } from './api-server.js';

const body = { url: 'https://hooks.example.com/a', events: ['link.created'] };

/** One server for all cases that need no special settings. Each case has a project of its own. */
const server = await startApiServer(t);

async function createWebhook(api: ApiServer): Promise<{ id: string; secret: string }> {
  return (await send(api.baseUrl, 'POST /webhooks', { key: api.liveKey, body })).json;
}

async function storedSecrets(api: ApiServer, id: string): Promise<{ current: string; previous: string | null }> {
  const { rows } = await api.database.query<{ secret: Buffer; previous_secret: Buffer | null }>({
    text: 'SELECT secret, previous_secret FROM webhook_endpoints WHERE id = $1',
    values: [id],
  });
  const [row] = rows;
  const open = (sealed: Buffer) => unseal(TEST_SECRET_KEYS, webhookSecretPlace(id), sealed);
  return { current: open(row?.secret as Buffer), previous: row?.previous_secret ? open(row.previous_secret) : null };
}

t.test('rotating shows the new secret once, keeps the old one for 24 hours, and a second rotation replaces the previous', async (t) => {
  let now = Date.now();
  const api = await startApiServer(t, { clock: () => now });
  const request = { key: api.liveKey };
  const created = await createWebhook(api);
  const rotate = () => call(t, api.baseUrl, `POST /webhooks/${created.id}/rotate-secret`, request);
  const first = (await rotate()).json;
  t.match(first.secret, /^whsec_[0-9A-Za-z]{32}$/);
  t.not(first.secret, created.secret);
  t.equal(Date.parse(first.previous_secret_expires_at), now + 24 * 3_600_000);
  t.same(await storedSecrets(api, created.id), { current: first.secret, previous: created.secret });
  const { secret: _, ...shown } = first;
  t.same((await call(t, api.baseUrl, `GET /webhooks/${created.id}`, request)).json, shown, 'no secret is read back');

  now += 3_600_000;
  const second = (await rotate()).json;
  t.equal(Date.parse(second.previous_secret_expires_at), now + 24 * 3_600_000, 'the 24 hours begin again');
  t.same(await storedSecrets(api, created.id), { current: second.secret, previous: first.secret }, 'the oldest is gone');

  now += 24 * 3_600_000;
  const later = (await call(t, api.baseUrl, `GET /webhooks/${created.id}`, request)).json;
  t.equal(later.previous_secret_expires_at, null, 'past its time it is shown no more');
});

t.test('a rotation repeated with its idempotency key answers the same secret and rotates once', async (t) => {
  const api = await server.anotherProject();
  const { id, secret } = await createWebhook(api);
  const request = { key: api.liveKey, headers: { 'idempotency-key': randomUUID() } };
  const line = `POST /webhooks/${id}/rotate-secret`;
  const answers = [await call(t, api.baseUrl, line, request), await call(t, api.baseUrl, line, request)];
  t.equal(answers[0]?.text, answers[1]?.text);
  t.same(await storedSecrets(api, id), { current: answers[0]?.json.secret, previous: secret });
});

t.test('two rotations at once are one after the other: no secret that was shown is lost without a word', async (t) => {
  const api = await server.anotherProject();
  const { id } = await createWebhook(api);
  const line = `POST /webhooks/${id}/rotate-secret`;
  const secrets = (await Promise.all([1, 2].map(() => send(api.baseUrl, line, { key: api.liveKey })))).map((answer) => answer.json.secret);
  const { current, previous } = await storedSecrets(api, id);
  t.same([current, previous].sort(), secrets.sort());
});

t.test('a replay sends the event of a finished delivery again: same event, own id, one attempt', async (t) => {
  const api = await server.anotherProject();
  const request = { key: api.liveKey };
  const { id } = await createWebhook(api);
  await send(api.baseUrl, 'POST /links', { ...request, body: {} });
  const [delivery] = (await call(t, api.baseUrl, `GET /webhooks/${id}/deliveries`, request)).json.data;
  const line = `POST /webhooks/${id}/deliveries/${delivery.id}/replay`;
  const become = (status: string, dueAt: Date | null = null) =>
    api.database.query({
      text: 'UPDATE webhook_deliveries SET status = $2, due_at = $3 WHERE id = $1',
      values: [delivery.id, status, dueAt],
    });
  for (const status of ['pending', 'retrying']) {
    await become(status, new Date(Date.now() + 60_000));
    t.match(await call(t, api.baseUrl, line, request), { status: 409, json: { code: 'conflict' } }, status);
  }
  // An attempt that has been followed by another one keeps its state.
  for (const status of ['retrying', 'succeeded', 'failed', 'abandoned']) {
    await become(status);
    const answer = await call(t, api.baseUrl, line, request);
    t.equal(answer.status, 202, status);
    t.match(answer.json, {
      webhook_id: id,
      event_id: delivery.event_id,
      event_type: 'link.created',
      kind: 'replay',
      attempt: 1,
      status: 'pending',
      request_body: delivery.request_body,
      response_code: null,
      next_attempt_at: null,
    });
    t.not(answer.json.id, delivery.id);
    const { rows } = await api.database.query<object>({
      text: 'SELECT kind, due_at IS NOT NULL AS queued FROM webhook_deliveries WHERE id = $1',
      values: [answer.json.id],
    });
    t.same(rows, [{ kind: 'replay', queued: true }]);
    t.equal(
      (await call(t, api.baseUrl, line.replace(delivery.id, answer.json.id), request)).status,
      409,
      'not while the replay is under way',
    );
  }
  const { rows } = await api.database.query<{ count: string }>({
    text: 'SELECT count(*) FROM events WHERE environment_id = $1',
    values: [api.live.id],
  });
  t.equal(rows[0]?.count, '1', 'no event is made');
});

t.test('a replay knows only deliveries of its endpoint, and events that are kept', async (t) => {
  const api = await server.anotherProject();
  const request = { key: api.liveKey };
  const [one, other] = [await createWebhook(api), await createWebhook(api)];
  const { id } = (await send(api.baseUrl, `POST /webhooks/${one.id}/test`, request)).json;
  await api.database.query({
    text: `UPDATE webhook_deliveries SET status = 'failed', response_body = 'no', due_at = NULL WHERE environment_id = $1`,
    values: [api.live.id],
  });
  const replay = (webhook: string, delivery: string) =>
    call(t, api.baseUrl, `POST /webhooks/${webhook}/deliveries/${delivery}/replay`, request);
  t.equal((await replay(other.id, id)).status, 404);
  t.equal((await replay(one.id, id)).status, 202);
  await api.database.query({ text: 'DELETE FROM events WHERE environment_id = $1', values: [api.live.id] });
  t.match(await replay(one.id, id), { status: 409, json: { code: 'conflict', detail: /no longer kept/ } });
  const { data } = (await call(t, api.baseUrl, `GET /webhooks/${one.id}/deliveries?status=failed`, request)).json;
  t.match(data, [{ id, request_body: null, response_body: null }], 'the log shows nothing of it, nor what a receiver may have repeated');
});

t.test('without a job queue connection a replay answers 503 and writes nothing', async (t) => {
  for (const queue of ['none', 'postgres://postgres:password@127.0.0.1:1/none']) {
    const api = await startApiServer(t, { queue, databaseUrl: server.databaseUrl });
    const { id } = await createWebhook(api);
    await send(api.baseUrl, 'POST /links', { key: api.liveKey, body: {} });
    await api.database.query({
      text: `UPDATE webhook_deliveries SET status = 'failed', due_at = NULL WHERE environment_id = $1`,
      values: [api.live.id],
    });
    const [delivery] = (await call(t, api.baseUrl, `GET /webhooks/${id}/deliveries`, { key: api.liveKey })).json.data;
    const answer = await call(t, api.baseUrl, `POST /webhooks/${id}/deliveries/${delivery.id}/replay`, { key: api.liveKey });
    t.match(answer, { status: 503, json: { code: 'service_unavailable' } });
    t.ok(answer.headers.get('retry-after'));
    const body = { from: new Date(Date.now() - 3_600_000).toISOString(), to: new Date().toISOString() };
    t.equal((await call(t, api.baseUrl, `POST /webhooks/${id}/deliveries/replay`, { key: api.liveKey, body })).status, 503);
    const { rowCount } = await api.database.query({
      text: `SELECT 1 FROM webhook_deliveries WHERE kind = 'replay' AND environment_id = $1`,
      values: [api.live.id],
    });
    t.equal(rowCount, 0);
  }
});

interface Attempt {
  readonly event: string;
  readonly status: string;
  readonly minutes: number;
  readonly kind?: string;
  readonly type?: string;
  readonly attempt?: number;
}

const START = Date.now() - 3 * 3_600_000;
const at = (minutes: number) => new Date(START + minutes * 60_000).toISOString();

/** Inserts rows into the endpoint's log as a dispatcher leaves them. Returns the ids of their events by their names in the test. */
async function logAttempts(api: ApiServer, webhookId: string, attempts: readonly Attempt[]): Promise<ReadonlyMap<string, string>> {
  const events = new Map<string, string>();
  for (const { event, status, minutes, kind = 'automatic', type = 'link.created', attempt = 1 } of attempts) {
    if (!events.has(event)) {
      events.set(event, idAt('event', START));
      await api.database.query({
        text: `INSERT INTO events (id, created_at, environment_id, type, body) VALUES ($1, $2, $3, $4, $5)`,
        values: [events.get(event), at(0), api.live.id, type, JSON.stringify({ ...exampleEvent(type as EventType), test: undefined })],
      });
    }
    await api.database.query({
      text: `INSERT INTO webhook_deliveries (id, created_at, webhook_id, environment_id, event_id, event_type, kind, attempt, status)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      values: [idAt('delivery', START), at(minutes), webhookId, api.live.id, events.get(event), type, kind, attempt, status],
    });
  }
  return events;
}

async function replayedEvents(api: ApiServer, webhookId: string): Promise<readonly string[]> {
  const { rows } = await api.database.query<{ event_id: string }>({
    text: `SELECT event_id FROM webhook_deliveries WHERE webhook_id = $1 AND kind = 'replay' AND due_at IS NOT NULL ORDER BY event_id`,
    values: [webhookId],
  });
  return rows.map(({ event_id }) => event_id);
}

const HISTORY: readonly Attempt[] = [
  { event: 'lost', status: 'retrying', minutes: 1 },
  { event: 'lost', status: 'failed', minutes: 10, attempt: 2 },
  { event: 'dropped', status: 'abandoned', minutes: 11, type: 'click.created' },
  { event: 'mended', status: 'failed', minutes: 12 },
  { event: 'mended', status: 'succeeded', minutes: 20, kind: 'replay' },
  { event: 'tried again', status: 'failed', minutes: 13 },
  { event: 'tried again', status: 'failed', minutes: 21, kind: 'replay' },
  { event: 'under way', status: 'failed', minutes: 14 },
  { event: 'under way', status: 'pending', minutes: 22, kind: 'replay' },
  { event: 'sample', status: 'failed', minutes: 15, kind: 'test' },
  { event: 'arrived', status: 'succeeded', minutes: 16 },
  { event: 'late', status: 'failed', minutes: 60 },
];

t.test('each event of a window whose last attempt failed is sent again once, and none that came through or is under way', async (t) => {
  for (const [more, expected] of [
    [{}, ['dropped', 'lost', 'tried again']],
    [{ status: 'failed' }, ['lost', 'tried again']],
    [{ status: 'abandoned' }, ['dropped']],
    [{ event_type: 'click.created' }, ['dropped']],
    [{ from: at(10.5) }, ['dropped', 'tried again']],
    [{ to: at(10) }, ['lost']],
    [{ to: at(61) }, ['dropped', 'late', 'lost', 'tried again']],
  ] as const) {
    const api = await server.anotherProject();
    const { id } = await createWebhook(api);
    const events = await logAttempts(api, id, HISTORY);
    const body = { from: at(0), to: at(30), ...more };
    const line = `POST /webhooks/${id}/deliveries/replay`;
    const answer = await call(t, api.baseUrl, line, { key: api.liveKey, body });
    t.same(
      [answer.status, answer.json],
      [202, { queued: expected.length, not_kept: 0, next_from: null, next_to: null, next_cursor: null }],
      JSON.stringify(more),
    );
    t.same(await replayedEvents(api, id), expected.map((name) => events.get(name)).toSorted());
    const again = await call(t, api.baseUrl, line, { key: api.liveKey, body });
    t.equal(again.json.queued, 0, 'they are under way now');
  }
});

t.test('a sample whose own replay failed is left out, as one that failed itself is', async (t) => {
  const api = await server.anotherProject();
  const { id } = await createWebhook(api);
  const ask = (line: string, body?: object) =>
    call(t, api.baseUrl, `POST /webhooks/${id}/${line}`, { key: api.liveKey, ...(body && { body }) });
  const fail = (delivery: string) =>
    api.database.query({ text: `UPDATE webhook_deliveries SET status = 'failed', due_at = NULL WHERE id = $1`, values: [delivery] });
  const { json: sample } = await ask('test');
  await fail(sample.id);
  const { json: replay } = await ask(`deliveries/${sample.id}/replay`);
  await fail(replay.id);
  const window = { from: new Date(Date.now() - 3_600_000).toISOString(), to: new Date(Date.now() + 3_600_000).toISOString() };
  t.match(await ask('deliveries/replay', window), { status: 202, json: { queued: 0, not_kept: 0 } });
  t.same(await replayedEvents(api, id), []);
});

t.test(
  'an event is sent again whatever its data is, also what PostgreSQL cannot parse or what looks like the label of a sample',
  async (t) => {
    const api = await server.anotherProject();
    const { id } = await createWebhook(api);
    const data = { nul: 'a\u0000b', half: '\ud800', '"data":': '"test":true', test: true };
    await send(api.baseUrl, 'POST /links', { key: api.liveKey, body: { data } });
    const { rowCount } = await api.database.query({
      text: `UPDATE webhook_deliveries SET status = 'failed', due_at = NULL WHERE webhook_id = $1`,
      values: [id],
    });
    t.equal(rowCount, 1);
    const window = { from: new Date(Date.now() - 3_600_000).toISOString(), to: new Date(Date.now() + 3_600_000).toISOString() };
    const answer = await call(t, api.baseUrl, `POST /webhooks/${id}/deliveries/replay`, { key: api.liveKey, body: window });
    t.match(answer, { status: 202, json: { queued: 1, not_kept: 0 } });
  },
);

t.test('two replays of one window at once, and one that is repeated with its key, queue every event once', async (t) => {
  const api = await server.anotherProject();
  const { id } = await createWebhook(api);
  await logAttempts(api, id, HISTORY);
  const headers = { 'idempotency-key': randomUUID() };
  const line = `POST /webhooks/${id}/deliveries/replay`;
  const window = { from: at(0), to: at(30) };
  const replay = (given?: typeof headers) =>
    send(api.baseUrl, line, { key: api.liveKey, body: window, ...(given === undefined ? {} : { headers: given }) });
  // As a first replay does, so that the others are under way when it ends.
  const begun = await api.database.transaction(async (transaction) => {
    await lockReplays(transaction, id);
    const replays = [replay(), replay(), replay(headers)];
    await new Promise((resolve) => setTimeout(resolve, 300));
    t.same(await replayedEvents(api, id), [], 'each waits for the one before it');
    return { replays };
  });
  const answers = await Promise.all(begun.replays);
  t.equal(
    answers.reduce((sum, { json }) => sum + json.queued, 0),
    3,
  );
  const again = await call(t, api.baseUrl, line, { key: api.liveKey, body: window, headers });
  t.same([again.json, again.headers.get('idempotent-replayed')], [answers[2]?.json, 'true']);
  t.equal((await replayedEvents(api, id)).length, 3);
});

t.test('a replay that reads a long log does not hold up the outcomes of deliveries', async (t) => {
  const api = await server.anotherProject();
  const { id } = await createWebhook(api);
  const replayed = await api.database.transaction(async (reader) => {
    await reader.query({ text: 'LOCK TABLE webhook_deliveries IN ACCESS EXCLUSIVE MODE', values: [] });
    const replay = send(api.baseUrl, `POST /webhooks/${id}/deliveries/replay`, { key: api.liveKey, body: { from: at(0), to: at(30) } });
    await until(async () => {
      const waiting = `SELECT FROM pg_locks WHERE relation = 'webhook_deliveries'::regclass AND NOT granted`;
      return (await reader.query({ text: waiting, values: [] })).rowCount > 0;
    }, 'the replay to read the log');
    const locked = reader.query({ text: 'SELECT FROM webhook_endpoints WHERE id = $1 FOR NO KEY UPDATE NOWAIT', values: [id] });
    await t.resolves(locked, 'a dispatcher can write what it has learned about the endpoint');
    return { replay };
  });
  t.equal((await replayed.replay).status, 202);
});

t.test('a call replays a thousand events and says where to go on', async (t) => {
  const api = await server.anotherProject();
  const { id } = await createWebhook(api);
  await api.database.query({
    text: `WITH made AS (
             INSERT INTO events (id, created_at, environment_id, type, body)
             SELECT 'evt_' || lpad(number::text, 26, '0'), now() - interval '1 hour', $1, 'link.created', $3 FROM generate_series(1, 1203) number
             RETURNING id, created_at)
           INSERT INTO webhook_deliveries (id, created_at, webhook_id, environment_id, event_id, event_type, kind, attempt, status)
           SELECT 'whd_' || right(id, 26), created_at, $2, $1, id, 'link.created', 'automatic', 1, 'failed' FROM made`,
    values: [api.live.id, id, JSON.stringify({ ...exampleEvent('link.created'), test: undefined })],
  });
  // The ids of the events carry the year 1970, in which no event is looked for.
  const first = await call(t, api.baseUrl, `POST /webhooks/${id}/deliveries/replay`, {
    key: api.liveKey,
    body: { from: at(0), to: new Date().toISOString() },
  });
  t.same([first.json.queued, first.json.not_kept], [0, 1000], 'what is no longer kept is counted, and passed over');
  await api.database.query({
    text: `UPDATE webhook_deliveries SET event_id = 'evt_' || lower($2) || right(event_id, 16) WHERE webhook_id = $1`,
    values: [id, idAt('event', START).slice(4, 14)],
  });
  await api.database.query({
    text: `UPDATE events SET id = 'evt_' || lower($2) || right(id, 16) WHERE environment_id = $1`,
    values: [api.live.id, idAt('event', START).slice(4, 14)],
  });
  // The window ends in an hour, like that of a caller who means "all until now" and whose clock is ahead.
  let window = { from: at(0), to: new Date(Date.now() + 3_600_000).toISOString() };
  const queued: number[] = [];
  for (let calls = 0; calls < 3; calls++) {
    const { status, json } = await call(t, api.baseUrl, `POST /webhooks/${id}/deliveries/replay`, { key: api.liveKey, body: window });
    t.equal(status, 202);
    queued.push(json.queued);
    if (json.next_from === null) break;
    window = { ...window, from: json.next_from, to: json.next_to };
    await api.database.query({ text: `UPDATE webhook_deliveries SET status = 'failed' WHERE webhook_id = $1`, values: [id] });
  }
  t.same(queued, [1000, 203], 'and not what has failed again since');
});

t.test('a replay goes on by its cursor, also within a millisecond with more failures than a call takes', async (t) => {
  const api = await server.anotherProject();
  const { id } = await createWebhook(api);
  const line = `POST /webhooks/${id}/deliveries/replay`;
  // No event is kept, so each of them stays a failure. The first ones have another time within the same millisecond.
  await api.database.query({
    text: `INSERT INTO webhook_deliveries (id, created_at, webhook_id, environment_id, event_id, event_type, kind, attempt, status)
           SELECT 'whd_' || lpad((9000 - number)::text, 26, '0'), $4::timestamptz + make_interval(secs => (number % 3) * 0.0001), $2, $1,
             'evt_' || lower($3) || lpad((90000 + number)::text, 16, '0'), 'link.created', 'automatic', 1, 'failed'
           FROM generate_series(1, 2100) number`,
    values: [api.live.id, id, idAt('event', START).slice(4, 14), at(1)],
  });
  let body: Record<string, string> = { from: at(0), to: at(2) };
  const notKept: number[] = [];
  for (let calls = 0; calls < 4; calls++) {
    const { json } = await call(t, api.baseUrl, line, { key: api.liveKey, body });
    notKept.push(json.not_kept);
    if (json.next_cursor === null) break;
    body = { from: json.next_from, to: json.next_to, cursor: json.next_cursor };
  }
  t.same(notKept, [1000, 1000, 100]);
  for (const cursor of ['x', `${body.cursor}A`]) {
    const { status, json } = await call(t, api.baseUrl, line, { key: api.liveKey, body: { ...body, cursor } });
    t.match([status, json.errors], [422, [{ in: 'body', pointer: '/cursor', code: 'invalid_cursor' }]]);
  }
});

t.test('a replay of failures knows its window, its endpoint and its environment', async (t) => {
  const api = await server.anotherProject();
  const { id } = await createWebhook(api);
  const line = `POST /webhooks/${id}/deliveries/replay`;
  for (const [body, pointer] of [
    [{ to: at(1) }, '/from'],
    [{ from: at(1) }, '/to'],
    [{ from: at(2), to: at(1) }, '/from'],
    [{ from: new Date(START - 40 * 86_400_000).toISOString(), to: at(1) }, '/from'],
    [{ from: at(0), to: at(1), status: 'retrying' }, '/status'],
    [{ from: at(0), to: at(1), event_type: 'link.lost' }, '/event_type'],
    [{ from: 'yesterday', to: at(1) }, '/from'],
  ] as const) {
    const { status, json } = await call(t, api.baseUrl, line, { key: api.liveKey, body });
    t.equal(status, 422, pointer);
    t.match(json.errors, [{ in: 'body', pointer }]);
  }
  const window = { from: at(0), to: at(1) };
  t.equal((await call(t, api.baseUrl, line, { key: api.testKey, body: window })).status, 404);
});

t.test('a replay is the last attempt of its event, also if the clock of the control plane is behind that of the failure', async (t) => {
  const api = await startApiServer(t, { clock: () => Date.now() - 31_000 });
  const { id } = await createWebhook(api);
  const request = { key: api.liveKey };
  const now = (Date.now() - START) / 60_000;
  await logAttempts(api, id, [
    { event: 'one', status: 'failed', minutes: now },
    { event: 'two', status: 'failed', minutes: now },
  ]);
  const line = `POST /webhooks/${id}/deliveries/replay`;
  const body = { from: at(0), to: at(now + 60) };
  const [failed] = (await call(t, api.baseUrl, `GET /webhooks/${id}/deliveries`, request)).json.data;
  const { json: replay } = await call(t, api.baseUrl, `POST /webhooks/${id}/deliveries/${failed.id}/replay`, request);
  t.ok(replay.created_at > failed.created_at);
  for (const queued of [1, 0]) t.equal((await call(t, api.baseUrl, line, { ...request, body })).json.queued, queued);
  t.equal((await replayedEvents(api, id)).length, 2);
});

t.test('the rest of a window can be asked for, also if the clock of the control plane is behind that of the failures', async (t) => {
  const api = await startApiServer(t, { clock: () => Date.now() - 31_000 });
  const { id } = await createWebhook(api);
  await api.database.query({
    text: `INSERT INTO webhook_deliveries (id, created_at, webhook_id, environment_id, event_id, event_type, kind, attempt, status)
           SELECT 'whd_' || lpad(number::text, 26, '0'), date_trunc('milliseconds', now()), $2, $1, 'evt_' || lower($3) || lpad(number::text, 16, '0'), 'link.created', 'automatic', 1, 'failed'
           FROM generate_series(1, 1001) number`,
    values: [api.live.id, id, idAt('event', START).slice(4, 14)],
  });
  const line = `POST /webhooks/${id}/deliveries/replay`;
  const first = await call(t, api.baseUrl, line, {
    key: api.liveKey,
    body: { from: at(0), to: new Date(Date.now() + 3_600_000).toISOString() },
  });
  t.match(first.json, { queued: 0, not_kept: 1000 });
  const rest = await call(t, api.baseUrl, line, { key: api.liveKey, body: { from: first.json.next_from, to: first.json.next_to } });
  t.match(rest, { status: 202, json: { not_kept: 1000 } });
});
