import { randomUUID } from 'node:crypto';
import t from 'tap';
import { unseal, webhookSecretPlace } from '../../shared/secrets/seal.js';
import { call, send } from './api-client.js';
import { type ApiServer, startApiServer, TEST_SECRET_KEYS } from './api-server.js';

const body = { url: 'https://hooks.example.com/a', events: ['link.created'] };

/** One server for all cases that ask nothing special of it; each has a project of its own. */
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
  const become = (status: string) =>
    api.database.query({ text: 'UPDATE webhook_deliveries SET status = $2, due_at = NULL WHERE id = $1', values: [delivery.id, status] });
  for (const status of ['pending', 'retrying']) {
    await become(status);
    t.match(await call(t, api.baseUrl, line, request), { status: 409, json: { code: 'conflict' } }, status);
  }
  for (const status of ['succeeded', 'failed', 'abandoned']) {
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
    text: `UPDATE webhook_deliveries SET status = 'failed', due_at = NULL WHERE environment_id = $1`,
    values: [api.live.id],
  });
  const replay = (webhook: string, delivery: string) =>
    call(t, api.baseUrl, `POST /webhooks/${webhook}/deliveries/${delivery}/replay`, request);
  t.equal((await replay(other.id, id)).status, 404);
  t.equal((await replay(one.id, id)).status, 202);
  await api.database.query({ text: 'DELETE FROM events WHERE environment_id = $1', values: [api.live.id] });
  t.match(await replay(one.id, id), { status: 409, json: { code: 'conflict', detail: /no longer kept/ } });
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
    const { rowCount } = await api.database.query({
      text: `SELECT 1 FROM webhook_deliveries WHERE kind = 'replay' AND environment_id = $1`,
      values: [api.live.id],
    });
    t.equal(rowCount, 0);
  }
});
