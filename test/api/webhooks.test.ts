import t from 'tap';
import { WEBHOOK_ROUTES } from '../../shared/contract/routes/webhooks.js';
import { unseal, webhookSecretPlace } from '../../shared/secrets/seal.js';
import { REFUSED_URLS } from '../support/refused-urls.js';
import { call, send } from './api-client.js';
import { type ApiServer, startApiServer, TEST_SECRET_KEYS } from './api-server.js';

const body = { url: 'https://hooks.example.com/a', events: ['link.created', 'click.created'] };

/** One server for all cases that need no special settings. Each case has a project of its own. */
const server = await startApiServer(t);

async function createWebhook(api: ApiServer, more: object = {}): Promise<string> {
  return (await send(api.baseUrl, 'POST /webhooks', { key: api.liveKey, body: { ...body, ...more } })).json.id;
}

t.test('an endpoint is created with a secret that is shown once and stored sealed', async (t) => {
  const api = await server.anotherProject();
  const request = { key: api.liveKey };
  const created = await call(t, api.baseUrl, 'POST /webhooks', { ...request, body: { ...body, description: 'orders' } });
  t.match(created.json, { ...body, description: 'orders', environment: 'live', status: 'active', failing_since: null });
  t.match(created.json.secret, /^whsec_[0-9A-Za-z]{32}$/);
  const { secret, ...rest } = created.json;
  t.same((await call(t, api.baseUrl, `GET /webhooks/${rest.id}`, request)).json, rest);
  t.same((await call(t, api.baseUrl, 'GET /webhooks', request)).json, { data: [rest], next_cursor: null });
  const { rows } = await api.database.query<{ secret: Buffer }>({
    text: 'SELECT secret FROM webhook_endpoints WHERE id = $1',
    values: [rest.id],
  });
  const sealed = rows[0]?.secret as Buffer;
  t.notOk(sealed.includes(secret));
  t.equal(unseal(TEST_SECRET_KEYS, webhookSecretPlace(rest.id), sealed), secret);
});

t.test('every operation on endpoints needs the same scope, also one that reads', async (t) => {
  for (const { method, path, scopes } of Object.values(WEBHOOK_ROUTES)) t.same(scopes, ['webhooks:write'], `${method} ${path}`);
});

t.test('twenty endpoints and no more, also when they are made at once', async (t) => {
  const api = await server.anotherProject();
  const numbered = (number: number) => ({ ...body, url: `https://hooks.example.com/${number}` });
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, number) => send(api.baseUrl, 'POST /webhooks', { key: api.liveKey, body: numbered(number) })),
  );
  t.equal(answers.filter((answer) => answer.status === 201).length, 20);
  t.equal(answers.filter((answer) => answer.status === 409 && answer.json.code === 'conflict').length, 20);
  t.equal((await call(t, api.baseUrl, 'POST /webhooks', { key: api.testKey, body })).status, 201, 'the other environment has its own');
  const list = await call(t, api.baseUrl, 'GET /webhooks?limit=100', { key: api.liveKey });
  t.equal(list.json.data.length, 20);
  await call(t, api.baseUrl, `DELETE /webhooks/${list.json.data[0].id}`, { key: api.liveKey });
  t.equal((await call(t, api.baseUrl, 'POST /webhooks', { key: api.liveKey, body: numbered(40) })).status, 201);
});

t.test('one URL stands once in an environment, however it is spelled, and also when it is sent twenty times at once', async (t) => {
  const api = await server.anotherProject();
  const create = (key: string, url: string) => send(api.baseUrl, 'POST /webhooks', { key, body: { ...body, url } });
  const answers = await Promise.all(Array.from({ length: 20 }, () => create(api.liveKey, 'https://hooks.example.com/once')));
  t.equal(answers.filter(({ status }) => status === 201).length, 1);
  t.equal(answers.filter(({ status, json }) => status === 409 && json.code === 'conflict').length, 19);
  const taken = answers.find(({ status }) => status === 201)?.json;
  for (const spelling of [
    'https://HOOKS.example.com/once',
    'https://hooks.example.com:443/once',
    'https://hooks.example.com/x/../once',
    'https://hooks.example.com/once#again',
    'https://hooks.example.com/once?',
  ]) {
    const again = await create(api.liveKey, spelling);
    t.equal(again.status, 409, spelling);
    t.match(again.json.detail, taken.id);
  }
  for (const other of ['https://hooks.example.com/Once', 'https://hooks.example.com/once?a', 'https://hooks.example.com:8443/once'])
    t.equal((await create(api.liveKey, other)).status, 201, other);
  t.equal((await create(api.testKey, 'https://hooks.example.com/once')).status, 201, 'the other environment has its own');
});

t.test('an endpoint is not moved to the URL of another one; endpoints that share a URL from before go on', async (t) => {
  const api = await server.anotherProject();
  const first = await createWebhook(api, { url: 'https://hooks.example.com/first' });
  const second = await createWebhook(api, { url: 'https://hooks.example.com/second' });
  const patch = (id: string, change: object) => call(t, api.baseUrl, `PATCH /webhooks/${id}`, { key: api.liveKey, body: change });
  t.equal((await patch(second, { url: 'https://hooks.example.com/first' })).status, 409);
  t.equal((await patch(second, { url: 'https://hooks.example.com/second#same' })).status, 200, 'its own is no other');
  await api.database.query({
    text: 'UPDATE webhook_endpoints SET url = $2 WHERE id = $1',
    values: [second, 'https://hooks.example.com/first'],
  });
  for (const id of [first, second]) {
    t.equal((await patch(id, { description: 'still here' })).status, 200);
    t.equal((await patch(id, { url: 'https://hooks.example.com/first', status: 'disabled' })).status, 200);
    t.equal((await patch(id, { status: 'active' })).status, 200);
  }
  t.equal((await patch(first, { url: 'https://hooks.example.com/third' })).status, 200, 'a way out');
});

t.test('only public https URLs are taken, on creation and on change', async (t) => {
  const addresses: Record<string, readonly string[]> = {
    'private.example.com': ['10.0.0.1'],
    'mixed.example.com': ['93.184.216.34', '127.0.0.1'],
  };
  const api = await startApiServer(t, {
    resolver: async (name) => addresses[name] ?? ['93.184.216.34'],
    outboundAllow: ['http://127.0.0.1:4000'],
  });
  const webhook = await createWebhook(api);
  for (const [url, code] of [
    ['http://hooks.example.com/', 'scheme_not_allowed'],
    ['https://127.0.0.1/', 'host_not_public'],
    ['https://2130706433/', 'host_not_public'],
    ['https://[::1]/', 'host_not_public'],
    ['https://localhost/', 'host_not_public'],
    ['https://printer.local/', 'host_not_public'],
    ['https://private.example.com/', 'host_not_public'],
    ['https://mixed.example.com/', 'host_not_public'],
    ['https://user:pass@hooks.example.com/', 'invalid_url'],
    ['hooks.example.com', 'invalid_url'],
    ['javascript:alert(1)', 'invalid_url'],
    ['http://127.0.0.1:4001/', 'scheme_not_allowed'],
  ] as const) {
    const wrong = { errors: [{ in: 'body', pointer: '/url', code }] };
    t.match((await call(t, api.baseUrl, 'POST /webhooks', { key: api.liveKey, body: { ...body, url } })).json, wrong, url);
    t.match((await call(t, api.baseUrl, `PATCH /webhooks/${webhook}`, { key: api.liveKey, body: { url } })).json, wrong, url);
  }
  const allowed = await call(t, api.baseUrl, 'POST /webhooks', { key: api.liveKey, body: { ...body, url: 'http://127.0.0.1:4000/hook' } });
  t.equal(allowed.status, 201, 'an origin the operator allows');
  const both = await call(t, api.baseUrl, 'POST /webhooks', { key: api.liveKey, body: { url: 'https://127.0.0.1/', events: [], nope: 1 } });
  t.same(both.json.errors.map((error: { pointer: string }) => error.pointer).sort(), ['/events', '/nope', '/url']);
});

t.test('no spelling of a refused URL is stored, on creation or on change, and no name is asked for its address', async (t) => {
  const api = await startApiServer(t, { resolver: async () => t.fail('asked') as never });
  const { rows } = await api.database.query<{ id: string }>({
    text: `INSERT INTO webhook_endpoints (id, environment_id, url, events, secret, created_at, updated_at)
           VALUES ('wh_01jd4v6xq8e5s0m3k7n9p2r4tw', $1, 'https://hooks.example.com/', '{link.created}', '', now(), now()) RETURNING id`,
    values: [api.live.id],
  });
  const lines = ['POST /webhooks', `PATCH /webhooks/${rows[0]?.id}`];
  await Promise.all(
    lines.flatMap((line) =>
      REFUSED_URLS.map(async ([url]) => {
        const answer = await send(api.baseUrl, line, { key: api.liveKey, body: line.startsWith('POST') ? { ...body, url } : { url } });
        t.equal(answer.status, 422, `${line} ${JSON.stringify(url)}`);
        t.match(answer.json.errors, [{ in: 'body', pointer: '/url' }]);
      }),
    ),
  );
  const stored = await api.database.query<{ url: string }>({ text: 'SELECT url FROM webhook_endpoints', values: [] });
  t.same(stored.rows, [{ url: 'https://hooks.example.com/' }]);
});

t.test('an endpoint is changed, disabled, and enabled without its failure streak', async (t) => {
  const api = await server.anotherProject();
  const id = await createWebhook(api);
  const patch = (change: object) => call(t, api.baseUrl, `PATCH /webhooks/${id}`, { key: api.liveKey, body: change });
  const before = (await patch({})).json;
  t.same((await patch({ url: body.url, events: body.events, status: 'active' })).json, before, 'the same values change nothing');
  t.match((await patch({ description: 'x', events: ['click.created'] })).json, { description: 'x', events: ['click.created'] });
  t.match((await patch({ description: null })).json, { description: null, events: ['click.created'] });
  const disabled = (await patch({ status: 'disabled' })).json;
  t.match(disabled, { status: 'disabled', disabled_at: /Z$/, disabled_reason: String });
  t.same((await patch({ status: 'disabled' })).json, disabled);
  await api.database.query({
    text: `UPDATE webhook_endpoints SET status = 'auto_disabled', failing_since = now() WHERE id = $1`,
    values: [id],
  });
  t.match((await patch({ status: 'active' })).json, { status: 'active', disabled_at: null, disabled_reason: null, failing_since: null });
});

t.test('an endpoint shows how many clicks it was not sent, and when that was last', async (t) => {
  const api = await server.anotherProject();
  const id = await createWebhook(api);
  const shown = async () => (await call(t, api.baseUrl, `GET /webhooks/${id}`, { key: api.liveKey })).json;
  t.match(await shown(), { events_dropped: 0, events_dropped_at: null });
  await api.database.query({
    text: `INSERT INTO webhook_backlogs (webhook_id, queued, dropped, dropped_at) VALUES ($1, 100000, 5000000000, '2026-11-20T08:00:00Z')`,
    values: [id],
  });
  const dropped = { events_dropped: 5_000_000_000, events_dropped_at: '2026-11-20T08:00:00.000Z' };
  t.match(await shown(), dropped);
  const [listed] = (await call(t, api.baseUrl, 'GET /webhooks', { key: api.liveKey })).json.data;
  t.match(listed, dropped);
  t.match((await call(t, api.baseUrl, `PATCH /webhooks/${id}`, { key: api.liveKey, body: { description: 'x' } })).json, dropped);
  t.match((await call(t, api.baseUrl, `POST /webhooks/${id}/rotate-secret`, { key: api.liveKey })).json, dropped);
});

t.test('deleting an endpoint deletes its log and no other', async (t) => {
  const api = await server.anotherProject();
  const [id, other] = [await createWebhook(api), await createWebhook(api, { url: 'https://hooks.example.com/other' })];
  for (const webhook of [id, id, other]) await call(t, api.baseUrl, `POST /webhooks/${webhook}/test`, { key: api.liveKey });
  t.equal((await call(t, api.baseUrl, `DELETE /webhooks/${id}`, { key: api.liveKey })).status, 204);
  t.equal((await call(t, api.baseUrl, `GET /webhooks/${id}/deliveries`, { key: api.liveKey })).status, 404);
  t.equal((await call(t, api.baseUrl, `DELETE /webhooks/${id}`, { key: api.liveKey })).status, 404);
  const { rows } = await api.database.query<{ webhook_id: string }>({
    text: 'SELECT webhook_id FROM webhook_deliveries WHERE environment_id = $1',
    values: [api.live.id],
  });
  t.same(rows, [{ webhook_id: other }]);
});

t.test(
  'an endpoint whose deliveries a dispatcher has locked is deleted without a wait; what is locked is left to the janitor',
  async (t) => {
    const api = await server.anotherProject();
    const id = await createWebhook(api);
    const logged = async () =>
      (await api.database.query<{ id: string }>({ text: 'SELECT id FROM webhook_deliveries WHERE webhook_id = $1', values: [id] })).rows;
    for (let count = 0; count < 3; count++) await call(t, api.baseUrl, `POST /webhooks/${id}/test`, { key: api.liveKey });
    const [first] = await logged();
    await api.database.transaction(async (dispatcher) => {
      await dispatcher.query({ text: 'SELECT FROM webhook_deliveries WHERE id = $1 FOR UPDATE', values: [first?.id] });
      t.equal((await call(t, api.baseUrl, `DELETE /webhooks/${id}`, { key: api.liveKey })).status, 204);
      t.same(await logged(), [first]);
    });
  },
);

t.test('an endpoint that is gone is answered with 204, whatever becomes of its log; an error of the statement is told', async (t) => {
  const api = await server.anotherProject();
  await api.database.query({
    text: `CREATE FUNCTION refuse_deletion() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
             RAISE EXCEPTION 'refused' USING ERRCODE = TG_ARGV[0];
           END $$`,
    values: [],
  });
  for (const [sqlstate, status] of [
    ['40P01', 204],
    ['57014', 204],
    ['42703', 500],
  ] as const) {
    const id = await createWebhook(api);
    await call(t, api.baseUrl, `POST /webhooks/${id}/test`, { key: api.liveKey });
    await api.database.query({
      text: `CREATE TRIGGER refused BEFORE DELETE ON webhook_deliveries FOR EACH ROW WHEN (OLD.webhook_id = '${id}')
               EXECUTE FUNCTION refuse_deletion('${sqlstate}')`,
      values: [],
    });
    t.equal((await call(t, api.baseUrl, `DELETE /webhooks/${id}`, { key: api.liveKey })).status, status, sqlstate);
    t.equal((await call(t, api.baseUrl, `GET /webhooks/${id}`, { key: api.liveKey })).status, 404);
    await api.database.query({ text: 'DROP TRIGGER refused ON webhook_deliveries', values: [] });
  }
});

t.test('the test queues a sample of the first subscribed type, for this endpoint alone', async (t) => {
  const api = await server.anotherProject();
  const id = await createWebhook(api, { events: ['click.created', 'link.created'] });
  await createWebhook(api);
  const answer = await call(t, api.baseUrl, `POST /webhooks/${id}/test`, { key: api.liveKey });
  t.equal(answer.status, 202);
  t.match(answer.json, { webhook_id: id, kind: 'test', attempt: 1, status: 'pending', event_type: 'click.created', next_attempt_at: null });
  const event = JSON.parse(answer.json.request_body);
  t.match(event, { id: answer.json.event_id, type: 'click.created', environment: 'live', test: true });
  const { rows } = await api.database.query<object>({
    text: 'SELECT delivery.id, due_at IS NOT NULL AS queued, event.body FROM webhook_deliveries AS delivery JOIN events AS event ON event.id = event_id WHERE webhook_id = $1',
    values: [id],
  });
  t.same(rows, [{ id: answer.json.id, queued: true, body: answer.json.request_body }]);
  const again = await call(t, api.baseUrl, `POST /webhooks/${id}/test`, { key: api.liveKey, body: {} });
  t.not(again.json.event_id, answer.json.event_id, 'a fresh event each time');
  const list = await call(t, api.baseUrl, `GET /webhooks/${id}/deliveries`, { key: api.liveKey });
  t.same(list.json.data, [again.json, answer.json]);
});

t.test('the test sends a sample of a type that is named, if the endpoint is subscribed to it', async (t) => {
  const api = await server.anotherProject();
  const endpoint = { url: 'https://hooks.example.com/chosen', events: ['click.created', 'link.created'] };
  const { id } = (await call(t, api.baseUrl, 'POST /webhooks', { key: api.liveKey, body: endpoint })).json;
  const test = (body: unknown) => call(t, api.baseUrl, `POST /webhooks/${id}/test`, { key: api.liveKey, body });
  const { status, json } = await test({ event_type: 'link.created' });
  t.same([status, json.event_type, json.kind], [202, 'link.created', 'test']);
  t.equal(JSON.parse(json.request_body).type, 'link.created');
  t.equal((await test({ event_type: null })).json.event_type, 'click.created');
  for (const [event_type, detail] of [
    ['link.updated', /subscribed to: click.created, link.created/],
    ['link.lost', /must be one of/],
  ] as const)
    t.match(await test({ event_type }), { status: 422, json: { errors: [{ in: 'body', pointer: '/event_type', detail }] } });
});

t.test('without a job queue connection the test answers 503 and writes nothing', async (t) => {
  for (const queue of ['none', 'postgres://postgres:password@127.0.0.1:1/none']) {
    const api = await startApiServer(t, { queue, databaseUrl: server.databaseUrl });
    const id = await createWebhook(api);
    const answer = await call(t, api.baseUrl, `POST /webhooks/${id}/test`, { key: api.liveKey });
    t.match(answer, { status: 503, json: { code: 'service_unavailable' } });
    t.ok(answer.headers.get('retry-after'));
    const { rowCount } = await api.database.query({
      text: 'SELECT 1 FROM events WHERE environment_id = $1 UNION ALL SELECT 1 FROM webhook_deliveries WHERE environment_id = $1',
      values: [api.live.id],
    });
    t.equal(rowCount, 0);
  }
});

t.test('deliveries are listed by window, status and type, newest first', async (t) => {
  const api = await server.anotherProject();
  const id = await createWebhook(api);
  const ids: string[] = [];
  for (let index = 0; index < 5; index++) ids.unshift((await send(api.baseUrl, `POST /webhooks/${id}/test`, { key: api.liveKey })).json.id);
  await api.database.query({
    text: `UPDATE webhook_deliveries SET status = 'failed', response_code = 500, response_body = 'no', latency_ms = 12, error = 'timeout' WHERE id = $1`,
    values: [ids[2]],
  });
  const list = async (query: string) => (await call(t, api.baseUrl, `GET /webhooks/${id}/deliveries?${query}`, { key: api.liveKey })).json;
  const idsOf = (page: { data: { id: string }[] }) => page.data.map((delivery) => delivery.id);
  t.same(idsOf(await list('')), ids);
  const first = await list('limit=2');
  t.same([...idsOf(first), ...idsOf(await list(`limit=3&cursor=${first.next_cursor}`))], ids);
  t.match((await list('status=failed')).data, [{ id: ids[2], response_code: 500, response_body: 'no', latency_ms: 12, error: 'timeout' }]);
  t.same(idsOf(await list('event_type=click.created')), []);
  t.same(idsOf(await list('event_type=link.created&status=pending')).length, 4);
  const day = (offset: number) => encodeURIComponent(new Date(Date.now() + offset * 86_400_000).toISOString());
  t.same(idsOf(await list(`from=${day(-1)}&to=${day(0)}`)), ids);
  t.same(idsOf(await list(`from=${day(-29)}&to=${day(-1)}`)), []);
  t.same(idsOf(await list(`from=${day(-29.9)}`)), ids);
  for (const [query, pointer] of [
    [`from=${day(-31)}`, '/from'],
    [`from=${day(-40)}&to=${day(-5)}`, '/from'],
    [`from=${day(1)}`, '/from'],
    [`from=${day(0)}&to=${day(-1)}`, '/from'],
  ] as const)
    t.match(await list(query), { errors: [{ in: 'query', pointer, code: 'invalid_range' }] }, query);
  const otherWebhook = await createWebhook(api);
  const foreign = await call(t, api.baseUrl, `GET /webhooks/${otherWebhook}/deliveries?cursor=${first.next_cursor}`, { key: api.liveKey });
  t.match(foreign.json, { errors: [{ pointer: '/cursor' }] });
});

t.test('the log shows the first 2 KB of a body, cut between characters', async (t) => {
  const api = await server.anotherProject();
  const id = await createWebhook(api);
  await send(api.baseUrl, 'POST /links', { key: api.liveKey, body: { data: { text: '😀'.repeat(900) } } });
  const { data } = (await call(t, api.baseUrl, `GET /webhooks/${id}/deliveries`, { key: api.liveKey })).json;
  t.equal(data[0].event_type, 'link.created');
  t.equal(data[0].kind, 'automatic');
  const bytes = Buffer.byteLength(data[0].request_body);
  t.ok(bytes > 2044 && bytes <= 2048, String(bytes));
  t.notMatch(data[0].request_body, /\ufffd/);
});

t.test('a window with an end alone begins seven days before it, and a space in a query is the plus of an offset', async (t) => {
  const api = await startApiServer(t);
  const { json: webhook } = await call(t, api.baseUrl, 'POST /webhooks', {
    key: api.liveKey,
    body: { url: 'https://hooks.example.com/', events: ['link.created'] },
  });
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  for (const list of [`/webhooks/${webhook.id}/deliveries`, '/events']) {
    const status = async (query: string) => (await call(t, api.baseUrl, `GET ${list}?${query}`, { key: api.liveKey })).status;
    t.equal(await status(`to=${hoursAgo(20 * 24).toISOString()}`), 200, 'an end before the seven days up to now');
    t.equal(await status(`to=${hoursAgo(1).toISOString().slice(0, 19)}+00:00`), 200);
    t.equal(await status(`to=${hoursAgo(1).toISOString().slice(0, 19)}%2B0000`), 200);
    t.equal(await status(`to=${hoursAgo(1).toISOString().slice(0, 10)} 10:00`), 422, 'no offset');
  }
});
