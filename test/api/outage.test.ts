import { randomUUID } from 'node:crypto';
import t from 'tap';
import { createDatabase } from '../support/database.js';
import { call, send } from './api-client.js';
import { startApiServer } from './api-server.js';
import { startDatabaseProxy } from './database-proxy.js';

async function behindProxy() {
  const own = await createDatabase();
  t.teardown(() => own.drop());
  const proxy = await startDatabaseProxy(t, own.url);
  return { proxy, api: await startApiServer(t, { databaseUrl: proxy.url, setupDatabaseUrl: own.url, queue: proxy.url }) };
}

t.test('while PostgreSQL refuses, every operation answers 503 at once, and works again without a restart', async (t) => {
  const { proxy, api } = await behindProxy();
  const request = { key: api.liveKey };
  const link = await call(t, api.baseUrl, 'POST /links', { ...request, body: {} });
  const webhook = await call(t, api.baseUrl, 'POST /webhooks', {
    ...request,
    body: { url: 'https://hooks.example.com/', events: ['link.created'] },
  });
  await proxy.refuse();
  const started = performance.now();
  for (const [line, body] of [
    ['GET /links', undefined],
    [`GET /links/${link.json.id}`, undefined],
    ['POST /links', {}],
    [`PATCH /links/${link.json.id}`, { deep_link_path: '/x' }],
    [`DELETE /links/${link.json.id}`, undefined],
    [`POST /webhooks/${webhook.json.id}/test`, undefined],
  ] as const)
    for (const headers of [{}, { 'idempotency-key': randomUUID() }]) {
      const answer = await call(t, api.baseUrl, line, {
        ...request,
        headers: headers as Record<string, string>,
        ...(body === undefined ? {} : { body }),
      });
      t.match(answer, { status: 503, json: { code: 'service_unavailable' } }, line);
      t.equal(answer.headers.get('retry-after'), '1');
    }
  t.ok(performance.now() - started < 10_000, 'nobody waits: each would for 2 s');
  t.equal((await call(t, api.baseUrl, 'GET /openapi.json')).status, 200);
  await proxy.restore();
  t.equal((await call(t, api.baseUrl, `GET /links/${link.json.id}`, request)).text, link.text);
  t.equal((await call(t, api.baseUrl, 'POST /links', { ...request, body: {} })).status, 201);
});

t.test('while PostgreSQL answers nothing, callers are told 503 in bounded time, and then it works again', async (t) => {
  const { proxy, api } = await behindProxy();
  const request = { key: api.liveKey };
  await call(t, api.baseUrl, 'GET /links', request);
  proxy.swallow();
  const started = performance.now();
  // More requests than connections: some wait for a connection, some for an answer.
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(api.baseUrl, 'POST /links', { ...request, body: {} })));
  const seconds = (performance.now() - started) / 1000;
  t.same([...new Set(answers.map((answer) => answer.status))], [503]);
  t.ok(seconds < 20, `answered after ${seconds} s`);
  await proxy.restore();
  t.equal((await call(t, api.baseUrl, 'GET /links', request)).status, 200);
});

t.test('connections that PostgreSQL ended are replaced, and at most the calls on them are told 503', async (t) => {
  const api = await startApiServer(t);
  const request = { key: api.liveKey };
  await Promise.all(Array.from({ length: 16 }, () => send(api.baseUrl, 'GET /links', request)));
  await api.database.query({
    text: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'api-test'`,
    values: [],
  });
  const statuses = new Set<number>();
  for (let attempt = 0; attempt < 20; attempt++) statuses.add((await send(api.baseUrl, 'GET /links', request)).status);
  for (const status of statuses) t.ok(status === 200 || status === 503, String(status));
  t.equal((await call(t, api.baseUrl, 'GET /links', request)).status, 200);
});

t.test('a fault of the service tells nothing of its cause, and the log knows the request', async (t) => {
  const api = await startApiServer(t);
  await api.database.query({ text: 'ALTER TABLE links RENAME COLUMN campaign TO secret_column_name', values: [] });
  const answer = await call(t, api.baseUrl, 'GET /links', { key: api.liveKey });
  t.match(answer, { status: 500, json: { code: 'internal_error' } });
  t.notMatch(answer.text, /secret_column_name|campaign|column|SELECT|at /);
  const line = api.logLines.find((text) => text.includes('request failed'));
  t.match(line, answer.headers.get('x-request-id') as string);
  t.notMatch(api.logLines.join(''), api.liveKey, 'no key in the log');
});

t.test('a server that is read-only since a failover is unavailability for writes, and the connection to it is not kept', async (t) => {
  const own = await createDatabase();
  t.teardown(() => own.drop());
  const setDefault = async (value: string) => {
    const { rows } = await api.database.query<{ name: string }>({ text: 'SELECT current_database() AS name', values: [] });
    await api.database.query({ text: `ALTER DATABASE "${rows[0]?.name}" SET default_transaction_read_only = ${value}`, values: [] });
  };
  const api = await startApiServer(t, { databaseUrl: own.url });
  const request = { key: api.liveKey };
  await setDefault('on');
  // Simulates a standby: every new connection is read-only.
  await api.database.query({
    text: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'api-test' AND datname = current_database()`,
    values: [],
  });
  t.equal((await call(t, api.baseUrl, 'GET /links', request)).status, 200, 'reading goes on');
  for (const headers of [{}, { 'idempotency-key': randomUUID() }] as Record<string, string>[]) {
    const answer = await call(t, api.baseUrl, 'POST /links', { ...request, headers, body: {} });
    t.match(answer, { status: 503, json: { code: 'service_unavailable' } });
  }
  await setDefault('off');
  // The pool may still hold connections to the read-only server. Each is dropped at its first write.
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 10; attempt++)
    statuses.push((await call(t, api.baseUrl, 'POST /links', { ...request, body: {} })).status);
  t.same(statuses.slice(-2), [201, 201], String(statuses));
});
