import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import t, { type Test } from 'tap';
import { addressKeyOf } from '../../../../engine/spool/address-cipher.js';
import { openClickSpool } from '../../../../engine/spool/click-spool.js';
import { SEGMENT_BYTES_MIN } from '../../../../engine/spool/segment.js';
import { folderBytes } from '../../../../engine/spool/segment-folder.js';
import { connect, countClicks, makeEnvironment, makeFlusher } from '../../../support/click-log.js';
import { makeClick } from '../../../support/clicks.js';
import { createDatabase, type TestDatabase } from '../../../support/database.js';
import { TEST_SPOOL_KEYS } from '../../../support/spool-keys.js';
import { until } from '../../../support/until.js';

const BYTES_MAX = 24 * 1024 * 1024;
/** Of 8 MiB each. */
const PARTS = 6;

let numbers = 0;

/** A spool that writes small segments, and a click log for it. */
async function start(t: Test, keepMs = 600_000) {
  const database = await createDatabase();
  t.teardown(() => database.drop());
  const client = await connect(database.url);
  const { number } = await makeEnvironment(client);
  await client.end();
  const dir = join(t.testdir(), 'spool');
  const spool = openClickSpool({
    dir,
    bytesMax: BYTES_MAX,
    mapped: true,
    clock: Date.now,
    keys: TEST_SPOOL_KEYS,
    segmentBytes: SEGMENT_BYTES_MIN,
  });
  t.teardown(() => spool.stop());
  const flusher = () => {
    const made = makeFlusher({ databaseUrl: database.url, dir, keepMs });
    t.teardown(() => made.stop());
    made.start();
    return made;
  };
  /** Some 5 KiB each, so that a hundred fill a segment. */
  const append = (count: number) => {
    for (let index = 0; index < count; index++)
      spool.append(makeClick({ environment_number: number, occurred_at_ms: Date.now(), path: `n${numbers++}`, query: 'q'.repeat(5000) }));
  };
  return { database, dir, spool, flusher, append };
}

const filesOf = (dir: string, part: string) => readdirSync(dir).filter((name) => name.includes(part));

async function storedAre(url: string, count: number, why: string): Promise<void> {
  const client = await connect(url);
  try {
    await until(async () => (await countClicks(client)).rows >= count, why);
    const { rows, ids, paths } = await countClicks(client);
    t.same([rows, ids, paths], [count, count, count], why);
  } finally {
    await client.end();
  }
}

/** Nobody is connected to the database while `work` runs, and those that were have lost the connection. */
async function aside(admin: pg.Client, name: string, work: () => Promise<unknown>): Promise<void> {
  await admin.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS false`);
  await admin.query('SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1', [name]);
  await work();
  await admin.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS true`);
}

/** Another server takes over that has everything up to `copy`, and nothing of what came after. */
async function copyOf(database: TestDatabase): Promise<() => Promise<void>> {
  const name = new URL(database.url).pathname.slice(1);
  const serverUrl = Object.assign(new URL(database.url), { pathname: '/postgres' }).href;
  const admin = await connect(serverUrl);
  await aside(admin, name, () => admin.query(`CREATE DATABASE "${name}_copy" TEMPLATE "${name}"`));
  return async () => {
    await aside(admin, name, async () => {
      await admin.query(`ALTER DATABASE "${name}" RENAME TO "${name}_lost"`);
      await admin.query(`ALTER DATABASE "${name}_copy" RENAME TO "${name}"`);
    });
    await admin.query(`DROP DATABASE "${name}_lost"`);
    await admin.end();
  };
}

t.test('a failover to a replica that lacked the last transactions loses no click and doubles none', async (t) => {
  const { database, dir, append, flusher } = await start(t);
  let shipping = flusher();
  append(250);
  await storedAre(database.url, 250, 'clicks of before the copy');
  const failOver = await copyOf(database);
  append(250);
  await storedAre(database.url, 500, 'clicks of after the copy');
  await until(() => filesOf(dir, '.shipped').length >= 3, 'full segments are kept');
  await failOver();
  await storedAre(database.url, 500, 'nothing new is clicked on: the comparison alone finds what is missing');
  await until(() => shipping.stats().segments_lost > 0, 'that it was missing is counted');

  const again = await copyOf(database);
  append(130);
  await storedAre(database.url, 630, 'clicks of after the second copy');
  await shipping.stop();
  await again();
  shipping = flusher();
  await storedAre(database.url, 630, 'a shipper that was not there when they were stored finds them too');
  await new Promise((resolve) => setTimeout(resolve, 500));
  await storedAre(database.url, 630, 'and ships none of them twice');
});

for (const keepMs of [300, 0])
  t.test(`a kept file goes when its time is over (${keepMs} ms), and at once where none is to be kept`, async (t) => {
    const { database, dir, append, flusher } = await start(t, keepMs);
    const shipping = flusher();
    append(250);
    await storedAre(database.url, 250, 'stored');
    await until(() => shipping.stats().segments_finished >= 2, 'full segments are finished');
    if (keepMs === 0) t.same(filesOf(dir, '.shipped'), []);
    await until(() => filesOf(dir, '.shipped').length === 0, 'no file is kept any longer');
    t.equal(shipping.stats().segments_kept, 0);
  });

t.test('kept files make room for new clicks, so that none is dropped for their sake', async (t) => {
  const { database, dir, append, flusher, spool } = await start(t);
  const shipping = flusher();
  // More than twice what the spool may hold, each part of it stored before the next one comes.
  for (let part = 1; part <= PARTS; part++) {
    append(1600);
    await storedAre(database.url, part * 1600, `part ${part}`);
  }
  t.match(spool.stats(), { clicks_dropped_bound: 0, clicks_dropped_disk: 0 });
  t.ok(shipping.stats().segments_kept > 0);
  t.ok(folderBytes(dir) <= BYTES_MAX);
});

t.test('shipping is durable before a file may go, though the server commits without waiting', async (t) => {
  const { database, append, flusher } = await start(t);
  const client = await connect(database.url);
  t.teardown(() => client.end());
  await client.query(`ALTER DATABASE "${new URL(database.url).pathname.slice(1)}" SET synchronous_commit = off`);
  await client.query('CREATE TABLE commits (setting text)');
  await client.query(
    `CREATE FUNCTION note_commit() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN INSERT INTO commits VALUES (current_setting('synchronous_commit')); RETURN NEW; END $$`,
  );
  await client.query('CREATE TRIGGER note AFTER UPDATE OF shipped_bytes ON click_segments FOR EACH ROW EXECUTE FUNCTION note_commit()');
  flusher();
  append(10);
  await storedAre(database.url, 10, 'stored');
  const { rows } = await client.query('SELECT DISTINCT setting FROM commits');
  t.same(rows, [{ setting: 'on' }]);
});

t.test('the segments of another engine that lives are left to it', async (t) => {
  const { database, dir, append, flusher } = await start(t);
  const other = { ...TEST_SPOOL_KEYS, addresses: addressKeyOf(Buffer.alloc(32, 1)) };
  const shipping = makeFlusher({ databaseUrl: database.url, dir, keys: other });
  t.teardown(() => shipping.stop());
  append(20);
  shipping.start();
  await new Promise((resolve) => setTimeout(resolve, 500));
  await storedAre(database.url, 0, 'its writer lives');
  await shipping.stop();
  const own = flusher();
  await storedAre(database.url, 20, 'anyone who has the key stores them');
  await own.stop();
});
