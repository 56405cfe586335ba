import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { createPool, createDatabase as databaseOf } from '../../control-plane/db/database.js';
import { MIGRATION_LOCK } from '../../control-plane/db/migrate.js';
import { createKey } from '../../control-plane/keys/keys.js';
import { createProject } from '../../control-plane/projects/projects.js';
import { controlPlaneSettings } from '../../control-plane/settings.js';
import { startControlPlane } from '../../control-plane/start.js';
import { holdPort } from '../../shared/base/free-port.js';
import { DRAIN_DEADLINE_MS } from '../../shared/base/limits.js';
import { readSettings } from '../../shared/base/settings.js';
import { createDatabase } from '../support/database.js';
import { failing, WELL, writeOnlyEngine } from '../support/engine-row.js';
import { until } from '../support/until.js';

const log = pino({ level: 'silent' });

async function start(t: Test, databaseUrl: string, more: NodeJS.ProcessEnv = {}) {
  const settings = readSettings(controlPlaneSettings, {
    DATABASE_URL: databaseUrl,
    SECRETS_KEYS: `a:${randomBytes(32).toString('base64')}`,
    CONTROL_PLANE_PORT: '0',
    CONTROL_PLANE_ADMIN_PORT: '0',
    CONTROL_PLANE_HOST: '127.0.0.1',
    ...more,
  });
  const controlPlane = await startControlPlane(settings, log);
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= controlPlane.stop();
    return stopped;
  };
  t.teardown(stop);
  const admin = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${controlPlane.adminPort}${path}`);
    return { status: response.status, text: await response.text() };
  };
  return { ...controlPlane, stop, admin, baseUrl: `http://127.0.0.1:${controlPlane.port}/v1` };
}

async function prepared(t: Test) {
  const own = await createDatabase();
  t.teardown(() => own.drop());
  const pool = createPool(own.url, 2, 'test', () => {});
  const database = databaseOf(pool);
  const hosts = { test: { linkHost: 'test.localhost' }, live: { linkHost: 'live.localhost' } };
  const project = await createProject(database, { name: 'Demo', timeZone: 'UTC', hosts }, Date.now());
  const environmentId = project.environments.live.id;
  const { key } = await createKey(database, { environmentId, environment: 'live', kind: 'secret', name: 'k' }, Date.now());
  return { url: own.url, database, key, end: () => pool.end() };
}

t.test('a link made over REST gets a feed position, and its short URL has the configured scheme and port', async (t) => {
  const { url, database, key, end } = await prepared(t);
  const server = await start(t, url, { PUBLIC_LINK_SCHEME: 'http', PUBLIC_LINK_PORT: '8080' });
  const response = await fetch(`${server.baseUrl}/links`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"path":"a"}',
  });
  t.match(await response.json(), { url: 'http://live.localhost:8080/a' });
  await server.stop();
  const { rows } = await database.query({
    text: `SELECT position::integer, kind, object_key FROM config_feed ORDER BY position`,
    values: [],
  });
  t.match(rows, [
    { position: 1, kind: 'environment', object_key: /^\d+$/ },
    { position: 2, kind: 'environment' },
    { position: 3, kind: 'link', object_key: 'a' },
  ]);
  await end();
});

t.test('a control plane writes the last uses of keys when it stops', async (t) => {
  const { url, database, key, end } = await prepared(t);
  const server = await start(t, url);
  const startedMs = Date.now();
  t.equal((await fetch(`${server.baseUrl}/key`, { headers: { authorization: `Bearer ${key}` } })).status, 200);
  await server.stop();
  const { rows } = await database.query<{ at: Date | null }>({ text: 'SELECT last_used_at AS at FROM api_keys', values: [] });
  const at = rows[0]?.at?.getTime() ?? 0;
  t.ok(at > startedMs - 60_000 && at <= Date.now());
  await end();
});

t.test('the admin port serves health of each part and metrics', async (t) => {
  const { url, end } = await prepared(t);
  await end();
  const server = await start(t, url);
  t.equal((await server.admin('/health/live')).status, 200);
  const ready = await server.admin('/health/ready');
  t.equal(ready.status, 200);
  t.same(
    JSON.parse(ready.text).parts.map((part: { part: string }) => part.part),
    [
      'listener',
      'database',
      'schema',
      'feed-assigner',
      'maintenance',
      'click-figures',
      'blocklist-scan',
      'campaign-ends',
      'link-expiries',
      'domain-checks',
      'presence',
      'key-uses',
    ],
  );
  await fetch(`${server.baseUrl}/openapi.json`);
  t.match((await server.admin('/metrics')).text, /api_requests_total\{operation="none",status="200"\} 1/);
  t.equal((await server.admin('/nope')).status, 404);
});

t.test('a failed part that the API does not need leaves the control plane ready', async (t) => {
  const { url, end } = await prepared(t);
  await end();
  const server = await start(t, url, { CLICK_STORE: 'clickhouse', CLICKHOUSE_URL: 'http://127.0.0.1:1' });
  const parts = async () => {
    const { status, text } = await server.admin('/health/ready');
    const body = JSON.parse(text);
    return {
      status,
      ready: body.status,
      failed: body.parts.filter(({ ok }: { ok: boolean }) => !ok).map(({ part }: { part: string }) => part),
    };
  };
  t.same(await until(async () => (await parts()).status === 200 && (await parts()), 'the process to be ready'), {
    status: 200,
    ready: 'degraded',
    failed: ['clickhouse'],
  });
});

t.test('a control plane that migrates at start serves while ClickHouse is away, and then makes its tables', async (t) => {
  const { url, end } = await prepared(t);
  await end();
  const made: string[] = [];
  let isAway = true;
  const clickHouse = createHttpServer(async (request, response) => {
    const statement = await text(request);
    if (isAway) response.statusCode = 503;
    else if (statement.includes('CREATE TABLE')) made.push(statement.trim().split(/\s+/)[5] as string);
    response.end();
  });
  clickHouse.listen(0, '127.0.0.1');
  await once(clickHouse, 'listening');
  t.teardown(() => void clickHouse.close().closeAllConnections());
  const CLICKHOUSE_URL = `http://127.0.0.1:${(clickHouse.address() as AddressInfo).port}`;
  const server = await start(t, url, { CLICK_STORE: 'clickhouse', CLICKHOUSE_URL, MIGRATE_AT_START: 'true' });
  t.equal(await until(async () => (await server.admin('/health/ready')).status === 200, 'the process to be ready'), true);
  t.same(made, []);
  isAway = false;
  await until(() => made.length === 2, 'the tables');
  t.same(made, ['clicks', 'click_sums']);
});

t.test('a control plane is not ready with an older schema', async (t) => {
  const { url, database, end } = await prepared(t);
  await database.query({ text: "DELETE FROM schema_migrations WHERE name = '0041_qr_styles_of_domains'", values: [] });
  await end();
  const server = await start(t, url);
  const { status, text } = await server.admin('/health/ready');
  t.equal(status, 503);
  t.match(JSON.parse(text), { status: 'failing' });
  t.match(text, /migrations have not run yet.*0041_qr_styles_of_domains/);
});

t.test('the admin port serves the health of the installation, with reasons', async (t) => {
  const { url, database, end } = await prepared(t);
  const server = await start(t, url);
  await until(async () => (await server.admin('/health/ready')).status === 200, 'the process to be ready');
  const rows = (text: string, values: readonly unknown[] = []) => database.query({ text, values });
  const id = await writeOnlyEngine(rows);
  const well = await until(async () => {
    const answer = await server.admin('/health/installation');
    return answer.status === 200 && JSON.parse(answer.text).stored.feed.unnumbered === 0 && answer;
  }, 'the feed to be numbered');
  const { control_plane: controlPlane, stored, ...rest } = JSON.parse(well.text);
  t.match(rest, { status: 'ok', checked_at: String, problems: [] });
  t.same(Object.keys(rest).sort(), ['checked_at', 'problems', 'status']);
  t.match(controlPlane.parts[0], { part: 'listener', ok: true, reason: '' });
  t.match(stored, { feed: { unnumbered: 0 }, clicks: { uncounted: 0 }, engines: [{ id, status: 'ok', ...WELL }] });

  await writeOnlyEngine(rows, { report: failing('background/webhooks', 'The delivery threads keep failing.') });
  const ill = await server.admin('/health/installation');
  t.equal(ill.status, 503);
  t.match(JSON.parse(ill.text), {
    status: 'degraded',
    problems: [{ what: /^engine [-0-9a-f]{36}: background\/webhooks fails: The delivery threads keep failing\.$/, since: null }],
    stored: { engines: [{ status: 'failing' }] },
  });
  await end();
});

t.test('without PostgreSQL the health of the installation has only the parts of the control plane', async (t) => {
  const server = await start(t, 'postgres://postgres@127.0.0.1:1/none');
  const { status, text } = await server.admin('/health/installation');
  t.equal(status, 503);
  const body = JSON.parse(text);
  t.match(body, { status: 'degraded', checked_at: String, stored: null });
  t.match(body.problems[0].what, /^control plane: database fails: PostgreSQL cannot be reached/);
  t.match(
    body.control_plane.parts.find(({ part }: { part: string }) => part === 'database'),
    { ok: false, reason: /ECONNREFUSED/ },
  );
});

t.test('a control plane starts without PostgreSQL, says why it is not ready, and answers 503', async (t) => {
  const server = await start(t, 'postgres://postgres@127.0.0.1:1/none');
  t.equal((await server.admin('/health/live')).status, 200);
  const ready = await server.admin('/health/ready');
  t.equal(ready.status, 503);
  t.match(ready.text, /PostgreSQL cannot be reached: .*ECONNREFUSED/);
  const response = await fetch(`${server.baseUrl}/links`, { headers: { authorization: `Bearer sk_live_${'a'.repeat(32)}` } });
  t.equal(response.status, 503);
});

t.test('a stop does not wait for idle connections and frees the port', async (t) => {
  const { url, end } = await prepared(t);
  await end();
  const server = await start(t, url);
  const idle = await Promise.all(
    Array.from(
      { length: 50 },
      () =>
        new Promise<ReturnType<typeof connect>>((resolve) => {
          const socket = connect(server.port, '127.0.0.1', () => resolve(socket));
          socket.on('error', () => socket.destroy());
        }),
    ),
  );
  for (const socket of idle) socket.write('GET /v1/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n');
  await new Promise((resolve) => setTimeout(resolve, 300));
  const started = performance.now();
  await server.stop();
  t.ok(performance.now() - started < 8_000, 'the stop ends before the drain deadline');
  await t.rejects(fetch(`${server.baseUrl}/openapi.json`));
  for (const socket of idle) socket.destroy();
});

t.test('a stop ends by its deadline although a request is incomplete and counting waits for a locked table', async (t) => {
  const { url, database, key, end } = await prepared(t);
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  t.teardown(() => holder.end());
  const server = await start(t, url);
  await until(async () => (await server.admin('/health/ready')).status === 200, 'the process to be ready');
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE click_batches IN ACCESS EXCLUSIVE MODE');
  await until(async () => {
    const text = "SELECT 1 FROM pg_stat_activity WHERE application_name = 'control-plane-reading-clicks' AND wait_event_type = 'Lock'";
    return (await database.query({ text, values: [] })).rows.length > 0;
  }, 'counting to wait for the table');
  await end();
  const halting = connect(server.port, '127.0.0.1').on('error', () => {});
  t.teardown(() => halting.destroy());
  halting.write(
    `POST /v1/links HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{`,
  );
  await new Promise((resolve) => setTimeout(resolve, 500));
  const started = performance.now();
  await server.stop();
  const tookMs = performance.now() - started;
  t.ok(tookMs > 5_000, 'the stop waited for them');
  t.ok(tookMs < DRAIN_DEADLINE_MS + 500, `the stop took ${Math.round(tookMs)} ms`);
});

t.test('the start fails with EADDRINUSE and names the setting if a port is in use', async (t) => {
  const { url, end } = await prepared(t);
  await end();
  const server = await start(t, url);
  for (const [setting, port] of [
    ['CONTROL_PLANE_PORT', server.port],
    ['CONTROL_PLANE_ADMIN_PORT', server.adminPort],
  ] as const)
    await t.rejects(start(t, url, { [setting]: String(port) }), {
      code: 'EADDRINUSE',
      message: `${setting} ${port} on 127.0.0.1 cannot be used: EADDRINUSE`,
    });
});

/** What keeps the process running: listeners, connections, timers and threads, with the number of each. */
function running(): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo())
    if (/^(TCP|Timeout|MessagePort|Worker)/.test(name)) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

t.test('a start that fails for a port in use leaves no listener, connection, timer or thread', async (t) => {
  const { url, end } = await prepared(t);
  await end();
  const observer = new pg.Client({ connectionString: url, application_name: 'observer' });
  await observer.connect();
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  t.teardown(async () => {
    taken.close();
    await observer.end();
  });
  const port = String((taken.address() as AddressInfo).port);
  const others = async () => {
    const text = 'SELECT application_name FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';
    return (await observer.query<{ application_name: string }>(text)).rows.map((row) => row.application_name);
  };
  const own = { TCPServerWrap: 1, TCPSocketWrap: 1 };
  for (const setting of ['CONTROL_PLANE_PORT', 'CONTROL_PLANE_ADMIN_PORT']) {
    await t.rejects(start(t, url, { [setting]: port }), { code: 'EADDRINUSE' });
    // Sockets close, and their servers notice it, a moment later.
    await until(async () => isDeepStrictEqual(running(), own) && (await others()).length === 0, 'nothing to be left', 10_000).catch(
      () => {},
    );
    t.same(running(), own, `${setting}: only the port and the connection of the test are left`);
    t.same(await others(), [], `${setting}: PostgreSQL has no connection of the control plane`);
  }
});

t.test('during a migration at the start the process is live but not ready', async (t) => {
  const own = await createDatabase();
  t.teardown(() => own.drop());
  const holder = new pg.Client({ connectionString: own.url });
  await holder.connect();
  t.teardown(() => holder.end());
  await holder.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
  const hold = await holdPort('127.0.0.1', 0);
  if (hold.taken) return t.fail('there is no free port');
  await hold.release();
  const starting = start(t, own.url, { MIGRATE_AT_START: 'true', CONTROL_PLANE_ADMIN_PORT: String(hold.port) });
  const ask = (path: string) => fetch(`http://127.0.0.1:${hold.port}${path}`).catch(() => null);
  const live = await until(() => ask('/health/live'), 'the admin port');
  t.equal(live.status, 200);
  const ready = await ask('/health/ready');
  t.equal(ready?.status, 503);
  t.match(await ready?.text(), /does not listen yet/);
  await holder.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
  const server = await starting;
  await until(async () => (await server.admin('/health/ready')).status === 200, 'the process to be ready');
});
