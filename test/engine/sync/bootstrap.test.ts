import { existsSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import t, { type Test } from 'tap';
import { openConfigReader } from '../../../engine/config/config-reader.js';
import { type ConfigWriter, openConfigWriter } from '../../../engine/store/config-writer.js';
import { storeFolder } from '../../../engine/store/copies.js';
import { readBuilding, startCheck } from '../../../engine/store/generations.js';
import { bootstrap } from '../../../engine/sync/bootstrap.js';
import { systemClock } from '../../../shared/base/clock.js';
import { until } from '../../support/until.js';
import {
  bootstrapPlan,
  type ConfigFixture,
  configFixture,
  log,
  openReader,
  RecordedInvalidations,
  seen,
  startSync,
  type TestedPlan,
} from './config-fixture.js';

async function linksOf(fixture: ConfigFixture, count: number): Promise<void> {
  await fixture.pool.query(
    `INSERT INTO links (id, environment_id, path, deep_link_path, created_at, updated_at)
     SELECT new_id('lnk_', now()), $1, 'p' || n, '/', now(), now() FROM generate_series(1, $2::integer) AS n`,
    [fixture.environmentIds[0], count],
  );
}

/** Bootstraps over a connection of its own, as a host does. */
async function run(fixture: ConfigFixture, writer: ConfigWriter, plan: TestedPlan = {}): Promise<boolean> {
  const client = new pg.Client({ connectionString: fixture.url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await bootstrap(client, writer, bootstrapPlan(plan));
  } finally {
    await client.end();
  }
}

function openWriter(t: Test, dir: string): ConfigWriter {
  const writer = openConfigWriter(dir, log, systemClock);
  t.teardown(() => writer.close());
  return writer;
}

function deferred() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Counts the copied objects, and stops the bootstrap when there are `count` of them. */
function stopAfter(count: number) {
  const counted = { objects: 0 };
  const onObjects = (more: number) => {
    counted.objects += more;
  };
  return { counted, plan: { onObjects, cancelled: () => counted.objects >= count } };
}

t.test('a bootstrap that is stopped or fails at any page changes nothing visible, and the next one continues from there', async (t) => {
  const fixture = await configFixture(t, { assigning: false });
  await linksOf(fixture, 5000);
  const dir = t.testdir();
  const writer = openWriter(t, dir);
  const reader = openReader(t, dir);
  let rests = 0;
  const rest = async (milliseconds: number) => {
    if (milliseconds > 0) rests++;
  };
  const first = stopAfter(Number.POSITIVE_INFINITY);
  t.equal(await run(fixture, writer, { ...first.plan, rest }), true);
  t.equal(first.counted.objects, 5002);
  t.equal(rests, 0, 'an empty host does not pause, since visitors wait for the copy');
  await seen(reader, 'p5000', (link) => link !== undefined);
  const whole = writer.generation();
  writer.removeOldGenerations();
  t.strictSame(readdirSync(storeFolder(dir)).sort(), ['CURRENT', whole].sort());
  await fixture.pool.query("UPDATE links SET deep_link_path = '/new'");
  let copied = 0;
  for (const count of [1, 1, 2000]) {
    const stopped = stopAfter(count);
    t.equal(await run(fixture, writer, stopped.plan), false);
    copied += stopped.counted.objects;
    t.equal(writer.generation(), whole);
    t.strictSame(readdirSync(storeFolder(dir)).sort(), ['BUILDING', 'CURRENT', whole, readBuilding(storeFolder(dir))].sort());
  }
  t.equal(copied, 4002, 'nothing was copied twice');
  t.equal(reader.findLink(1, 'p5000')?.deep_link_path, '/');
  const failing = {
    onObjects: () => {
      throw new Error('a fault');
    },
  };
  await t.rejects(run(fixture, writer, failing), { message: 'a fault' });
  t.equal(await run(fixture, writer, first.plan), true);
  t.equal(first.counted.objects, 5002, 'the page before the fault was the last one');
  await seen(reader, 'p5000', (link) => link?.deep_link_path === '/new');
  writer.removeOldGenerations();
  t.strictSame(readdirSync(storeFolder(dir)).sort(), ['CURRENT', writer.generation()].sort());
  t.equal(await run(fixture, writer, { rest }), true);
  t.ok(rests >= 3, `a host that serves an old copy pauses for its visitors: ${rests} pauses`);
});

t.test('a page that was read earlier never overwrites what the feed has brought', async (t) => {
  const fixture = await configFixture(t, { assigning: false });
  await linksOf(fixture, 60);
  const writer = openWriter(t, t.testdir());
  const client = new pg.Client({ connectionString: fixture.url });
  await client.connect();
  const query = client.query.bind(client) as (...parameters: unknown[]) => Promise<unknown>;
  let changes = 0;
  let copied = 0;
  (client as { query: unknown }).query = async (...parameters: [{ readonly name?: string }]) => {
    if (parameters[0].name === 'read_feed_state' && copied >= 12 && copied < 42) {
      // The statements sent before this one have been answered now. All links change between them and the rows of the feed, and
      // no later change hides an error.
      await query('SELECT 1');
      await fixture.pool.query(
        `WITH written AS (UPDATE links SET deep_link_path = $1 RETURNING id, environment_id, path)
         INSERT INTO config_feed (kind, environment_id, object_id, object_key) SELECT 'link', environment_id, id, path FROM written`,
        [`/${++changes}`],
      );
      await fixture.assignSilently();
    }
    return query(...parameters);
  };
  // The feed is due at about every second page.
  for (const feedMs of [0, 4]) {
    copied = 0;
    const onObjects = (count: number) => {
      copied += count;
    };
    t.equal(await bootstrap(client, writer, bootstrapPlan({ pageRows: 10, feedMs, onObjects })), true);
    const paths = new Map<string, string>();
    writer.readLinks(null, 100, (key, link) => paths.set(key, link.deep_link_path));
    t.equal(paths.size, 60);
    t.same([...new Set(paths.values())], [`/${changes}`]);
  }
  t.ok(changes >= 3, `${changes} changes`);
  await client.end();
});

t.test(
  'tables are published before any link and again when they change, and a process that continues does not serve them as a copy',
  async (t) => {
    const fixture = await configFixture(t, { assigning: false });
    await linksOf(fixture, 300);
    const dir = t.testdir();
    let writer = openConfigWriter(dir, log, systemClock);
    let reader = openConfigReader(dir, log);
    const hosts = () => reader.readTableInput().environments.map(({ link_host }) => link_host);
    t.equal(await run(fixture, writer, { ...stopAfter(3).plan, pageRows: 100 }), false);
    t.same(hosts(), ['live.localhost', 'test.localhost']);
    t.notOk(writer.serves());
    await reader.close();
    await writer.close();
    writer = openWriter(t, dir);
    reader = openReader(t, dir);
    t.notOk(writer.serves(), 'the next process knows that there are only tables');
    t.ok(writer.servesNothing());
    await fixture.renameHost(0, 'renamed.localhost');
    await fixture.assignSilently();
    t.equal(await run(fixture, writer, { ...stopAfter(1).plan, pageRows: 100 }), false);
    await new Promise((resolve) => setTimeout(resolve, 20));
    t.same(hosts(), ['renamed.localhost', 'test.localhost']);
    t.equal(reader.findLink(1, 'p1'), undefined);
    t.notOk(reader.isWhole());
    for (let n = 0; n < 4; n++) {
      await fixture.renameHost(0, `renamed${n}.localhost`);
      await fixture.assignSilently();
      t.equal(await run(fixture, writer, { ...stopAfter(1).plan, pageRows: 10 }), false);
    }
    const interim = readdirSync(storeFolder(dir)).length - 3;
    t.ok(interim <= 2, `${interim} generations of tables are kept beside BUILDING, its generation and CURRENT`);
    t.equal(await run(fixture, writer, {}), true);
    await seen(reader, 'p1', (link) => link !== undefined);
    t.same(hosts(), ['renamed3.localhost', 'test.localhost']);
    t.ok(reader.isWhole());
  },
);

t.test('an unfinished copy of another database, of a pruned feed, or with missing data on disk is not continued', async (t) => {
  const fixture = await configFixture(t, { assigning: false });
  await linksOf(fixture, 300);
  const dir = t.testdir();
  const folder = storeFolder(dir);
  const spoils: readonly (readonly [string, () => unknown])[] = [
    ['epoch', () => fixture.pool.query('UPDATE config_feed_state SET epoch = gen_random_uuid()')],
    [
      'pruned',
      async () => {
        await fixture.createLink('later');
        await fixture.assignSilently();
        await fixture.pool.query('UPDATE config_feed_state SET pruned_position = last_position');
      },
    ],
    ['cut short', () => truncateSync(join(folder, readBuilding(folder) as string, 'data.mdb'), 4096)],
    ['gone', () => rmSync(join(folder, readBuilding(folder) as string), { recursive: true })],
    ['a process died when it opened it', () => startCheck(folder, readBuilding(folder) as string)],
  ];
  for (const [what, spoil] of spoils) {
    const writer = openConfigWriter(dir, log, systemClock);
    t.equal(await run(fixture, writer, { ...stopAfter(102).plan, pageRows: 100 }), false, what);
    const before = readBuilding(folder);
    await writer.close();
    await spoil();
    const next = openConfigWriter(dir, log, systemClock);
    const { counted, plan } = stopAfter(Number.POSITIVE_INFINITY);
    t.equal(await run(fixture, next, plan), true, what);
    t.ok(counted.objects >= 302, `${what}: ${counted.objects} objects from the beginning`);
    t.notOk(existsSync(join(folder, before as string)), what);
    t.notOk(readBuilding(folder));
    await next.close();
  }
});

t.test('a copy that is continued several times without progress is started again', async (t) => {
  const fixture = await configFixture(t, { assigning: false });
  await linksOf(fixture, 300);
  const dir = t.testdir();
  const writer = openWriter(t, dir);
  t.equal(await run(fixture, writer, { ...stopAfter(102).plan, pageRows: 100 }), false);
  const folder = storeFolder(dir);
  const before = readBuilding(folder);
  for (let n = 0; n < 3; n++) {
    t.equal(await run(fixture, writer, { cancelled: () => true }), false);
    t.equal(readBuilding(folder), before);
  }
  t.equal(await run(fixture, writer, { cancelled: () => true }), false);
  t.not(readBuilding(folder), before);
});

t.test('an unfinished copy is removed if the previous copy can be followed', async (t) => {
  const fixture = await configFixture(t);
  await linksOf(fixture, 300);
  const dir = t.testdir();
  const writer = openConfigWriter(dir, log, systemClock);
  t.equal(await run(fixture, writer), true);
  t.equal(await run(fixture, writer, { ...stopAfter(102).plan, pageRows: 100 }), false);
  await writer.close();
  t.ok(readBuilding(storeFolder(dir)));
  const sync = startSync(t, fixture.url, dir, { pollMs: 50 });
  await until(() => readBuilding(storeFolder(dir)) === null, 'the unfinished copy to be removed');
  t.match(sync.stats(), { state: 'following', bootstraps: 0 });
});

t.test('a copy whose folder was deleted or whose disk is full leaves nothing behind', async (t) => {
  const fixture = await configFixture(t, { assigning: false });
  await linksOf(fixture, 300);
  const dir = t.testdir({ deleted: {}, full: {} });
  const folder = storeFolder(join(dir, 'deleted'));
  const writer = openWriter(t, join(dir, 'deleted'));
  const onObjects = () => rmSync(join(folder, readBuilding(folder) as string), { recursive: true, force: true });
  await t.rejects(run(fixture, writer, { onObjects, pageRows: 100 }), { message: 'the data file is gone' });
  t.notOk(readBuilding(folder));
  const full = openWriter(t, join(dir, 'full'));
  const build = full.build.bind(full);
  full.build = async () => {
    const builder = await build();
    let puts = 0;
    const put = builder.put.bind(builder);
    builder.put = (changes, progress) => {
      // The first put begins the copy, and six are for tables.
      const fails = ++puts > 8 ? [{ ...changes[0], key: 'x'.repeat(5000) } as never] : changes;
      put(fails, progress);
    };
    return builder;
  };
  await t.rejects(run(fixture, full, { pageRows: 100 }));
  t.notOk(readBuilding(storeFolder(join(dir, 'full'))));
  t.same(readdirSync(storeFolder(join(dir, 'full'))).length, 2, 'CURRENT and the tables');
});

t.test('at most two hosts copy at a time; the others wait, follow the feed, and get their turn when a host is done or gone', async (t) => {
  const fixture = await configFixture(t, { assigning: false });
  await linksOf(fixture, 100);
  const dir = t.testdir({ a: {}, b: {}, c: {} });
  const [hold, bothCopy] = [deferred(), deferred()];
  let copying = 0;
  /** A host that serves an old copy, and pauses in the middle of the links of the next one until `hold` is resolved. */
  const held = async (name: string) => {
    const writer = openWriter(t, join(dir, name));
    t.equal(await run(fixture, writer), true);
    const client = new pg.Client({ connectionString: fixture.url });
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    let copiesLinks = false;
    const plan = bootstrapPlan({
      pageRows: 10,
      onObjects: (count) => {
        if (count === 10 && !copiesLinks && ++copying === 2) bothCopy.resolve();
        copiesLinks ||= count === 10;
      },
      rest: async () => {
        if (copiesLinks) await hold.promise;
      },
    });
    const outcome = bootstrap(client, writer, plan).then(
      (whole) => ({ whole }),
      (error: Error) => ({ error }),
    );
    return { client, pid: rows[0]?.pid, outcome };
  };
  const [first, second] = [await held('a'), await held('b')];
  await bothCopy.promise;
  const remembered = new RecordedInvalidations();
  const waits: boolean[] = [];
  const waiter = openWriter(t, join(dir, 'c'));
  const reader = openReader(t, join(dir, 'c'));
  let looks = 0;
  const third = run(fixture, waiter, {
    remembered,
    onWaiting: (waiting) => waits.push(waiting),
    rest: async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (++looks !== 3) return;
      t.same(waits, [true]);
      await fixture.renameHost(1, 'while-waiting.localhost');
      await fixture.pool.query(
        `INSERT INTO config_feed (kind, environment_id, object_id, object_key) VALUES ('metadata_answer', $1, 'rt_1/a/b', 'a/b')`,
        [fixture.environmentIds[0]],
      );
      await fixture.assignSilently();
    },
  });
  while (looks < 8) await new Promise((resolve) => setTimeout(resolve, 10));
  t.same(
    reader.readTableInput().environments.map(({ link_host }) => link_host),
    ['live.localhost', 'while-waiting.localhost'],
    'the tables are there',
  );
  t.same(remembered.said, [[{ resource_type_id: 'rt_1', item_id: 'a/b' }]]);
  t.same(waits, [true]);
  // One of the two copying hosts dies: its session ends.
  await fixture.pool.query('SELECT pg_terminate_backend($1)', [first.pid]);
  t.equal(await third, true);
  t.same(waits, [true, false]);
  await seen(reader, 'p100', (link) => link !== undefined);
  hold.resolve();
  t.same(await second.outcome, { whole: true });
  t.match(await first.outcome, { error: Error });
  await Promise.all([first.client.end(), second.client.end()]);
});

t.test('PostgreSQL limits the silence of a session while it has a turn, and not afterwards', async (t) => {
  const fixture = await configFixture(t, { assigning: false });
  const writer = openWriter(t, t.testdir());
  const client = new pg.Client({ connectionString: fixture.url });
  await client.connect();
  const limits: string[] = [];
  const plan = bootstrapPlan({
    onObjects: () => void client.query('SHOW idle_session_timeout').then(({ rows }) => limits.push(rows[0].idle_session_timeout)),
  });
  t.equal(await bootstrap(client, writer, plan), true);
  const { rows } = await client.query(
    `SELECT current_setting('idle_session_timeout') AS silence, (SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'advisory')::integer AS locks`,
  );
  t.same([...new Set(limits)], ['1min']);
  t.same(rows, [{ silence: '0', locks: 0 }]);
  t.ok(statSync(writer.folderOf(writer.generation() as string)).isDirectory());
  await client.end();
});
