import { randomUUID } from 'node:crypto';
import { connect, createServer } from 'node:net';
import pg from 'pg';
import t, { type Test } from 'tap';
import { Heartbeat, type HeartbeatOptions } from '../../../engine/membership/heartbeat.js';
import { Membership } from '../../../engine/membership/membership.js';
import { Figures } from '../../../engine/preview/figures.js';
import { FiguresWriter } from '../../../engine/preview/figures-writer.js';
import { addMetadataFigures } from '../../../engine/preview/sql.js';
import type { FeedCursor } from '../../../shared/records/records.js';
import { makeEnvironment } from '../../support/click-log.js';
import { createDatabase } from '../../support/database.js';
import { insertResourceType } from '../../support/resource-type.js';
import { until } from '../../support/until.js';

import { silentLog } from '../fixtures.js';

const own = await createDatabase();
const pool = new pg.Pool({ connectionString: own.url, max: 4 });
pool.on('error', () => undefined); // connections are killed on purpose
t.teardown(async () => {
  await pool.end();
  await own.drop();
});
const environment = await makeEnvironment(pool);
const typeId = await insertResourceType(
  { query: (statement) => pool.query(statement as pg.QueryConfig) as never },
  environment.id,
  'product',
);

interface Engine {
  readonly heartbeat: Heartbeat;
  readonly membership: Membership;
  readonly figures: Figures;
  applied: FeedCursor | null;
}

function startEngine(t: Test, id: string = randomUUID(), changes: Partial<HeartbeatOptions> = {}): Engine {
  const membership = new Membership(id, () => performance.now());
  const figures = new Figures();
  const engine: Engine = { membership, figures, applied: null, heartbeat: null as never };
  const heartbeat = new Heartbeat({
    databaseUrl: own.url,
    log: silentLog,
    membership,
    profile: { roles: ['redirect', 'background', 'webhooks'], connections: 15 },
    figures: new FiguresWriter(figures, Date.now),
    random: () => 0,
    applied: () => engine.applied,
    report: () => null,
    onMembership: () => {},
    quietMs: () => Number.POSITIVE_INFINITY,
    beatMs: 100,
    ...changes,
  });
  heartbeat.start();
  t.teardown(() => heartbeat.stop());
  return Object.assign(engine, { heartbeat });
}

interface Row {
  readonly id: string;
  readonly members: string[];
  readonly beat: number;
  readonly left: boolean;
  readonly applied_position: number | null;
}

async function rows(): Promise<readonly Row[]> {
  const { rows: found } = await pool.query<Row>(
    `SELECT id, members, beat::float8 AS beat, left_at IS NOT NULL AS left, applied_position::float8 AS applied_position
     FROM engines ORDER BY id`,
  );
  return found;
}

const rowOf = async (id: string) => (await rows()).find((row) => row.id === id);

t.test('an engine announces itself, beats, and notes when it leaves', async (t) => {
  const { applied, membership, heartbeat } = startEngine(t);
  t.equal(applied, null);
  await until(() => membership.kind() === 'acting', 'the engine to act');
  t.match(await rowOf(membership.self), { members: [membership.self], left: false, applied_position: null });
  const before = (await rowOf(membership.self))?.beat ?? 0;
  await until(async () => ((await rowOf(membership.self))?.beat ?? 0) > before, 'the next beat');
  await heartbeat.stop();
  t.match(await rowOf(membership.self), { left: true });
});

t.test('an engine whose process is replaced does not leave', async (t) => {
  const { membership, heartbeat } = startEngine(t);
  await until(() => membership.kind() === 'acting', 'the engine to act');
  heartbeat.handOver();
  await heartbeat.stop();
  t.match(await rowOf(membership.self), { left: false });
});

t.test('an applied invalidation is acknowledged before the next beat', async (t) => {
  const engine = startEngine(t, undefined, { beatMs: 60_000 });
  await until(() => rowOf(engine.membership.self), 'the row');
  engine.applied = { epoch: 'e:1', position: 41, mark: '' };
  engine.heartbeat.acknowledge();
  await until(async () => (await rowOf(engine.membership.self))?.applied_position === 41, 'the acknowledgement');
});

t.test(
  'a new engine is added to the sets of others and makes no calls yet; an engine that leaves without calls is removed at once',
  async (t) => {
    await pool.query('DELETE FROM engines');
    const first = startEngine(t);
    await until(() => first.membership.kind() === 'acting', 'the first engine to act');
    const second = startEngine(t);
    await until(
      async () => (await rowOf(first.membership.self))?.members.includes(second.membership.self),
      'the first engine to know the second',
    );
    t.equal(first.membership.share(10, 'x'), 5);
    t.equal(second.membership.share(10, 'x'), 0);
    await second.heartbeat.stop();
    await until(async () => (await rowOf(second.membership.self)) === undefined, 'the row of the second engine to be removed');
    await until(() => first.membership.share(10, 'x') === 10, 'the first engine to have the whole share again');
  },
);

t.test('a restarted process takes over its row; an engine whose row was taken over starts again under another id', async (t) => {
  await pool.query('DELETE FROM engines');
  const first = startEngine(t);
  await until(() => first.membership.kind() === 'acting', 'the first engine to act');
  const id = first.membership.self;
  const second = startEngine(t, id);
  await until(() => second.membership.kind() === 'acting', 'the second engine to act at once');
  t.equal(second.membership.self, id);
  await until(() => first.membership.self !== id, 'the first engine to notice');
  t.equal(first.membership.share(10, 'x'), 0);
  await first.heartbeat.stop();
  t.match(await rowOf(id), { left: false }, 'the row of the second engine is not changed');
});

/** Returns the address of the database behind a proxy that cuts a connection after its first COMMIT, before the answer arrives. */
async function losingCommits(t: Test): Promise<string> {
  const url = new URL(own.url);
  const port = Number(url.port);
  let committed = false;
  const server = createServer((client) => {
    let isCut = false;
    const upstream = connect(port, url.hostname);
    for (const socket of [client, upstream])
      socket.on('error', () => undefined).on('close', () => [client, upstream].map((each) => each.destroy()));
    client.on('data', (bytes) => {
      isCut = !committed && bytes.includes('COMMIT');
      committed ||= isCut;
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (isCut) client.destroy();
      else client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  url.port = String((server.address() as { port: number }).port);
  return url.href;
}

t.test('an engine that does not learn that its row was inserted joins again, and makes no calls before others know it', async (t) => {
  await pool.query('DELETE FROM engines');
  const first = startEngine(t);
  await until(() => first.membership.kind() === 'acting', 'the first engine to act');
  const second = startEngine(t, undefined, { databaseUrl: await losingCommits(t) });
  await until(() => second.membership.kind() !== 'unknown', 'the second engine to join');
  t.equal(second.membership.kind(), 'coming');
  t.equal(second.membership.share(10, 'x'), 0);
});

t.test('figures are added at most once, even if connections are cut', async (t) => {
  await pool.query('DELETE FROM engines');
  const engine = startEngine(t);
  const sum = async () =>
    (await pool.query<{ served: number }>('SELECT coalesce(sum(previews_served), 0)::float8 AS served FROM metadata_figures')).rows[0]
      ?.served;
  engine.figures.count('rt_unknown', 'previews_served');
  for (let n = 0; n < 12; n++) {
    engine.figures.count(typeId, 'previews_served', 10);
    await pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'link-service engines'`);
    engine.heartbeat.acknowledge();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await engine.heartbeat.stop();
  const before = await sum();
  t.ok((before ?? 0) <= 120);
  const next = startEngine(t, engine.membership.self);
  next.figures.add(engine.figures.take());
  await until(() => next.membership.kind() === 'acting', 'the next engine to act');
  await next.heartbeat.stop();

  const client = await pool.connect();
  t.teardown(() => client.release());
  const start = Math.floor(Date.now() / 900_000) * 900_000;
  const figures = [{ resource_type_id: typeId, interval_start_ms: start, counts: { previews_served: 5, latency_lt_100: 1 } }];
  const added = (await sum()) ?? 0;
  const { rows: known } = await pool.query<{ batch: number }>('SELECT figures_batch::float8 AS batch FROM engines WHERE id = $1', [
    next.membership.self,
  ]);
  const number = (known[0]?.batch ?? 0) + 1;
  for (let n = 0; n < 3; n++) await addMetadataFigures(client, { engineId: next.membership.self, number, figures });
  t.equal(await sum(), added + 5, 'a batch that is sent again is not added again');
});

t.test('an engine whose connection is new writes its set again, because a server that took over may lack it', async (t) => {
  await pool.query('DELETE FROM engines');
  const { membership } = startEngine(t);
  await until(() => membership.kind() === 'acting', 'the engine to act');
  const beat = (await rowOf(membership.self))?.beat ?? 0;
  await until(async () => ((await rowOf(membership.self))?.beat ?? 0) > beat + 1, 'the set to be written');
  await pool.query(`UPDATE engines SET members = '{}'`);
  await pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'link-service engines'`);
  await until(async () => (await rowOf(membership.self))?.members.length === 1, 'the set to be written again');
});
