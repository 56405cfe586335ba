import { mkdirSync, readdirSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openConfigWriter } from '../../../engine/store/config-writer.js';
import { storeFolder } from '../../../engine/store/copies.js';
import { systemClock } from '../../../shared/base/clock.js';
import { openBoth } from '../config/open-both.js';
import { build, cursor, dataPath, environment, flip, link, log, putEnvironment, putLink, removeLink, tick } from './store-fixture.js';

t.test('a removal leaves the key alone if another object has it now', async (t) => {
  const { writer, reader } = openBoth(t, t.testdir());
  await build(writer, [putLink('a', link('lnk_old')), putLink('b', link('lnk_b'))]);
  writer.apply([putLink('a', link('lnk_new')), removeLink('a', 'lnk_old'), removeLink('b', 'lnk_b')], cursor(2));
  await tick();
  t.equal(reader.findLink(1, 'a')?.id, 'lnk_new');
  t.equal(reader.findLink(1, 'b'), undefined);
  t.strictSame({ ...writer.cursor() }, cursor(2));
});

t.test('an abandoned build leaves the old generation in place, and nothing of its own', async (t) => {
  const dir = t.testdir();
  const { writer, reader } = openBoth(t, dir);
  await build(writer, [putLink('a', link('lnk_1'))]);
  const builder = await writer.build();
  builder.put([putLink('b', link('lnk_2'))]);
  await builder.abandon();
  t.equal(reader.findLink(1, 'a')?.id, 'lnk_1');
  t.equal(reader.findLink(1, 'b'), undefined);
  t.strictSame({ ...writer.cursor() }, cursor(1));
});

t.test('a generation that cannot be published leaves nothing behind, and a later one can be published', async (t) => {
  const dir = t.testdir();
  const { writer, reader } = openBoth(t, dir);
  // A folder that is not empty: no file can be renamed over it.
  const pointer = join(storeFolder(dir), 'CURRENT');
  mkdirSync(join(pointer, 'in the way'), { recursive: true });
  for (const attempt of ['first', 'second']) {
    const builder = await writer.build();
    builder.put([putLink('a', link('lnk_1'))]);
    await t.rejects(builder.finish(cursor(1)), { code: 'EISDIR' }, attempt);
    await builder.abandon();
    await t.rejects(writer.publishTables([putEnvironment(environment(1))]), { code: 'EISDIR' });
    t.strictSame(readdirSync(storeFolder(dir)), ['CURRENT']);
  }
  rmdirSync(join(pointer, 'in the way'));
  rmdirSync(pointer);
  await writer.publishTables([putEnvironment(environment(1))]);
  t.equal(reader.readTableInput().environments.length, 1);
  await build(writer, [putLink('a', link('lnk_1'))]);
  t.equal(reader.findLink(1, 'a')?.id, 'lnk_1');
});

t.test('a store is opened again with its cursor, and is checked once completely', async (t) => {
  const dir = t.testdir();
  const first = openConfigWriter(dir, log, systemClock);
  await build(first, [putLink('a', link('lnk_1'))]);
  await first.apply([putLink('b', link('lnk_2'))], cursor(2));
  await first.close();
  const { writer, reader } = openBoth(t, dir);
  t.strictSame({ ...writer.cursor() }, cursor(2));
  t.equal(reader.findLink(1, 'b')?.id, 'lnk_2');
  const checking = join(dataPath(dir), '..', 'checking');
  t.ok(statSync(checking, { throwIfNoEntry: false }), 'the check is noted on disk');
  let key: string | null = null;
  let rounds = 0;
  do {
    key = writer.check(key, 2);
    rounds += 1;
  } while (key !== null);
  t.equal(rounds, 3, 'there are five values, two per step');
  t.notOk(statSync(checking, { throwIfNoEntry: false }));
});

t.test('a generation whose writer died while checking it is rebuilt, and is served meanwhile', async (t) => {
  const dir = t.testdir();
  const first = openConfigWriter(dir, log, systemClock);
  await build(first, [putLink('a', link('lnk_1'))]);
  await first.close();
  writeFileSync(join(dataPath(dir), '..', 'checking'), '');
  const { writer, reader } = openBoth(t, dir);
  t.equal(writer.cursor(), null);
  t.equal(reader.findLink(1, 'a')?.id, 'lnk_1');
  await build(writer, [putLink('a', link('lnk_2'))]);
  t.equal(reader.findLink(1, 'a')?.id, 'lnk_2');
});

t.test('the check finds a damaged value that no reader has read', async (t) => {
  const dir = t.testdir();
  const { writer } = openBoth(t, dir);
  await build(writer, [putLink('bad', link('lnk_2', 'https://damaged.example/'))]);
  flip(dataPath(dir), 'https://damaged.example/');
  writer.check(null, 100);
  t.equal(writer.cursor(), null);
});
