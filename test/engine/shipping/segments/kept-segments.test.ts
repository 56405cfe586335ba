import fs, {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import type pg from 'pg';
import t, { type Test } from 'tap';
import { attempt } from '../../../../engine/mapped/mapped-file.js';
import type { FlusherSettings } from '../../../../engine/shipping/flusher.js';
import { KeptSegments } from '../../../../engine/shipping/segments/kept-segments.js';
import { addressKeyOf } from '../../../../engine/spool/address-cipher.js';
import { openClickSpool } from '../../../../engine/spool/click-spool.js';
import { SEGMENT_BYTES_MIN } from '../../../../engine/spool/segment.js';
import { folderBytes } from '../../../../engine/spool/segment-folder.js';
import { idToUuid, newId } from '../../../../shared/base/ids.js';
import { createLogger, type Logger } from '../../../../shared/base/log.js';
import { connect, countClicks, makeEnvironment, makeFlusher } from '../../../support/click-log.js';
import { makeClick } from '../../../support/clicks.js';
import { createDatabase, type TestDatabase } from '../../../support/database.js';
import { TEST_SPOOL_KEYS } from '../../../support/spool-keys.js';
import { until } from '../../../support/until.js';

const BYTES_MAX = 24 * 1024 * 1024;
/** The number of parts, of 8 MiB each. */
const PARTS = 6;
const DAY_MS = 86_400_000;

let numbers = 0;

/** A spool that writes small segments, and a click log for it. */
async function start(t: Test, keepMs = 600_000) {
  const database = await createDatabase();
  t.teardown(() => database.drop());
  const client = await connect(database.url);
  t.teardown(() => client.end());
  const { number } = await makeEnvironment(client);
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
  const flusher = (rest: Partial<FlusherSettings> = {}) => {
    const made = makeFlusher({ databaseUrl: database.url, dir, keepMs, ...rest });
    t.teardown(() => made.stop());
    made.start();
    return made;
  };
  /** Appends clicks of some 5 KiB each, so that a hundred fill a segment. */
  const append = (count: number) => {
    for (let index = 0; index < count; index++)
      spool.append(makeClick({ environment_number: number, occurred_at_ms: Date.now(), path: `n${numbers++}`, query: 'q'.repeat(5000) }));
  };
  return { database, client, dir, spool, flusher, append };
}

const FILE = '01jd0000000000000000000000';

/** The kept segments of a folder, with a clock of their own. `logged` holds the codes of the logged messages. */
function keptIn(dir: string) {
  let now = Date.now();
  const logged: string[] = [];
  const note = ({ code }: { readonly code: string }) => void logged.push(code);
  const log = { error: note, warn: note } as unknown as Logger;
  const kept = new KeptSegments({ dir, keys: TEST_SPOOL_KEYS, clock: () => now, log, keepMs: 600_000 });
  const look = () => kept.look({ isWaiting: () => false, leaveOut: () => {} });
  const wait = (milliseconds: number) => {
    now += milliseconds;
  };
  return { kept, logged, look, wait };
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

/** Ends all connections to the database, and accepts none while `work` runs. */
async function aside(admin: pg.Client, name: string, work: () => Promise<unknown>): Promise<void> {
  await admin.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS false`);
  await admin.query('SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1', [name]);
  await work();
  await admin.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS true`);
}

/**
 * Copies the database. The returned function simulates a failover: the copy takes the place of the database, without anything
 * written since.
 */
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

t.test('a failover to a replica without the last transactions neither loses nor duplicates a click', async (t) => {
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
  await until(() => shipping.stats().segments_lost > 0, 'the missing segments are counted as lost');

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
  t.test(`a stored file is removed after ${keepMs} ms, at once if no files are to be kept`, async (t) => {
    const { database, dir, append, flusher } = await start(t, keepMs);
    const shipping = flusher();
    append(250);
    await storedAre(database.url, 250, 'stored');
    await until(() => shipping.stats().segments_finished >= 2, 'full segments are finished');
    if (keepMs === 0) t.same(filesOf(dir, '.shipped'), []);
    await until(() => filesOf(dir, '.shipped').length === 0, 'no file is kept any longer');
    t.equal(shipping.stats().segments_kept, 0);
  });

t.test('kept files make room for new clicks, so that no click is dropped because of them', async (t) => {
  const { database, dir, append, flusher, spool } = await start(t);
  const shipping = flusher();
  // More than twice what the spool may hold. Each part is stored before the next one is appended.
  for (let part = 1; part <= PARTS; part++) {
    append(1600);
    await storedAre(database.url, part * 1600, `part ${part}`);
  }
  t.match(spool.stats(), { clicks_dropped_bound: 0, clicks_dropped_disk: 0 });
  t.ok(shipping.stats().segments_kept > 0);
  t.ok(folderBytes(dir) <= BYTES_MAX);
});

t.test('shipping commits durably before a file is removed, even if the server does not wait by default', async (t) => {
  const { database, client, append, flusher } = await start(t);
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

t.test('an engine with another key leaves the segments of a running engine alone', async (t) => {
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

/** Simulates days in which nothing runs on the host. */
async function passDays(client: pg.Client, dir: string, days: number): Promise<void> {
  await client.query('UPDATE click_segments SET finished_at = finished_at - make_interval(days => $1)', [days]);
  for (const path of filesOf(dir, '.shipped').map((name) => join(dir, name))) {
    const at = new Date(statSync(path).mtimeMs - days * DAY_MS);
    utimesSync(path, at, at);
  }
}

/** Starts an engine of another host, which makes the database forget the segments finished long ago, and stops it. */
async function runAnother(database: TestDatabase, dir: string, clock = Date.now): Promise<void> {
  const other = makeFlusher({ databaseUrl: database.url, dir: join(dir, '..', 'other'), clock });
  other.start();
  await other.stop();
}

const finishedRows = async (client: pg.Client): Promise<number> =>
  (await client.query('SELECT 1 FROM click_segments WHERE finished_at IS NOT NULL')).rowCount ?? 0;

for (const [days, forgotten] of [
  [8, 'by itself'],
  [8, 'by another host'],
  [7, 'by another host'],
] as const)
  t.test(`an engine that was off for ${days} days does not store kept files again, forgotten ${forgotten}`, async (t) => {
    const { database, client, dir, append, flusher } = await start(t);
    const before = flusher();
    append(250);
    await storedAre(database.url, 250, 'stored before');
    await until(() => filesOf(dir, '.shipped').length >= 2, 'full segments are kept');
    await before.stop();
    const names = filesOf(dir, '.shipped');
    await passDays(client, dir, days);
    if (forgotten === 'by another host') await runAnother(database, dir);
    let aheadMs = 0;
    const after = flusher({ clock: () => Date.now() + aheadMs });
    append(10);
    await storedAre(database.url, 260, 'new clicks are stored');
    await until(async () => (await finishedRows(client)) < names.length, 'the database has forgotten');
    // The next two comparisons.
    for (const round of [1, 2]) {
      aheadMs += 6000;
      append(10);
      await storedAre(database.url, 260 + round * 10, `comparison ${round}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
    await storedAre(database.url, 280, 'nothing was stored twice');
    t.equal(after.stats().segments_lost, 0);
    t.same(
      filesOf(dir, '.shipped').filter((name) => names.includes(name)),
      [],
      'the files are no longer kept',
    );
  });

t.test(
  'a kept file that the database lacks counts as lost as long as the database would remember it, and is removed after that',
  async (t) => {
    const dir = t.testdir();
    let now = Date.now();
    const settings = { dir, keys: TEST_SPOOL_KEYS, clock: () => now, log: createLogger('test', 'silent'), keepMs: 30 * DAY_MS };
    for (const [days, lacking] of [
      [5, 1],
      [7, 0],
    ] as const) {
      const kept = new KeptSegments(settings);
      const name = `01jd4v6xq8e5s0m3k7n9p2r4t${days}.segment2`;
      writeFileSync(join(dir, name), '');
      kept.keep(name, { id: idToUuid('click', newId('click')) as string, position: 100, click_number: 5 });
      now += days * DAY_MS;
      t.equal(kept.compare(new Map()), lacking, `${days} days`);
      t.equal(readdirSync(dir).includes(name), lacking === 1);
    }
  },
);

t.test('hosts whose clocks are wrong by days delete no record too early', async (t) => {
  const { database, client, dir, append, flusher } = await start(t);
  const behind = flusher({ clock: () => Date.now() - 8 * DAY_MS });
  append(250);
  await storedAre(database.url, 250, 'stored');
  await until(() => behind.stats().segments_finished >= 2, 'full segments are finished');
  await runAnother(database, dir);
  t.ok((await finishedRows(client)) >= 2, 'finished by a host whose clock is behind');
  await runAnother(database, dir, () => Date.now() + 8 * DAY_MS);
  t.ok((await finishedRows(client)) >= 2, 'also after a host whose clock is ahead has run');
});

t.test('a segment restored from a backup is remembered for the full time again', async (t) => {
  const { database, client, dir, spool, append, flusher } = await start(t, 0);
  append(20);
  spool.stop();
  const [name] = filesOf(dir, '.segment');
  const backup = join(dir, '..', 'backup');
  mkdirSync(backup);
  copyFileSync(join(dir, name as string), join(backup, name as string));
  for (let round = 0; round < 2; round++) {
    const shipping = flusher();
    await until(() => filesOf(dir, '.segment').length === 0, 'the file to be removed');
    await shipping.stop();
    if (round > 0) break;
    await client.query("UPDATE click_segments SET finished_at = now() - interval '6 days 23 hours'");
    copyFileSync(join(backup, name as string), join(dir, name as string));
  }
  await storedAre(database.url, 20, 'stored once');
  const { rows } = await client.query("SELECT finished_at > now() - interval '1 hour' AS lately FROM click_segments");
  t.same(rows, [{ lately: true }]);
});

const NO_PROC = process.platform === 'linux' ? false : 'only Linux has a file whose reading is an I/O error';
const UNREADABLE = '01hzzzzzzzzzzzzzzzzzzzzzzz.shipped2';

/** The kept files that this process has open. */
function openKeptFiles(): readonly string[] {
  return readdirSync('/proc/self/fd')
    .map((fd) => attempt(() => readlinkSync(`/proc/self/fd/${fd}`)))
    .flatMap((target) => ('value' in target && target.value.includes('.shipped') ? [target.value] : []));
}

t.test('a kept file that cannot be read is reported and skipped, and clicks are stored', { skip: NO_PROC }, async (t) => {
  const { database, dir, append, flusher } = await start(t);
  // Reading the first bytes of this file is an I/O error on every Linux.
  symlinkSync('/proc/self/mem', join(dir, UNREADABLE));
  append(100);
  const shipping = flusher();
  await storedAre(database.url, 100, 'stored in spite of it');
  append(100);
  await storedAre(database.url, 200, 'and so are those that come after');
  t.same(shipping.health(), { part: 'clicks', ok: false, reason: `${UNREADABLE} cannot be read: EIO` });
  t.match(shipping.stats(), { segments_unreadable: 1, segments_quarantined: 0, failures: 0 });
  unlinkSync(join(dir, UNREADABLE));
  await until(() => shipping.health().ok, 'the trouble to be over');
});

t.test('a kept file with a damaged header is removed, since its clicks are stored', async (t) => {
  const { database, dir, append, flusher } = await start(t);
  append(100);
  writeFileSync(join(dir, UNREADABLE), 'rubbish');
  const shipping = flusher();
  await storedAre(database.url, 100, 'stored');
  await until(() => filesOf(dir, UNREADABLE).length === 0, 'the file to be removed');
  t.match(shipping.stats(), { segments_unreadable: 0, segments_quarantined: 0 }, 'no click of it was lost');
});

t.test('a kept file whose progress cannot be read is closed, and is used again when its disk is back', { skip: NO_PROC }, async (t) => {
  const { database, dir, append, flusher } = await start(t);
  const before = flusher();
  append(250);
  await storedAre(database.url, 250, 'stored');
  await until(() => filesOf(dir, '.shipped').length >= 2, 'full segments are kept');
  await before.stop();
  const { length: count } = filesOf(dir, '.shipped');
  let failing = true;
  let aheadMs = 0;
  const { readSync } = fs;
  const readUnlessFailing = (file: number, buffer: Buffer, offset: number, length: number, position: number): number => {
    const refused = failing && readlinkSync(`/proc/self/fd/${file}`).includes('.shipped');
    if (refused) throw Object.assign(new Error('i/o error'), { code: 'EIO' });
    return readSync(file, buffer, offset, length, position);
  };
  const replaceReadSync = (read: unknown) => {
    Object.assign(fs, { readSync: read });
    syncBuiltinESMExports();
  };
  replaceReadSync(readUnlessFailing);
  t.teardown(() => replaceReadSync(readSync));
  const after = flusher({ clock: () => Date.now() + aheadMs });
  append(10);
  await storedAre(database.url, 260, 'stored in spite of it');
  const { segments_unreadable, segments_kept } = after.stats();
  t.same([segments_unreadable, segments_kept], [count, 0]);
  t.same(openKeptFiles(), [], 'no file stays open');
  failing = false;
  aheadMs += 60_000;
  await until(() => after.stats().segments_kept === count, 'the files to be used again');
  await until(() => after.stats().segments_unreadable === 0, 'the trouble to be over');
});

t.test('a stored file that can be neither renamed nor removed is logged once, and is removed as soon as possible', async (t) => {
  // A folder stands for a file that cannot be removed.
  const dir = t.testdir({ [`${FILE}.segment2`]: { inside: '' }, [`${FILE}.shipped2`]: { inside: '' } });
  const { kept, logged, look, wait } = keptIn(dir);
  const name = `${FILE}.segment2`;
  kept.keep(name, { id: newId('click'), position: 1000, click_number: 10 });
  t.ok(kept.holds(name));
  for (let round = 0; round < 5; round++) await look();
  wait(60_000);
  await look();
  t.same(logged, ['segment_unrenamable']);
  rmSync(join(dir, name), { recursive: true });
  writeFileSync(join(dir, name), '');
  wait(60_000);
  await look();
  t.notOk(kept.holds(name));
  t.notOk(readdirSync(dir).includes(name));
});

t.test(
  'a stored file that the database lacks and that cannot be renamed is counted once, and is shipped again as soon as possible',
  async (t) => {
    const dir = t.testdir({ [`${FILE}.segment2`]: 'clicks' });
    const { kept, logged, wait } = keptIn(dir);
    kept.keep(`${FILE}.segment2`, { id: newId('click'), position: 1000, click_number: 10 });
    mkdirSync(join(dir, `${FILE}.segment2`));
    t.equal(kept.compare(new Map()), 1);
    wait(60_000);
    t.equal(kept.compare(new Map()), 0);
    t.equal(kept.count, 1);
    t.same(logged, ['clicks_shipped_again', 'segment_unrenamable']);
    rmSync(join(dir, `${FILE}.segment2`), { recursive: true });
    wait(60_000);
    t.equal(kept.compare(new Map()), 0);
    t.same([kept.count, readdirSync(dir)], [0, [`${FILE}.segment2`]]);
  },
);
