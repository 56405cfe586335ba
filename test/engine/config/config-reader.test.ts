import { mkdirSync, openSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openConfigReader } from '../../../engine/config/config-reader.js';
import { openConfigWriter } from '../../../engine/store/config-writer.js';
import { storeFolder } from '../../../engine/store/copies.js';
import { openEnvironment } from '../../../engine/store/environment.js';
import { moveAside, readPointer } from '../../../engine/store/generations.js';
import { CODEC_KEY } from '../../../engine/store/keys.js';
import { systemClock } from '../../../shared/base/clock.js';
import { manualClock } from '../../support/manual-clock.js';
import { build, cursor, dataPath, environment, flip, link, log, putEnvironment, putLink, tick } from '../store/store-fixture.js';
import { openBoth } from './open-both.js';

t.test('a reader works before the store exists, and finds the store once it does', async (t) => {
  const { writer, reader } = openBoth(t, t.testdir());
  t.equal(reader.findLink(1, 'a'), undefined);
  t.strictSame(reader.readTableInput().environments, []);
  const before = reader.tableVersion();
  await build(writer, [putEnvironment(environment(1)), putLink('a', link('lnk_1'))]);
  t.equal(reader.findLink(1, 'a')?.id, 'lnk_1');
  t.not(reader.tableVersion(), before);
  t.strictSame(
    reader.readTableInput().environments.map(({ id }) => id),
    ['env_1'],
  );
});

t.test('a change of an environment changes the table version, a change of a link does not', async (t) => {
  const { writer, reader } = openBoth(t, t.testdir());
  await build(writer, [putEnvironment(environment(1))]);
  const first = reader.tableVersion();
  writer.apply([putLink('a', link('lnk_1'))], cursor(2));
  await tick();
  t.equal(reader.findLink(1, 'a')?.id, 'lnk_1');
  t.equal(reader.tableVersion(), first);
  writer.apply([putEnvironment(environment(2))], cursor(3));
  await tick();
  t.not(reader.tableVersion(), first);
  t.equal(reader.readTableInput().environments.length, 2);
  t.strictSame(
    writer.environmentNumbers(),
    new Map([
      ['env_1', 1],
      ['env_2', 2],
    ]),
  ); // prettier-ignore
});

t.test('a change is seen in the turn of the event loop in which the table version was read before it', async (t) => {
  const { writer, reader } = openBoth(t, t.testdir());
  await build(writer, [putEnvironment(environment(1))]);
  const first = reader.tableVersion();
  writer.apply([putEnvironment(environment(2))], cursor(2));
  t.not(reader.tableVersion(), first);
});

t.test('a path that no link can have is not found, and is never an error', async (t) => {
  const { writer, reader } = openBoth(t, t.testdir());
  await build(writer, [putLink('a', link('lnk_1'))]);
  for (const path of ['', '\0', '/', 'é'.repeat(64), '\ud800', 'x'.repeat(64), 'x'.repeat(65), 'x'.repeat(100_000)])
    t.equal(reader.findLink(1, path), undefined, JSON.stringify(path.slice(0, 4)));
  t.equal(reader.findLink(2 ** 31 - 1, 'a'), undefined);
  t.equal(reader.stats().damages, 0);
});

t.test('a new generation replaces the old one in one step, and old ones are removed', async (t) => {
  const dir = t.testdir();
  const { writer, reader } = openBoth(t, dir);
  await build(writer, [putLink('a', link('lnk_1'))]);
  t.equal(reader.findLink(1, 'a')?.id, 'lnk_1');
  const first = readPointer(storeFolder(dir)) as string;
  await build(writer, [putLink('b', link('lnk_2'))]);
  t.equal(reader.findLink(1, 'a'), undefined);
  t.equal(reader.findLink(1, 'b')?.id, 'lnk_2');
  writer.removeOldGenerations();
  t.equal(statSync(join(storeFolder(dir), first), { throwIfNoEntry: false }), undefined);
  t.equal(reader.findLink(1, 'b')?.id, 'lnk_2');
});

t.test('readers skip a value with a flipped bit and report it, and the check finds it', async (t) => {
  const dir = t.testdir();
  const { writer, reader } = openBoth(t, dir);
  await build(writer, [putLink('good', link('lnk_1')), putLink('bad', link('lnk_2', 'https://damaged.example/'))]);
  flip(dataPath(dir), 'https://damaged.example/');
  t.equal(reader.findLink(1, 'bad'), undefined);
  t.equal(reader.findLink(1, 'good')?.id, 'lnk_1');
  t.equal(reader.stats().damages, 1);
  t.match(writer.inspect(), /a link is damaged/);
  t.equal(writer.cursor(), null, 'a bootstrap is due');
  t.equal(reader.findLink(1, 'good')?.id, 'lnk_1', 'all other values are still served');
  await build(writer, [putLink('good', link('lnk_1')), putLink('bad', link('lnk_2'))]);
  t.equal(reader.findLink(1, 'bad')?.id, 'lnk_2');
});

t.test('a tree that LMDB cannot walk is moved aside, and readers close it', async (t) => {
  const dir = t.testdir();
  const { writer, reader } = openBoth(t, dir);
  const many = Array.from({ length: 5000 }, (_, n) => putLink(`p${n}`, link(`lnk_${n}`)));
  await build(writer, many);
  t.equal(reader.findLink(1, 'p7')?.id, 'lnk_7');
  const file = dataPath(dir);
  const { size } = statSync(file);
  // Overwrites the page headers (flags, bounds) with zeros. LMDB reports MDB_CORRUPTED for such a page.
  const descriptor = openSync(file, 'r+');
  for (let page = 4; page * 4096 < size; page++) writeSync(descriptor, Buffer.alloc(24), 0, 24, page * 4096);
  await tick();
  t.throws(() => writer.apply([putLink('p8', link('lnk_x'))], cursor(2)), { name: 'StoreDamagedError' });
  t.equal(writer.cursor(), null);
  t.equal(reader.findLink(1, 'p7'), undefined);
  await build(writer, [putLink('p7', link('lnk_y'))]);
  t.equal(reader.findLink(1, 'p7')?.id, 'lnk_y');
});

t.test('a process keeps the hosts that it has read when the store is damaged or removed, until there is a new store', async (t) => {
  const dir = t.testdir();
  const { writer, reader } = openBoth(t, dir);
  await build(writer, [putEnvironment(environment(1)), putEnvironment({ ...environment(2), project_name: 'damaged project' })]);
  t.equal(reader.readTableInput().environments.length, 2);
  flip(dataPath(dir), 'damaged project');
  await tick();
  t.strictSame(
    reader.readTableInput().environments.map(({ project_name }) => project_name),
    ['p', 'damaged project'],
    'a value that was damaged after it was read',
  );
  moveAside(storeFolder(dir), readPointer(storeFolder(dir)) as string);
  const version = reader.tableVersion();
  t.equal(reader.isWhole(), false);
  t.equal(reader.readTableInput().environments.length, 2, 'a store that was removed');
  await build(writer, [putEnvironment(environment(3))]);
  t.not(reader.tableVersion(), version);
  t.strictSame(
    reader.readTableInput().environments.map(({ id }) => id),
    ['env_3'],
  );
  t.equal(reader.isWhole(), true);
});

t.test('a process that first reads a damaged store knows that its table is incomplete, until the store is rebuilt', async (t) => {
  const dir = t.testdir();
  const writer = openConfigWriter(dir, log, systemClock);
  await build(writer, [putEnvironment(environment(1)), putEnvironment({ ...environment(2), project_name: 'damaged project' })]);
  flip(dataPath(dir), 'damaged project');
  const reader = openConfigReader(dir, log);
  t.teardown(async () => {
    await reader.close();
    await writer.close();
  });
  const known = () => ({ ids: reader.readTableInput().environments.map(({ id }) => id), complete: reader.readTableInput().complete });
  t.strictSame(known(), { ids: ['env_1'], complete: false });
  t.equal(reader.isWhole(), false, 'a value that is missing may be damaged');
  await build(writer, [putEnvironment(environment(1)), putEnvironment(environment(2))]);
  t.strictSame(known(), { ids: ['env_1', 'env_2'], complete: true });
  t.equal(reader.isWhole(), true);
});

t.test('a store file that was cut short is opened by neither reader nor writer', async (t) => {
  const dir = t.testdir();
  const first = openConfigWriter(dir, log, systemClock);
  await build(first, [putLink('a', link('lnk_1'))]);
  await first.close();
  truncateSync(dataPath(dir), 5000);
  const clock = manualClock(0);
  const reader = openConfigReader(dir, log, clock.now);
  t.equal(reader.findLink(1, 'a'), undefined);
  t.equal(reader.stats().generation, null);
  const writer = openConfigWriter(dir, log, systemClock);
  t.equal(writer.cursor(), null);
  await build(writer, [putLink('a', link('lnk_1'))]);
  clock.advance(10);
  t.equal(reader.findLink(1, 'a')?.id, 'lnk_1');
  await reader.close();
  await writer.close();
});

t.test('the writer notices that its folder was deleted, and a reader that has the store open goes on reading', async (t) => {
  const dir = t.testdir();
  const { writer, reader } = openBoth(t, dir);
  await build(writer, [putLink('a', link('lnk_1'))]);
  t.equal(reader.findLink(1, 'a')?.id, 'lnk_1');
  rmSync(storeFolder(dir), { recursive: true });
  t.equal(reader.findLink(1, 'a')?.id, 'lnk_1');
  t.match(writer.inspect(), /changed from outside/);
  mkdirSync(storeFolder(dir), { recursive: true });
  await build(writer, [putLink('a', link('lnk_2'))]);
  t.equal(reader.findLink(1, 'a')?.id, 'lnk_2');
});

t.test('a store of another codec is not read, and is rebuilt', async (t) => {
  const dir = t.testdir();
  const first = openConfigWriter(dir, log, systemClock);
  await build(first, [putLink('a', link('lnk_1'))]);
  await first.close();
  const handle = openEnvironment(join(dataPath(dir), '..'), 'follow');
  await handle.environment.put(CODEC_KEY, Buffer.from('999'));
  await handle.close();
  const { writer, reader } = openBoth(t, dir);
  t.equal(writer.cursor(), null);
  t.equal(reader.findLink(1, 'a'), undefined);
  t.equal(reader.stats().damages, 0, 'another codec is not damage');
  await build(writer, [putLink('a', link('lnk_2'))]);
  t.equal(reader.findLink(1, 'a')?.id, 'lnk_2');
});

t.test('a pointer to nothing, and a file in its place, count as a missing store', async (t) => {
  for (const spoil of [
    (folder: string) => symlinkSync('gone', join(folder, 'CURRENT')),
    (folder: string) => writeFileSync(join(folder, 'CURRENT'), 'text'),
  ]) {
    const dir = t.testdir();
    mkdirSync(storeFolder(dir), { recursive: true });
    spoil(storeFolder(dir));
    const { writer, reader } = openBoth(t, dir);
    t.equal(reader.findLink(1, 'a'), undefined);
    t.equal(writer.cursor(), null);
    await build(writer, [putLink('a', link('lnk_1'))]);
    t.equal(reader.findLink(1, 'a')?.id, 'lnk_1');
  }
});
