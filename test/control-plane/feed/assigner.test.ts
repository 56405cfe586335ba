import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import t, { type Test } from 'tap';
import { Assigner, type AssignerOptions } from '../../../control-plane/feed/assigner.js';
import { createLogger } from '../../../shared/base/log.js';
import { FEED_CHANNEL } from '../../../shared/feed/channel.js';
import { createDatabase } from '../../support/database.js';
import { insertFeedRows } from '../../support/feed-rows.js';

const log = createLogger('test', 'silent');

const database = await createDatabase();
const pool = new pg.Pool({ connectionString: database.url, max: 40 });
pool.on('error', () => undefined); // some tests below kill backends
t.teardown(async () => {
  await pool.end();
  await database.drop();
});

function started(t: Test, options: Partial<AssignerOptions> = {}): Assigner {
  const assigner = new Assigner({ pool, log, ...options });
  assigner.start();
  t.teardown(() => assigner.stop());
  return assigner;
}

const row = (object: string) => ({ kind: 'link' as const, environment_id: 'env_1', object_id: object, object_key: `p${object}` });

async function insert(...objects: string[]): Promise<void> {
  const client = await pool.connect();
  await insertFeedRows(client, objects.map(row));
  client.release();
}

async function positions(): Promise<{ position: number | null; object: string }[]> {
  const { rows } = await pool.query<{ position: number | null; object: string }>(
    'SELECT position::integer AS position, object_id AS object FROM config_feed ORDER BY position NULLS LAST, id',
  );
  return rows;
}

async function state(): Promise<{ last: number; pruned: number }> {
  const { rows } = await pool.query('SELECT last_position::integer AS last, pruned_position::integer AS pruned FROM config_feed_state');
  return rows[0];
}

async function until(condition: () => Promise<boolean> | boolean, ms = 20_000): Promise<void> {
  const end = performance.now() + ms;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error('the condition was not met in time');
    await sleep(5);
  }
}

t.beforeEach(async () => {
  await pool.query('TRUNCATE config_feed');
  await pool.query('UPDATE config_feed_state SET last_position = 0, pruned_position = 0');
});

t.test('committed rows get positions from 1 in the order of their ids, and the state has the last one', async (t) => {
  const assigner = started(t, { intervalMs: 60_000 });
  await insert('a', 'b', 'c');
  assigner.poke();
  await until(async () => (await state()).last === 3);
  await insert('d');
  assigner.poke();
  await until(async () => (await state()).last === 4);
  t.strictSame(
    await positions(),
    ['a', 'b', 'c', 'd'].map((object, index) => ({ position: index + 1, object })),
  );
});

t.test('many rows cause one notification with the last position', async (t) => {
  const listener = new pg.Client({ connectionString: database.url });
  await listener.connect();
  t.teardown(() => listener.end());
  const payloads: unknown[] = [];
  listener.on('notification', (message) => payloads.push(JSON.parse(message.payload as string)));
  await listener.query(`LISTEN ${FEED_CHANNEL}`);
  await insert(...Array.from({ length: 500 }, (_, n) => String(n)));
  const assigner = started(t, { intervalMs: 60_000 });
  await until(() => payloads.length > 0);
  assigner.poke();
  await sleep(50);
  t.strictSame(payloads, [{ position: 500 }], 'a round without new rows sends no notification');
});

t.test('a row without a poke is numbered within the interval', async (t) => {
  started(t, { intervalMs: 50 });
  await sleep(20);
  await insert('a');
  await until(async () => (await state()).last === 1);
});

t.test('a stop numbers the rows that were poked before it', async (t) => {
  const assigner = new Assigner({ pool, log, intervalMs: 60_000 });
  assigner.start();
  await sleep(50);
  await insert('a');
  assigner.poke();
  await assigner.stop();
  t.equal((await state()).last, 1);
  t.equal(assigner.health().ok, false);
});

t.test('a poke that comes right after a round is not lost', async (t) => {
  const assigner = started(t, { intervalMs: 60_000 });
  for (let n = 1; n <= 40; n++) {
    await insert(String(n));
    assigner.poke();
    if (n % 10 === 0) await until(async () => (await state()).last === n, 5_000);
  }
  t.equal((await state()).last, 40);
});

t.test('a row that commits after 20,000 later ids were passed is numbered by a sweep', async (t) => {
  const late = new pg.Client(database.url);
  await late.connect();
  t.teardown(() => late.end());
  await late.query('BEGIN');
  await insertFeedRows(late, [row('late')]);
  await pool.query(
    "SELECT setval(pg_get_serial_sequence('config_feed', 'id'), nextval(pg_get_serial_sequence('config_feed', 'id')) + 20000)",
  );
  await insert('early');
  const assigner = started(t, { intervalMs: 50 });
  await until(async () => (await state()).last === 1);
  await until(() => assigner.stats().rounds > 3);
  await late.query('COMMIT');
  await until(async () => (await state()).last === 2);
  t.strictSame(await positions(), [
    { position: 1, object: 'early' },
    { position: 2, object: 'late' },
  ]);
});

t.test('rows beyond the kept number are removed, and the state has the last removed position', async (t) => {
  await insert(...Array.from({ length: 30 }, (_, n) => String(n)));
  started(t, { intervalMs: 20, rowsKept: 10 });
  await until(async () => (await state()).pruned === 20);
  const rows = await positions();
  t.equal(rows.length, 10);
  t.equal(rows[0]?.position, 21);
  await sleep(60);
  t.strictSame(await state(), { last: 30, pruned: 20 });
});

t.test('many old rows are removed in steps without a wait between them', async (t) => {
  await pool.query(
    `INSERT INTO config_feed (kind, environment_id, object_id) SELECT 'link', 'env_1', n FROM generate_series(1, 25000) AS n`,
  );
  // Three steps. The interval is so long that the test sees only the first sweep and its continuations.
  started(t, { intervalMs: 600_000, rowsKept: 10 });
  await until(async () => (await state()).pruned === 24_990);
  t.equal((await positions()).length, 10);
});

t.test('positions have no gap and no duplicate, despite late commits, rollbacks and killed connections', async (t) => {
  const kill = async () => {
    await pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%FROM number_feed(%' AND pid <> pg_backend_pid()",
    );
  };
  const assigners = [started(t, { intervalMs: 20 }), started(t, { intervalMs: 20 }), started(t, { intervalMs: 20 })];
  let committed = 0;
  const write = async (writer: number) => {
    for (let n = 0; n < 25; n++) {
      const client = await pool.connect();
      try {
        await client.query('BEGIN');
        await insertFeedRows(client, [row(`${writer}-${n}`)]);
        await sleep(Math.random() * 20);
        const keep = Math.random() < 0.9;
        await client.query(keep ? 'COMMIT' : 'ROLLBACK');
        if (keep) committed += 1;
      } finally {
        client.release();
      }
      assigners[writer % 3]?.poke();
    }
  };
  let writing = true;
  const killer = (async () => {
    while (writing) {
      await kill();
      await sleep(30);
    }
  })();
  await Promise.all(Array.from({ length: 32 }, (_, writer) => write(writer)));
  writing = false;
  await killer;
  await until(async () => (await positions()).every((row) => row.position !== null));
  const rows = await positions();
  t.equal(rows.length, committed);
  t.ok(
    rows.every((row, index) => row.position === index + 1),
    'positions are contiguous from 1',
  );
  t.equal((await state()).last, committed);
  t.ok(
    assigners.some((assigner) => assigner.stats().failures > 0),
    'connections of assigners were killed meanwhile',
  );
});

t.test('health reports that PostgreSQL is away, and rounds go on when it is back', async (t) => {
  let away = true;
  const flaky = { connect: () => (away ? Promise.reject(new Error('away')) : pool.connect()) } as Pick<pg.Pool, 'connect'>;
  const assigner = started(t, { pool: flaky, intervalMs: 20, random: () => 0.1 });
  await until(() => assigner.stats().failures > 1);
  t.match(assigner.health(), { ok: false, reason: /has not been numbered since .*away/ });
  await insert('a');
  away = false;
  await until(async () => (await state()).last === 1);
  await until(() => assigner.health().ok);
  t.strictSame(assigner.health(), { part: 'feed-assigner', ok: true, reason: '' });
});
