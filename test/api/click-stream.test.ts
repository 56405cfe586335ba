import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { postgresClicks } from '../../control-plane/click-store/postgres-store.js';
import { ClickStreams } from '../../control-plane/click-stream/click-streams.js';
import type { Database, Statement } from '../../control-plane/db/database.js';
import { newId, uuidToId } from '../../shared/base/ids.js';
import { CLICK_STREAM_AGE_MS_MAX, CLICK_STREAMS_OF_KEY_MAX } from '../../shared/base/limits.js';
import { EVENT_DATA_SCHEMAS } from '../../shared/contract/schemas/events.js';
import { LinkService } from '../../shared/sdk/server.js';
import { logClicks, loggedClick } from '../support/click-log.js';
import { createDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { call } from './api-client.js';
import { type ApiServer, type ApiServerOptions, startApiServer } from './api-server.js';
import { openStream } from './click-stream-client.js';
import { startDatabaseProxy } from './database-proxy.js';

const shared = await startApiServer(t);

/** A project on the server, and the connection of a shipper to its database. */
async function start(t: Test, server: ApiServer = shared) {
  const api = server === shared ? await shared.anotherProject() : server;
  const shipper = async () => {
    const client = new pg.Client({ connectionString: setupUrls.get(api) ?? shared.databaseUrl });
    await client.connect();
    t.teardown(() => client.end());
    return client;
  };
  const client = await shipper();
  const { rows } = await client.query<{ id: string; number: number }>('SELECT id, number FROM environments');
  const numberOf = (id: string) => rows.find((row) => row.id === id)?.number as number;
  const ship = (count: number, number = numberOf(api.live.id), from = client, path = 'p') =>
    logClicks(
      from,
      number,
      Array.from({ length: count }, () => loggedClick(newId('link'), Date.now(), { path })),
    );
  return { api, client, shipper, ship, live: numberOf(api.live.id), test: numberOf(api.test.id) };
}

/** The URLs at which the databases of separate servers can be reached directly. */
const setupUrls = new Map<ApiServer, string>();

async function ownServer(t: Test, options: ApiServerOptions): Promise<ApiServer> {
  const server = await startApiServer(t, options);
  setupUrls.set(server, options.setupDatabaseUrl ?? server.databaseUrl);
  return server;
}

/** The ids of all clicks of the environment in the log. */
async function loggedIds(client: pg.Client, environment: number): Promise<readonly string[]> {
  const { rows } = await client.query<{ id: string }>('SELECT id FROM clicks WHERE environment_number = $1', [environment]);
  return rows.map(({ id }) => uuidToId('click', id)).sort();
}

t.test('a stream shows the clicks of its environment as they are stored, as click.created does, and nobody else’s', async (t) => {
  const { api, client, ship, live, test } = await start(t);
  await ship(1);
  const stream = await openStream(t, api.baseUrl, { key: api.liveKey });
  t.equal(stream.status, 200);
  t.match(Object.fromEntries(stream.headers), {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  const link = await call(t, api.baseUrl, 'POST /links', { key: api.liveKey, body: {} });
  await ship(2, test);
  await logClicks(client, live, [
    loggedClick(link.json.id, '2026-11-20T10:00:00.123Z', {
      country: 'DE',
      bot: true,
      user_agent: 'Secret/1',
      address_hash: Buffer.from('12345678'),
      source: 'qr',
    }),
  ]);
  await stream.waitFor('click');
  const [click] = stream.events.filter(({ type }) => type === 'click').map(({ data }) => JSON.parse(data));
  t.match(click, {
    id: /^clk_/,
    link_id: link.json.id,
    occurred_at: '2026-11-20T10:00:00.123Z',
    country: 'DE',
    bot: true,
    source: 'qr',
    resource_type: null,
  });
  t.same(Object.keys(click).sort(), Object.keys(EVENT_DATA_SCHEMAS['click.created'].properties).sort());
  t.notMatch(stream.text(), /hash|visitor|address|Secret/);
  await ship(1);
  await stream.waitFor('click', 2);
  t.equal(stream.clickIds().length, 2, 'what was stored before, and what is of the other environment, did not come');
});

t.test('a click of an item names its type', async (t) => {
  const { api, client, live } = await start(t);
  const type = await call(t, api.baseUrl, 'POST /resource-types', { key: api.liveKey, body: { key: 'shoes', name: 'Shoes' } });
  const stream = await openStream(t, api.baseUrl, { key: api.liveKey });
  await logClicks(client, live, [loggedClick(newId('urlTemplate'), Date.now(), { resource_type: type.json.id, item: '42' })]);
  await stream.waitFor('click');
  t.match(JSON.parse(stream.events[0]?.data ?? ''), {
    kind: 'template',
    resource_type_id: type.json.id,
    resource_type: 'shoes',
    item_id: '42',
    link_id: null,
  });
});

t.test('a batch that is added to is sent again as a whole, also while a transaction from before goes on', async (t) => {
  const { api, client, shipper, ship } = await start(t);
  const before = await shipper();
  await before.query('BEGIN; SELECT pg_current_xact_id()');
  const stream = await openStream(t, api.baseUrl, { key: api.liveKey });
  await ship(1);
  await stream.waitFor('click');
  await client.query(`UPDATE click_log_batches SET xid = pg_current_xact_id(), stored_at = now()
    WHERE batch_id = (SELECT max(batch_id) FROM click_log_batches)`);
  await stream.waitFor('click', 2);
  const [first, second] = stream.clickIds();
  t.equal(first, second);
  await before.query('COMMIT');
  await ship(1);
  await stream.waitFor('click', 3);
  t.equal(stream.clickIds().length, 3);
});

t.test('a client that comes back is sent what it missed, in pieces if it is much, and what follows', async (t) => {
  const { api, client, ship, live } = await start(t);
  const first = await openStream(t, api.baseUrl, { key: api.liveKey });
  await ship(3);
  await first.waitFor('click', 3);
  first.close();
  await ship(1700);
  await ship(40);
  for (const by of ['header', 'query'] as const) {
    const id = first.lastEventId() as string;
    const again = await openStream(t, api.baseUrl, {
      key: api.liveKey,
      ...(by === 'header' ? { lastEventId: id } : { query: `?last_event_id=${id}` }),
    });
    await again.waitFor('click', 1740);
    await ship(1);
    await again.waitFor('click', 1741);
    const ids = [...first.clickIds(), ...again.clickIds()];
    t.same([...new Set(ids)].sort(), by === 'header' ? await loggedIds(client, live) : [...new Set(ids)].sort());
    t.equal(ids.length, new Set(ids).size, 'none came twice');
    again.close();
    if (by === 'header')
      await client.query('DELETE FROM clicks WHERE id = $1::uuid', [
        (await client.query('SELECT id FROM clicks ORDER BY batch_id DESC LIMIT 1')).rows[0].id,
      ]);
  }
});

t.test('a stream that is cut off in the middle of a batch gives all of that batch again', async (t) => {
  const { api, ship } = await start(t);
  const first = await openStream(t, api.baseUrl, { key: api.liveKey });
  await ship(5);
  await first.waitFor('click', 5);
  const middle = first.events[2]?.id;
  const again = await openStream(t, api.baseUrl, { key: api.liveKey, lastEventId: middle });
  await again.waitFor('click', 5);
  t.same([...again.clickIds()].sort(), [...first.clickIds()].sort());
});

t.test('a batch that is committed late is sent late, and not left out, also to a client that came back meanwhile', async (t) => {
  const { api, client, shipper, ship, live } = await start(t);
  const stream = await openStream(t, api.baseUrl, { key: api.liveKey });
  const slow = await shipper();
  await slow.query('BEGIN');
  await ship(1, live, slow);
  await ship(1);
  await stream.waitFor('click');
  const again = await openStream(t, api.baseUrl, { key: api.liveKey, lastEventId: stream.lastEventId() });
  await ship(1);
  await stream.waitFor('click', 2);
  await again.waitFor('click');
  await slow.query('COMMIT');
  await stream.waitFor('click', 3);
  await again.waitFor('click', 2);
  t.same([...stream.clickIds()].sort(), await loggedIds(client, live));
  t.equal(new Set(again.clickIds()).size, 2);
});

t.test(
  'an id that is too old to go on from, or from the future, is answered with a reset, and one of another form is refused',
  async (t) => {
    const { api, ship } = await start(t);
    const stream = await openStream(t, api.baseUrl, { key: api.liveKey });
    await until(() => stream.lastEventId() !== undefined, 'an id');
    stream.close();
    await ship(1);
    const [, ...rest] = (stream.lastEventId() as string).split('.');
    const seconds = Math.floor(Date.now() / 1000);
    for (const old of [`${seconds - 3_060}.${rest.join('.')}`, `${seconds}.900000000000000000`, `9999999999.${rest.join('.')}`]) {
      const again = await openStream(t, api.baseUrl, { key: api.liveKey, lastEventId: old });
      await again.waitFor('reset');
      t.same(again.clickIds(), []);
      again.close();
    }
    const kept = await openStream(t, api.baseUrl, { key: api.liveKey, lastEventId: `${seconds - 2_900}.${rest.join('.')}` });
    await kept.waitFor('click');
    t.notMatch(kept.text(), /reset/);
    for (const [headers, query] of [
      [{ 'last-event-id': 'x' }, ''],
      [{}, '?last_event_id=1.2.3'],
      [{}, `?last_event_id=${'9'.repeat(2000)}`],
    ] as const) {
      const answer = await call(t, api.baseUrl, `GET /clicks/stream${query}`, {
        key: api.liveKey,
        headers: headers as Record<string, string>,
      });
      t.match(answer, {
        status: 422,
        json: { errors: [{ in: query === '' ? 'header' : 'query', pointer: query === '' ? '/Last-Event-ID' : '/last_event_id' }] },
      });
    }
  },
);

t.test('a key has so many streams at once, and one that has gone makes room', async (t) => {
  const { api } = await start(t);
  const streams = [];
  for (let opened = 0; opened < CLICK_STREAMS_OF_KEY_MAX; opened++) streams.push(await openStream(t, api.baseUrl, { key: api.liveKey }));
  t.same([...new Set(streams.map(({ status }) => status))], [200]);
  t.match(await call(t, api.baseUrl, 'GET /clicks/stream', { key: api.liveKey }), {
    status: 429,
    json: { code: 'rate_limited', detail: 'Too many streams of clicks are open with this key or from this address.' },
  });
  const { key } = await api.makeKey('live', ['analytics:read']);
  t.equal((await call(t, api.baseUrl, 'GET /clicks/stream', { key })).status, 200, 'another key has its own');
  streams[0]?.close();
  await until(async () => (await call(t, api.baseUrl, 'GET /clicks/stream', { key: api.liveKey })).status === 200, 'room');
});

t.test('the streams of a revoked key end within two seconds, and only those', async (t) => {
  const { api, ship } = await start(t);
  const { id, key } = await api.makeKey('live', ['analytics:read']);
  const revoked = await openStream(t, api.baseUrl, { key });
  const other = await openStream(t, api.baseUrl, { key: api.liveKey });
  await api.database.query({ text: 'UPDATE api_keys SET revoked_at = now() WHERE id = $1', values: [id] });
  const started = performance.now();
  await revoked.ended();
  t.ok(performance.now() - started < 2_000);
  t.match(revoked.events.at(-1), { type: 'end', data: '{"reason":"revoked"}' });
  await ship(1);
  await other.waitFor('click');
});

t.test('a stream has a heartbeat, and ends when it is old', async (t) => {
  let skippedMs = 0;
  const { api, ship } = await start(t, await ownServer(t, { monotonicMs: () => performance.now() + skippedMs }));
  const stream = await openStream(t, api.baseUrl, { key: api.liveKey });
  await ship(1);
  await stream.waitFor('click');
  const before = stream.lastEventId();
  skippedMs = 15_000;
  await until(() => /: heartbeat\nid: /.test(stream.text()), 'a heartbeat');
  t.ok(stream.lastEventId() !== undefined && before !== undefined);
  skippedMs = CLICK_STREAM_AGE_MS_MAX;
  await stream.ended();
  t.match(stream.events.at(-1), { type: 'end', data: '{"reason":"max_age"}' });
});

t.test('a client that takes nothing is ended, and the others go on meanwhile', async (t) => {
  const { api, client, ship, live } = await start(t);
  const { id, key } = await api.makeKey('live', ['analytics:read']);
  const socket = connect(api.port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  await new Promise((resolve) => socket.on('connect', resolve));
  socket.write(`GET /v1/clicks/stream HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  await new Promise((resolve) => socket.once('data', resolve));
  socket.pause();
  const other = await openStream(t, api.baseUrl, { key: api.liveKey });
  const slowEnded = () => api.logLines.some((line) => line.includes(`"key_id":"${id}"`));
  let shipped = 0;
  // Ships until the buffers of both sockets, which may take 40 MB, are full.
  while (!slowEnded() && shipped < 10_000) {
    await ship(200, live, client, 'x'.repeat(20_000));
    shipped += 200;
    await other.waitFor('click', shipped);
  }
  t.ok(slowEnded(), `after ${shipped} clicks`);
  await ship(1);
  await other.waitFor('click', shipped + 1);
  t.equal(new Set(other.clickIds()).size, shipped + 1);
});

t.test('without PostgreSQL there is no stream, and one that is open ends and is gone on with', async (t) => {
  const own = await createDatabase();
  t.teardown(() => own.drop());
  const proxy = await startDatabaseProxy(t, own.url);
  const { api, client, ship, live } = await start(
    t,
    await ownServer(t, { databaseUrl: proxy.url, setupDatabaseUrl: own.url, queue: proxy.url }),
  );
  const stream = await openStream(t, api.baseUrl, { key: api.liveKey });
  await ship(2);
  await stream.waitFor('click', 2);
  await proxy.refuse();
  await stream.ended();
  t.match(stream.events.at(-1), { type: 'end', data: '{"reason":"unavailable"}' });
  t.match(await call(t, api.baseUrl, 'GET /clicks/stream', { key: api.liveKey }), { status: 503, json: { code: 'service_unavailable' } });
  await ship(2);
  await proxy.restore();
  const again = await openStream(t, api.baseUrl, { key: api.liveKey, lastEventId: stream.lastEventId() });
  await again.waitFor('click', 2);
  t.same([...stream.clickIds(), ...again.clickIds()].sort(), await loggedIds(client, live));
});

/** Separate streams on the database. Calls `onLook` for each look into the log. */
function streamsOf(t: Test, database: Database, onLook: (statement: Statement) => void): ClickStreams {
  const streams = new ClickStreams({
    database: {
      query: (statement) => {
        if (statement.name === 'read_click_log_batches') onLook(statement);
        return database.query(statement);
      },
      transaction: (work) => database.transaction(work),
      copyOut: (text, take) => database.copyOut(text, take),
    },
    clickStore: postgresClicks,
    log: pino({ level: 'silent' }),
    monotonicMs: () => performance.now(),
  });
  t.teardown(() => streams.stop());
  return streams;
}

t.test('many streams of an environment look into the log as often as one', async (t) => {
  const { api, ship } = await start(t);
  let looks = 0;
  const streams = streamsOf(t, api.database, () => {
    looks++;
  });
  const { id: keyId } = await api.makeKey('live', ['analytics:read']);
  let clicks = 0;
  for (let opened = 0; opened < 8; opened++) {
    const open = await streams.prepare({ environmentId: api.live.id, keyId, after: null });
    open().on('data', (bytes: Buffer) => {
      clicks += bytes.toString().split('event: click').length - 1;
    });
  }
  // Each stream has made a look of its own before all of them are live.
  await until(() => looks >= 9, 'all are live');
  await ship(1);
  await until(() => clicks === 8, 'a click for each');
  const before = looks;
  await sleep(1_500);
  t.ok(looks - before <= 4, `${looks - before} looks in 1.5 s`);
});

t.test('a transaction that stays open makes no look dearer, and every click comes once', async (t) => {
  const { api, client, shipper, ship, live } = await start(t);
  const open = await shipper();
  await open.query('BEGIN');
  await open.query('SELECT pg_current_xact_id()');
  let asked = 0;
  const streams = streamsOf(t, api.database, ({ values }) => {
    asked = Math.max(asked, JSON.stringify(values).length);
  });
  const { id: keyId } = await api.makeKey('live', ['analytics:read']);
  const came: string[] = [];
  const begin = await streams.prepare({ environmentId: api.live.id, keyId, after: null });
  begin().on('data', (bytes: Buffer) => came.push(...(bytes.toString().match(/clk_[a-z0-9]{26}/g) ?? [])));
  const batches = 200;
  for (let shipped = 0; shipped < batches; shipped++) await ship(1);
  await until(() => came.length >= batches, 'clicks that are stored meanwhile');
  await ship(1, live, open);
  await open.query('COMMIT');
  await until(() => came.length > batches, 'the click of the transaction');
  t.same([...came].sort(), await loggedIds(client, live));
  t.ok(asked < 700, `${asked} characters of what was read`);
});

t.test('the server SDK walks the clicks, goes on over a lost connection, and ends with its signal', async (t) => {
  const { api, client, ship, live } = await start(t);
  const opened: AbortController[] = [];
  const service = new LinkService({
    secretKey: api.liveKey,
    baseUrl: api.baseUrl,
    fetch: (url, init) => {
      const cut = new AbortController();
      opened.push(cut);
      return fetch(url, { ...init, signal: AbortSignal.any([init.signal as AbortSignal, cut.signal]) });
    },
  });
  const stop = new AbortController();
  const stream = service.clicks.stream({ signal: stop.signal });
  const seen: string[] = [];
  const reading = (async () => {
    for await (const { id, linkId } of stream) {
      t.match(linkId, /^lnk_/);
      seen.push(id);
      if (seen.length === 2) opened[0]?.abort();
      if (seen.length === 4) stop.abort(new Error('enough'));
    }
  })();
  await until(() => stream.lastEventId !== undefined, 'an id without a click');
  await ship(2);
  await until(() => seen.length === 2, 'two clicks');
  await ship(2);
  await t.rejects(reading, { message: 'enough' });
  t.equal(opened.length, 2);
  t.same([...seen].sort(), await loggedIds(client, live));
});
