import { randomUUID } from 'node:crypto';
import t from 'tap';
import { until } from '../support/until.js';
import { call, send } from './api-client.js';
import { startApiServer, TEST_SECRET_KEYS } from './api-server.js';

async function countLinks(api: Awaited<ReturnType<typeof startApiServer>>): Promise<number> {
  const { rows } = await api.database.query<{ count: number }>({ text: 'SELECT count(*)::integer AS count FROM links', values: [] });
  return rows[0]?.count as number;
}

t.test('the same key with the same request answers the first answer again, byte for byte', async (t) => {
  const api = await startApiServer(t);
  const request = { key: api.liveKey, body: { deep_link_path: '/a' }, headers: { 'idempotency-key': randomUUID() } };
  const first = await call(t, api.baseUrl, 'POST /links', request);
  const again = await call(t, api.baseUrl, 'POST /links', request);
  t.equal(first.status, 201);
  t.equal(first.headers.get('idempotent-replayed'), null);
  t.equal(again.status, 201);
  t.equal(again.headers.get('idempotent-replayed'), 'true');
  t.equal(again.text, first.text);
  t.equal(again.headers.get('location'), first.headers.get('location'));
  t.equal(again.headers.get('content-type'), first.headers.get('content-type'));
  t.not(again.headers.get('x-request-id'), first.headers.get('x-request-id'));
  t.equal(await countLinks(api), 1);
  const upper = { ...request, headers: { 'idempotency-key': request.headers['idempotency-key'].toUpperCase() } };
  t.equal((await call(t, api.baseUrl, 'POST /links', upper)).text, first.text, 'a UUID is one in either case');
});

t.test('another body, path or query with the same key is 422', async (t) => {
  const api = await startApiServer(t);
  const headers = { 'idempotency-key': randomUUID() };
  await call(t, api.baseUrl, 'POST /links', { key: api.liveKey, body: {}, headers });
  for (const [line, rawBody] of [
    ['POST /links', '{"data":{}}'],
    ['POST /links?x=1', '{}'],
    ['POST /links', '{"path":"x"}'],
    ['POST /webhooks', '{}'],
  ] as const) {
    const answer = await call(t, api.baseUrl, line, { key: api.liveKey, rawBody, headers });
    t.equal(answer.status, 422, line);
    t.equal(answer.json.code, 'idempotency_key_reused');
  }
  t.equal(await countLinks(api), 1);
});

t.test('keys of different owners are different keys', async (t) => {
  const api = await startApiServer(t);
  const other = (await api.makeKey('live', ['links:write'])).key;
  const headers = { 'idempotency-key': randomUUID() };
  for (const key of [api.liveKey, api.testKey, other]) {
    const answer = await call(t, api.baseUrl, 'POST /links', { key, body: {}, headers });
    t.equal(answer.headers.get('idempotent-replayed'), null);
  }
  t.equal(await countLinks(api), 3);
});

t.test('the order of JSON members and white space make no other request', async (t) => {
  const api = await startApiServer(t);
  const headers = { 'idempotency-key': randomUUID() };
  const ask = (rawBody: string) => call(t, api.baseUrl, 'POST /links', { key: api.liveKey, rawBody, headers });
  const first = await ask('{"path":"ordered","data":{"a":1,"b":[{"c":1,"d":2}]}}');
  const again = await ask('{ "data": {"b":[{"d":2,"c":1}],"a":1}, "path":"ordered" }');
  t.same([again.status, again.text, again.headers.get('idempotent-replayed')], [201, first.text, 'true']);
  t.equal((await ask('{"path":"ordered","data":{"a":1,"b":[{"c":1,"d":3}]}}')).json.code, 'idempotency_key_reused');
});

t.test('no body and an empty object are the same request', async (t) => {
  const api = await startApiServer(t);
  const view = (await call(t, api.baseUrl, 'POST /views', { key: api.liveKey, body: { name: 'Shared' } })).json.id;
  const headers = { 'idempotency-key': randomUUID() };
  const first = await call(t, api.baseUrl, `POST /views/${view}/share`, { key: api.liveKey, body: {}, headers });
  const again = await call(t, api.baseUrl, `POST /views/${view}/share`, { key: api.liveKey, headers });
  t.same([first.status, again.status, again.text], [201, 201, first.text]);
});

t.test('what a release that knows no canonical fingerprint remembered is replayed for the same bytes', async (t) => {
  const api = await startApiServer(t);
  const headers = { 'idempotency-key': randomUUID() };
  const ask = (rawBody: string) => call(t, api.baseUrl, 'POST /links', { key: api.liveKey, rawBody, headers });
  const first = await ask('{"path":"old","data":{}}');
  await api.database.query({ text: 'UPDATE idempotency_keys SET canonical_fingerprint = NULL', values: [] });
  t.equal((await ask('{"path":"old","data":{}}')).text, first.text);
  t.equal((await ask('{"data":{},"path":"old"}')).json.code, 'idempotency_key_reused');
});

t.test('only what took effect is remembered: a corrected body may use the same key', async (t) => {
  const api = await startApiServer(t);
  await call(t, api.baseUrl, 'POST /links', { key: api.liveKey, body: { path: 'taken' } });
  for (const [body, status, corrected] of [
    [{ path: 'taken' }, 409, { path: 'free' }],
    [{ path: 'not a path' }, 422, { path: 'a-path' }],
    [{ destinations: { web: 'javascript:alert(1)' } }, 422, { destinations: { web: 'https://example.com/' } }],
  ] as const) {
    const request = { key: api.liveKey, headers: { 'idempotency-key': randomUUID() } };
    const refused = await call(t, api.baseUrl, 'POST /links', { ...request, body });
    const again = await call(t, api.baseUrl, 'POST /links', { ...request, body });
    for (const answer of [refused, again]) t.same([answer.status, answer.headers.get('idempotent-replayed')], [status, null]);
    const made = await call(t, api.baseUrl, 'POST /links', { ...request, body: corrected });
    t.same([made.status, made.headers.get('idempotent-replayed')], [201, null]);
    t.equal((await call(t, api.baseUrl, 'POST /links', { ...request, body: corrected })).text, made.text);
  }
});

t.test('a 503 is not remembered', async (t) => {
  const withoutQueue = await startApiServer(t, { queue: 'none' });
  const webhook = await call(t, withoutQueue.baseUrl, 'POST /webhooks', {
    key: withoutQueue.liveKey,
    body: { url: 'https://hooks.example.com/', events: ['link.created'] },
  });
  const request = { key: withoutQueue.liveKey, headers: { 'idempotency-key': randomUUID() } };
  for (let attempt = 0; attempt < 2; attempt++) {
    const answer = await call(t, withoutQueue.baseUrl, `POST /webhooks/${webhook.json.id}/test`, request);
    t.equal(answer.status, 503);
    t.equal(answer.headers.get('idempotent-replayed'), null);
  }
});

t.test('a key is forgotten after 24 hours', async (t) => {
  const api = await startApiServer(t);
  const request = { key: api.liveKey, body: {}, headers: { 'idempotency-key': randomUUID() } };
  const first = await call(t, api.baseUrl, 'POST /links', request);
  const age = (interval: string) =>
    api.database.query({ text: 'UPDATE idempotency_keys SET created_at = now() - $1::interval', values: [interval] });
  await age('23 hours 59 minutes');
  t.equal((await call(t, api.baseUrl, 'POST /links', request)).text, first.text);
  await age('24 hours 1 second');
  const second = await call(t, api.baseUrl, 'POST /links', request);
  t.not(second.json.id, first.json.id);
  t.equal((await call(t, api.baseUrl, 'POST /links', request)).text, second.text);
});

t.test('what is remembered holds no secret in the clear', async (t) => {
  const api = await startApiServer(t);
  const body = { url: 'https://hooks.example.com/', events: ['link.created'] };
  const request = { key: api.liveKey, body, headers: { 'idempotency-key': randomUUID() } };
  const first = await call(t, api.baseUrl, 'POST /webhooks', request);
  t.match(first.json.secret, /^whsec_[0-9A-Za-z]{32}$/);
  t.equal((await call(t, api.baseUrl, 'POST /webhooks', request)).text, first.text);
  const { rows } = await api.database.query<{ body: Buffer }>({ text: 'SELECT body FROM idempotency_keys', values: [] });
  t.equal(rows.length, 1);
  t.notOk(rows[0]?.body.includes('whsec_'));
});

t.test('a hundred parallel requests with one key, on two servers, make one object', async (t) => {
  const api = await startApiServer(t);
  const second = await startApiServer(t, { databaseUrl: api.databaseUrl, secretKeys: TEST_SECRET_KEYS });
  for (const [line, body] of [
    ['POST /links', {}],
    ['POST /webhooks', { url: 'https://hooks.example.com/', events: ['link.created'] }],
  ] as const) {
    const request = { key: api.liveKey, body, headers: { 'idempotency-key': randomUUID() } };
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => send(index % 2 === 0 ? api.baseUrl : second.baseUrl, line, request)),
    );
    const made = answers.filter((answer) => answer.status === 201);
    t.equal(new Set(made.map((answer) => answer.text)).size, 1, 'every 201 is the same answer');
    t.equal(made.filter((answer) => answer.headers.get('idempotent-replayed') === null).length, 1, 'one of them is the first');
    for (const answer of answers) if (answer.status !== 201) t.match(answer, { status: 409, json: { code: 'conflict' } });
    const after = await call(t, second.baseUrl, line, request);
    t.equal(after.text, made[0]?.text);
  }
  t.equal(await countLinks(api), 1);
});

t.test('while a check waits for another server, its key is in use on every control plane', async (t) => {
  const lookups: (() => void)[] = [];
  const resolver = async () => {
    await new Promise<void>((resolve) => lookups.push(resolve));
    return ['93.184.216.34'];
  };
  const api = await startApiServer(t, { resolver });
  const second = await startApiServer(t, { databaseUrl: api.databaseUrl, secretKeys: TEST_SECRET_KEYS, resolver });
  const body = { url: 'https://hooks.example.com/', events: ['link.created'] };
  const request = { key: api.liveKey, body, headers: { 'idempotency-key': randomUUID() } };
  const ask = (server: typeof api) => send(server.baseUrl, 'POST /webhooks', request);
  const runs = async () => {
    const { rows } = await api.database.query<{ key_id: string }>({ text: 'SELECT key_id FROM idempotency_runs', values: [] });
    return rows.length;
  };
  const first = ask(api);
  await until(async () => (await runs()) === 1, 'the note of the first request');
  for (const server of [api, second]) t.match(await ask(server), { status: 409, json: { code: 'conflict' } });
  t.equal(lookups.length, 1, 'nothing was looked up for the others');
  lookups[0]?.();
  const made = await first;
  t.equal(made.status, 201);
  t.equal(await runs(), 0);
  t.match(await ask(second), { status: 201, text: made.text }, 'replayed');

  const other = { ...request, headers: { 'idempotency-key': randomUUID() } };
  const both = [api, second].map((server) =>
    send(server.baseUrl, 'POST /webhooks', { ...other, body: { ...body, url: 'https://other.example.com/' } }),
  );
  const refused = await Promise.race(both);
  t.match(refused, { status: 409, json: { code: 'conflict' } }, 'of two that came at once, one goes on');
  for (const go of lookups) go();
  t.same((await Promise.all(both)).map(({ status }) => status).sort(), [201, 409]);
});

t.test('a key is free after a refused check, and half a minute after its process died', async (t) => {
  const lookups: ((addresses: readonly string[]) => void)[] = [];
  const api = await startApiServer(t, { resolver: () => new Promise((resolve) => lookups.push(resolve)) });
  const body = { url: 'https://hooks.example.com/', events: ['link.created'] };
  const request = { key: api.liveKey, body, headers: { 'idempotency-key': randomUUID() } };
  const runs = async () => {
    const { rows } = await api.database.query<{ seconds: number }>({
      text: 'SELECT extract(epoch FROM ends_at - now())::float AS seconds FROM idempotency_runs',
      values: [],
    });
    return rows.map(({ seconds }) => seconds);
  };
  const first = send(api.baseUrl, 'POST /webhooks', request);
  await until(async () => (await runs()).length === 1, 'the note of the first request');
  const [seconds = 0] = await runs();
  t.ok(seconds > 20 && seconds <= 30, String(seconds));
  lookups[0]?.(['127.0.0.1']);
  t.equal((await first).status, 422);
  t.same(await runs(), []);

  await api.database.query({
    text: `INSERT INTO idempotency_runs (key_id, idempotency_key, request_id, ends_at)
           SELECT id, $1, 'gone', now() - interval '1 second' FROM api_keys`,
    values: [request.headers['idempotency-key']],
  });
  const again = send(api.baseUrl, 'POST /webhooks', request);
  await until(async () => lookups.length === 2 && (await runs()).some((left) => left > 0), 'the note of the second request');
  lookups[1]?.(['93.184.216.34']);
  t.equal((await again).status, 201);
});
