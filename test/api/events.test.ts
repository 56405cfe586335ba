import { randomUUID } from 'node:crypto';
import t from 'tap';
import { createPool } from '../../control-plane/db/database.js';
import { readClickSubscribers } from '../../engine/shipping/sql.js';
import { EVENT_TYPES } from '../../shared/contract/schemas/events.js';
import { call, send } from './api-client.js';
import { type ApiServer, startApiServer } from './api-server.js';

async function makeWebhook(api: ApiServer, events: readonly string[], more: object = {}): Promise<string> {
  const body = { url: `https://hooks.example.com/${randomUUID()}`, events };
  const { json } = await send(api.baseUrl, 'POST /webhooks', { key: api.liveKey, body });
  if (Object.keys(more).length > 0) await send(api.baseUrl, `PATCH /webhooks/${json.id}`, { key: api.liveKey, body: more });
  return json.id;
}

t.test('what happens in an environment is listed newest first, by type and window, whether or not somebody is told', async (t) => {
  const api = await startApiServer(t);
  const list = async (query: string, key = api.liveKey) => (await call(t, api.baseUrl, `GET /events?${query}`, { key })).json;
  t.same(await list(''), { data: [], next_cursor: null });
  const link = (await send(api.baseUrl, 'POST /links', { key: api.liveKey, body: { data: { b: 1, a: 2 } } })).json;
  await send(api.baseUrl, `PATCH /links/${link.id}`, { key: api.liveKey, body: { status: 'disabled' } });
  await send(api.baseUrl, 'POST /campaigns', { key: api.liveKey, body: { key: 'spring', name: 'Spring' } });
  await send(api.baseUrl, 'POST /links', { key: api.testKey, body: {} });
  const { data } = await list('');
  t.same(
    data.map((event: { type: string }) => event.type),
    ['campaign.created', 'link.disabled', 'link.created'],
  );
  t.match(data[2], { id: /^evt_/, environment: 'live', test: false, data: { id: link.id, status: 'active' } });
  const { rows } = await api.database.query<{ body: string }>({ text: 'SELECT body FROM events WHERE id = $1', values: [data[2].id] });
  const { test, ...rest } = data[2];
  t.equal(JSON.stringify(rest), rows[0]?.body, 'the members in the order they are delivered in');
  t.same(await list('type=link.disabled'), { data: [data[1]], next_cursor: null });
  const first = await list('limit=2');
  t.same([...first.data, ...(await list(`limit=2&cursor=${first.next_cursor}`)).data], data);
  const time = (offsetMs: number) => encodeURIComponent(new Date(Date.now() + offsetMs).toISOString());
  t.same((await list(`from=${time(-60_000)}&to=${time(0)}`)).data, data);
  t.same((await list(`from=${time(-86_400_000)}&to=${time(-60_000)}`)).data, []);
  t.match(await list(`from=${time(-31 * 86_400_000)}`), { errors: [{ pointer: '/from', code: 'invalid_range' }] });
  t.match(await list('type=link.deleted'), { errors: [{ pointer: '/type' }] });
  t.match(await list(`cursor=${first.next_cursor}`, api.testKey), { errors: [{ pointer: '/cursor', code: 'invalid_cursor' }] });
  const own = (await list('', api.testKey)).data;
  t.equal(own.length, 1, 'another environment has its own');
  t.match(own, [{ environment: 'test', data: { environment: 'test' } }]);
});

t.test('clicks become events for a minute after they were listed by type, and for nobody else', async (t) => {
  const api = await startApiServer(t);
  const pool = createPool(api.databaseUrl, 1, 'test', () => {});
  t.teardown(() => pool.end());
  const listeners = async () => {
    const client = await pool.connect();
    const { rows: environments } = await client.query<{ number: number }>('SELECT number FROM environments');
    const rows = await readClickSubscribers(
      client,
      environments.map(({ number }) => number),
    );
    client.release();
    return rows.map(({ webhook_id, queued }) => ({ webhook_id, queued }));
  };
  const pass = (seconds: number) =>
    api.database.query({ text: `UPDATE click_listeners SET until = until - $1::integer * interval '1 second'`, values: [seconds] });
  await call(t, api.baseUrl, 'GET /events', { key: api.liveKey });
  await call(t, api.baseUrl, 'GET /events?type=link.created', { key: api.liveKey });
  t.same(await listeners(), []);
  await call(t, api.baseUrl, 'GET /events?type=click.created', { key: api.liveKey });
  t.same(await listeners(), [{ webhook_id: null, queued: 0 }]);
  await pass(45);
  await call(t, api.baseUrl, 'GET /events?type=click.created', { key: api.liveKey });
  await pass(45);
  t.equal((await listeners()).length, 1, 'as long as somebody goes on asking');
  await pass(16);
  t.same(await listeners(), []);
});

t.test('a sample of any type is sent to each enabled endpoint that wants it, once, and is listed as a test', async (t) => {
  const api = await startApiServer(t);
  const wanting = [await makeWebhook(api, EVENT_TYPES), await makeWebhook(api, ['link.created', 'domain.failed'])];
  await makeWebhook(api, ['link.created'], { status: 'disabled' });
  for (const type of EVENT_TYPES) {
    const answer = await call(t, api.baseUrl, 'POST /events/trigger', { key: api.liveKey, body: { type } });
    t.equal(answer.status, 202, type);
    const expected = wanting.slice(0, ['link.created', 'domain.failed'].includes(type) ? 2 : 1);
    t.match(answer.json, {
      id: /^evt_/,
      type,
      test: true,
      deliveries: expected.map((webhook_id) => ({
        webhook_id,
        event_id: answer.json.id,
        event_type: type,
        kind: 'test',
        attempt: 1,
        status: 'pending',
      })),
    });
    t.equal(answer.json.deliveries.length, expected.length);
    const { deliveries, ...event } = answer.json;
    t.same((await call(t, api.baseUrl, 'GET /events?limit=1', { key: api.liveKey })).json.data, [event]);
    const { rows } = await api.database.query<{ id: string }>({
      text: 'SELECT id FROM webhook_deliveries WHERE event_id = $1 AND due_at <= now() ORDER BY webhook_id',
      values: [answer.json.id],
    });
    t.same(
      rows.map(({ id }) => id),
      deliveries.map(({ id }: { id: string }) => id),
    );
  }
});

t.test('without a job queue connection no sample is made', async (t) => {
  const api = await startApiServer(t, { queue: 'none' });
  const answer = await call(t, api.baseUrl, 'POST /events/trigger', { key: api.liveKey, body: { type: 'link.created' } });
  t.match(answer, { status: 503, json: { code: 'service_unavailable' } });
  t.same((await call(t, api.baseUrl, 'GET /events', { key: api.liveKey })).json.data, []);
});
