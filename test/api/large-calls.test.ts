import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { LARGE_CALL_BYTES_MIN, LARGE_CALL_COUNTED_BYTES_MIN, LARGE_CALLS_OF_KEY_BYTES_MAX } from '../../shared/base/limits.js';
import { until } from '../support/until.js';
import { type ApiAnswer, type ApiRequest, call, send } from './api-client.js';
import { type ApiServer, startApiServer } from './api-server.js';

const api = await startApiServer(t);

/** The same JSON, padded so that a thread handles it. */
function padded(body: unknown): string {
  return JSON.stringify(body) + ' '.repeat(LARGE_CALL_BYTES_MIN + 1);
}

interface Both {
  readonly small: ApiAnswer;
  readonly large: ApiAnswer;
}

/** Makes the same call in two projects, with a small body in one and a large body in the other. */
async function both(t: Test, servers: readonly [ApiServer, ApiServer], body: unknown, headers: ApiRequest['headers'] = {}): Promise<Both> {
  const [small, large] = servers;
  return {
    small: await call(t, small.baseUrl, 'POST /links/bulk', { key: small.liveKey, body, headers }),
    large: await call(t, large.baseUrl, 'POST /links/bulk', { key: large.liveKey, rawBody: padded(body), headers }),
  };
}

/** The answer without what differs between calls and between projects. */
function comparable(answer: ApiAnswer): unknown {
  return JSON.parse(
    JSON.stringify(answer.json, (name, value) => {
      if (['id', 'instance', 'created_at', 'updated_at'].includes(name)) return typeof value;
      if (name === 'url') return new URL(value).pathname;
      if (name === 'path' && /^[A-Za-z0-9]{7}$/.test(value)) return 'generated';
      return value;
    }).replaceAll(/"url":"\/[A-Za-z0-9]{7}"/g, '"url":"generated"'),
  );
}

const pair = async () => [await api.anotherProject(), await api.anotherProject()] as const;

async function rowsOf(server: ApiServer): Promise<unknown> {
  const { rows } = await server.database.query({
    text: `SELECT links.path, links.data, links.destinations, links.utm_source, links.expires_at, links.deep_link_path, feed.kind, events.type
           FROM links
           LEFT JOIN config_feed AS feed ON feed.object_id = links.id
           LEFT JOIN events ON events.environment_id = links.environment_id AND events.body LIKE '%"id":"' || links.id || '"%'
           WHERE links.environment_id = $1 AND length(links.path) <> 7 ORDER BY links.path`,
    values: [server.live.id],
  });
  return rows;
}

const MIXED = [
  { path: 'one', data: { z: 1, a: 'a\u0000"\\é' }, destinations: { web: 'HTTPS://Example.com' }, expires_at: '2040-01-01T00:00:00Z' },
  { path: 'no path', nope: 1, destinations: { web: 'javascript:alert(1)', mac: 1 }, campaign: 'none' },
  {},
  { path: 'one' },
  17,
  null,
  [],
  { path: 'two', domain: 'nobody.example.com' },
  { path: 'twice', utm_source: 'print', data: { number: 12345678901234567890n.toString() } },
  { path: 'apple-app-site-association' },
  { path: 'app', destinations: { ios: 'shop://item/1' } },
];

t.test('a large call answers, refuses and stores what a small one does', async (t) => {
  const servers = await pair();
  const pokes = api.pokes();
  const { small, large } = await both(t, servers, { links: MIXED });
  t.equal(api.pokes(), pokes + 2, 'both tell of their feed rows');
  t.equal(large.status, 200);
  t.match(large.json, { created: 3, failed: 8 });
  t.strictSame(comparable(large), comparable(small));
  const [smallRows, largeRows] = await Promise.all(servers.map(rowsOf));
  t.strictSame(largeRows, smallRows);
  t.match(largeRows, [
    { path: 'one', kind: 'link', type: 'link.created' },
    { path: 'twice', kind: 'link', type: 'link.created' },
  ]);
  for (const name of ['content-type', 'cache-control', 'x-content-type-options'])
    t.equal(large.headers.get(name), small.headers.get(name), name);
});

t.test('a large call that is wrong as a whole is refused as a small one is', async (t) => {
  const servers = await pair();
  const pokes = api.pokes();
  for (const body of [
    {},
    { links: [] },
    { links: 1 },
    { links: [{}], dry_run: 'yes' },
    { links: Array.from({ length: 1001 }, () => ({})) },
    [],
    null,
    'text',
    { links: [{ path: 'tried' }, { path: 'tried' }], dry_run: true },
  ]) {
    const { small, large } = await both(t, servers, body);
    t.equal(large.status, small.status);
    t.strictSame(comparable(large), comparable(small), JSON.stringify(body).slice(0, 60));
  }
  t.equal(api.pokes(), pokes, 'a dry run and a refusal tell of nothing');
  const [small, large] = servers;
  for (const raw of ['{"links":[{}]', '{"links":[{"data":{"__proto__":1}}]}', '{"links":[{"data":{"n":12345678901234567891}}]}', '']) {
    const first = await call(t, small.baseUrl, 'POST /links/bulk', { key: small.liveKey, rawBody: `${raw} ` });
    const second = await call(t, large.baseUrl, 'POST /links/bulk', {
      key: large.liveKey,
      rawBody: raw + ' '.repeat(LARGE_CALL_BYTES_MIN + 1),
    });
    t.equal(second.status, first.status);
    t.strictSame(comparable(second), comparable(first), raw);
  }
  const notUtf8 = Buffer.concat([Buffer.alloc(LARGE_CALL_BYTES_MIN, ' '), Buffer.from([0xff, 0xfe])]);
  const { json } = await call(t, large.baseUrl, 'POST /links/bulk', { key: large.liveKey, rawBody: notUtf8 });
  t.match(json, { status: 400, detail: 'The body is not UTF-8.' });
});

t.test('an Idempotency-Key holds for large and small calls alike', async (t) => {
  const server = await api.anotherProject();
  const body = { links: [{ path: 'once' }, {}, { path: 'once' }] };
  const headers = { 'idempotency-key': randomUUID() };
  const request = { key: server.liveKey, headers };
  const first = await call(t, server.baseUrl, 'POST /links/bulk', { ...request, rawBody: padded(body) });
  t.match(first.json, { created: 2, failed: 1 });
  t.equal(first.headers.get('idempotent-replayed'), null);
  const pokes = api.pokes();
  for (const again of [{ rawBody: padded(body) }, { body }]) {
    const answer = await call(t, server.baseUrl, 'POST /links/bulk', { ...request, ...again });
    t.equal(answer.text, first.text);
    t.equal(answer.headers.get('idempotent-replayed'), 'true');
  }
  t.equal(api.pokes(), pokes + 2, 'the rows may have no position yet, if the first call ended too soon');
  const other = await call(t, server.baseUrl, 'POST /links/bulk', { ...request, rawBody: padded({ links: [{}] }) });
  t.match(other.json, { status: 422, code: 'idempotency_key_reused' });
  const malformed = { key: server.liveKey, headers: { 'idempotency-key': 'x' }, rawBody: padded(body) };
  t.match((await call(t, server.baseUrl, 'POST /links/bulk', malformed)).json, {
    status: 422,
    errors: [{ in: 'header', pointer: '/Idempotency-Key' }],
  });
});

/** Makes later calls wait for the table in the middle of their transaction. Returns the function that lets them go on. */
async function holdLinks(server: ApiServer): Promise<() => Promise<void>> {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isLocked = (): void => undefined;
  const locked = new Promise<void>((resolve) => {
    isLocked = resolve;
  });
  const transaction = server.database.transaction(async (database) => {
    await database.query({ text: 'LOCK TABLE links IN SHARE MODE', values: [] });
    isLocked();
    await held;
  });
  await locked;
  return () => {
    release();
    return transaction;
  };
}

async function waitingInserts(server: ApiServer): Promise<number> {
  const { rows } = await server.database.query<{ count: number }>({
    text: `SELECT count(*)::integer AS count FROM pg_stat_activity
           WHERE datname = current_database() AND application_name = 'control-plane-large-calls' AND wait_event_type = 'Lock'`,
    values: [],
  });
  return rows[0]?.count ?? 0;
}

t.test('a call whose thread ends is answered 503 and makes nothing; the next one has a thread again', async (t) => {
  const server = await api.anotherProject();
  const request = { key: server.liveKey, rawBody: padded({ links: [{ path: 'lost' }, {}] }) };
  const letGo = await holdLinks(server);
  const lost = call(t, server.baseUrl, 'POST /links/bulk', request);
  await until(async () => (await waitingInserts(server)) === 1);
  await api.endLargeCalls();
  const answer = await lost;
  t.match(answer.json, { status: 503, code: 'service_unavailable' });
  t.equal(answer.headers.get('retry-after'), '1');
  await letGo();
  await until(async () => (await waitingInserts(server)) === 0);
  t.match((await call(t, server.baseUrl, 'GET /links', { key: server.liveKey })).json, { data: [] });
  t.match((await call(t, server.baseUrl, 'POST /links/bulk', request)).json, { created: 2, failed: 0 });
});

t.test('large calls of one key that wait are bounded, and keep nobody else from calling', async (t) => {
  const server = await api.anotherProject();
  const other = await api.anotherProject();
  const most = LARGE_CALLS_OF_KEY_BYTES_MAX / LARGE_CALL_COUNTED_BYTES_MIN;
  const rawBody = padded({ links: [{}] });
  const letGo = await holdLinks(server);
  let refused = 0;
  const answers = Array.from({ length: most + 3 }, async () => {
    const answer = await send(server.baseUrl, 'POST /links/bulk', { key: server.liveKey, rawBody });
    if (answer.status === 429) refused++;
    return answer;
  });
  await until(async () => refused === 3);
  t.equal((await call(t, server.baseUrl, 'GET /links', { key: server.liveKey })).status, 200);
  const others = call(t, other.baseUrl, 'POST /links/bulk', { key: other.liveKey, rawBody });
  await letGo();
  t.match((await others).json, { created: 1 });
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  t.equal(statuses.filter((status) => status !== 429).length, most);
  const again = await call(t, server.baseUrl, 'POST /links/bulk', { key: server.liveKey, rawBody });
  t.equal(again.status, 200, 'what was answered counts no longer');
});

t.test('what PostgreSQL says to a large call is answered as ever', async (t) => {
  const server = await api.anotherProject();
  const letGo = await holdLinks(server);
  const answer = call(t, server.baseUrl, 'POST /links/bulk', { key: server.liveKey, rawBody: padded({ links: [{}] }) });
  await until(async () => (await waitingInserts(server)) === 1);
  await server.database.query({
    text: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND application_name = 'control-plane-large-calls'`,
    values: [],
  });
  t.match((await answer).json, { status: 503, detail: 'The database cannot be reached.' });
  await letGo();
  t.match(
    api.logLines.map((line) => JSON.parse(line)).findLast(({ msg }) => msg === 'request failed'),
    { err: { type: 'DatabaseUnavailableError', message: /terminating connection/ } },
  );
});
