import { randomUUID } from 'node:crypto';
import pg from 'pg';
import t, { type Test } from 'tap';
import { Figures } from '../../../engine/preview/figures.js';
import { Fleet } from '../../../engine/preview/fleet.js';
import { Ledger, type LedgerOptions } from '../../../engine/preview/ledger.js';
import { addMetadataFigures } from '../../../engine/sql/add-metadata-figures.js';
import type { FeedCursor } from '../../../shared/feed/records.js';
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
  readonly ledger: Ledger;
  readonly fleet: Fleet;
  readonly figures: Figures;
  applied: FeedCursor | null;
}

function startEngine(t: Test, id: string = randomUUID(), changes: Partial<LedgerOptions> = {}): Engine {
  const fleet = new Fleet(id, () => performance.now());
  const figures = new Figures();
  const engine: Engine = { fleet, figures, applied: null, ledger: null as never };
  const ledger = new Ledger({
    databaseUrl: own.url,
    log: silentLog,
    fleet,
    figures,
    clock: Date.now,
    random: () => 0,
    applied: () => engine.applied,
    onFleet: () => {},
    quietMs: () => Number.POSITIVE_INFINITY,
    beatMs: 100,
    ...changes,
  });
  ledger.start();
  t.teardown(() => ledger.stop());
  return Object.assign(engine, { ledger });
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

t.test('an engine says that it is there and how far it has followed the feed, at once where somebody waits for it', async (t) => {
  const { applied, fleet, ledger } = startEngine(t);
  t.equal(applied, null);
  await until(() => fleet.kind() === 'acting', 'the engine to act');
  t.match(await rowOf(fleet.self), { members: [fleet.self], left: false, applied_position: null });
  const before = (await rowOf(fleet.self))?.beat ?? 0;
  await until(async () => ((await rowOf(fleet.self))?.beat ?? 0) > before, 'the next beat');
  await ledger.stop();
  t.match(await rowOf(fleet.self), { left: true });
});

t.test('what was invalidated is acknowledged without waiting for the next beat', async (t) => {
  const engine = startEngine(t, undefined, { beatMs: 60_000 });
  await until(() => rowOf(engine.fleet.self), 'the row');
  engine.applied = { epoch: 'e:1', position: 41, mark: '' };
  engine.ledger.acknowledge();
  await until(async () => (await rowOf(engine.fleet.self))?.applied_position === 41, 'the acknowledgement');
});

t.test('one that comes is taken into the sets of others, and calls nothing yet; one that left without calls is gone at once', async (t) => {
  await pool.query('DELETE FROM engines');
  const first = startEngine(t);
  await until(() => first.fleet.kind() === 'acting', 'the first');
  const second = startEngine(t);
  await until(async () => (await rowOf(first.fleet.self))?.members.includes(second.fleet.self), 'the first to know the second');
  t.equal(first.fleet.share(10, 'x'), 5);
  t.equal(second.fleet.share(10, 'x'), 0);
  await second.ledger.stop();
  await until(async () => (await rowOf(second.fleet.self)) === undefined, 'its row to be removed');
  await until(() => first.fleet.share(10, 'x') === 10, 'the whole share again');
});

t.test('a process that continues takes its row over; one whose row another process has taken comes anew under another id', async (t) => {
  await pool.query('DELETE FROM engines');
  const first = startEngine(t);
  await until(() => first.fleet.kind() === 'acting', 'the first');
  const id = first.fleet.self;
  const second = startEngine(t, id);
  await until(() => second.fleet.kind() === 'acting', 'the second, at once');
  t.equal(second.fleet.self, id);
  await until(() => first.fleet.self !== id, 'the first to notice');
  t.equal(first.fleet.share(10, 'x'), 0);
  await first.ledger.stop();
  t.match(await rowOf(id), { left: false }, 'the row of the second is left alone');
});

t.test('figures are added up, once each, whatever becomes of the connection', async (t) => {
  await pool.query('DELETE FROM engines');
  const engine = startEngine(t);
  const sum = async () =>
    (await pool.query<{ served: number }>('SELECT coalesce(sum(previews_served), 0)::float8 AS served FROM metadata_figures')).rows[0]
      ?.served;
  engine.figures.count('rt_unknown', 'previews_served');
  for (let n = 0; n < 12; n++) {
    engine.figures.count(typeId, 'previews_served', 10);
    await pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'link-service engines'`);
    engine.ledger.acknowledge();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await engine.ledger.stop();
  const before = await sum();
  t.ok((before ?? 0) <= 120);
  const next = startEngine(t, engine.fleet.self);
  next.figures.add(engine.figures.take());
  await until(() => next.fleet.kind() === 'acting', 'the next');
  await next.ledger.stop();

  const client = await pool.connect();
  t.teardown(() => client.release());
  const start = Math.floor(Date.now() / 900_000) * 900_000;
  const figures = [{ resource_type_id: typeId, interval_start_ms: start, counts: { previews_served: 5, latency_lt_100: 1 } }];
  const added = (await sum()) ?? 0;
  const { rows: known } = await pool.query<{ batch: number }>('SELECT figures_batch::float8 AS batch FROM engines WHERE id = $1', [
    next.fleet.self,
  ]);
  const number = (known[0]?.batch ?? 0) + 1;
  for (let n = 0; n < 3; n++) await addMetadataFigures(client, { engineId: next.fleet.self, number, figures });
  t.equal(await sum(), added + 5, 'a batch that is sent again is not added again');
});
