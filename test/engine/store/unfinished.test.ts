import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { type ConfigWriter, openConfigWriter } from '../../../engine/store/config-writer.js';
import { storeFolder } from '../../../engine/store/copies.js';
import { openEnvironment } from '../../../engine/store/environment.js';
import { noteBuilding, readBuilding, readPointer } from '../../../engine/store/generations.js';
import { PROGRESS_KEY } from '../../../engine/store/keys.js';
import { dropUnfinished, openUnfinished } from '../../../engine/store/unfinished.js';
import { systemClock } from '../../../shared/base/clock.js';
import { build, cursor, link, log, putLink } from './store-fixture.js';

const HALF = { cursor: cursor(7), kind: 'link', after: ['env_1', 'a'] };

/** Leaves a store whose next generation has one link so far. */
async function leaveUnfinished(dir: string): Promise<string> {
  const writer = openConfigWriter(dir, log, systemClock);
  const builder = await writer.build();
  builder.put([putLink('a', link('lnk_a'))], HALF);
  await builder.suspend();
  await writer.close();
  return readBuilding(storeFolder(dir)) as string;
}

const pathsOf = (writer: ConfigWriter) => {
  const paths: string[] = [];
  writer.readLinks(null, 100, (key) => paths.push(key.slice(-1)));
  return paths;
};

t.test('the next process continues an unfinished generation after its last batch', async (t) => {
  const dir = t.testdir();
  const name = await leaveUnfinished(dir);
  const writer = openConfigWriter(dir, log, systemClock);
  const builder = await writer.build();
  t.strictSame(builder.progress, HALF);
  builder.apply([putLink('b', link('lnk_b'))], cursor(8));
  t.strictSame(builder.progress, { ...HALF, cursor: cursor(8) }, 'changes from the feed leave the position in the pages as it is');
  await builder.finish(cursor(8));
  t.equal(writer.generation(), name);
  t.same(pathsOf(writer), ['a', 'b']);
  t.equal(writer.check(null, 100), null, 'the notes on its progress are not damage');
  t.notOk(readBuilding(storeFolder(dir)));
  await writer.close();
});

t.test('a generation that was published when its process died does not count as unfinished', async (t) => {
  const dir = t.testdir();
  const folder = storeFolder(dir);
  const writer = openConfigWriter(dir, log, systemClock);
  await build(writer, [putLink('a', link('lnk_a'))]);
  const current = readPointer(folder) as string;
  for (const clear of [() => openUnfinished(folder, log), () => dropUnfinished(folder)]) {
    noteBuilding(folder, current);
    t.notOk(await clear());
    t.notOk(readBuilding(folder));
    t.ok(existsSync(join(folder, current)));
  }
  t.notOk(await openUnfinished(folder, log), 'there is no unfinished generation');
  await writer.close();
});

t.test('an unfinished generation of another boot or codec, or without notes on its progress, is removed', async (t) => {
  const change = (changed: object) => (text: string) => JSON.stringify({ ...JSON.parse(text), ...changed });
  for (const spoil of [change({ boot: 'another' }), change({ boot: null }), change({ codec: 1 }), () => '{"boot', () => null]) {
    const dir = t.testdir();
    const folder = storeFolder(dir);
    const name = await leaveUnfinished(dir);
    const { environment, close } = openEnvironment(join(folder, name), 'build');
    const text = spoil((environment.getBinary(PROGRESS_KEY) as Buffer).toString());
    if (text === null) environment.removeSync(PROGRESS_KEY);
    else environment.putSync(PROGRESS_KEY, Buffer.from(text));
    await close();
    t.equal(await openUnfinished(folder, log), null);
    t.same(readdirSync(folder), []);
  }
});

t.test('a build without notes on its progress leaves nothing behind', async (t) => {
  const dir = t.testdir();
  const writer = openConfigWriter(dir, log, systemClock);
  const builder = await writer.build();
  builder.put([putLink('a', link('lnk_a'))]);
  await builder.suspend();
  t.same(readdirSync(storeFolder(dir)), []);
  await writer.close();
});
