import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { openConfigReader } from '../../../engine/config/config-reader.js';
import { LINK_INDEX_FILE } from '../../../engine/link-index/file.js';
import { createLinkIndexKeeper, type LinkIndexKeeper } from '../../../engine/link-index/keeper.js';
import { type ConfigWriter, openConfigWriter } from '../../../engine/store/config-writer.js';
import { storeFolder } from '../../../engine/store/copies.js';
import { readPointer } from '../../../engine/store/generations.js';
import { linkKey } from '../../../engine/store/keys.js';
import type { StoreChange } from '../../../engine/store/store-change.js';
import { systemClock } from '../../../shared/base/clock.js';
import { LINK_INDEX_FILE_BYTES_MAX } from '../../../shared/base/limits.js';
import type { Scheduler } from '../../../shared/base/scheduler.js';
import { versionedLink } from '../../fixtures/versioned-link.js';
import { until } from '../../support/until.js';
import { build, cursor, log, putLink, removeLink, tick } from '../store/store-fixture.js';

t.jobs = 3;

const PATHS = 200;

function start(t: Test, entry: string, ...parameters: readonly string[]): ChildProcess {
  const child = fork(fileURLToPath(new URL(`../../fixtures/${entry}`, import.meta.url)), parameters);
  t.teardown(() => child.kill('SIGKILL'));
  return child;
}

async function ask<Answer>(child: ChildProcess, message: object | string): Promise<Answer> {
  const answer = once(child, 'message');
  child.send(message);
  return (await answer)[0] as Answer;
}

interface Report {
  readonly looks: number;
  readonly indexed: number;
  readonly errors: readonly string[];
  readonly damages: number;
}

/** A keeper whose room is used up after about a thousand changes, because `size` reports an empty store. */
function keepTight(writer: ConfigWriter, fileBytesMax: number): LinkIndexKeeper {
  const store = {
    set onApplied(listener: ConfigWriter['onApplied']) {
      writer.onApplied = listener;
    },
    generation: () => writer.generation(),
    folderOf: (generation: string) => writer.folderOf(generation),
    cursor: () => writer.cursor(),
    size: () => ({ values: 0, bytes: 0 }),
    readLinks: writer.readLinks.bind(writer),
  };
  const schedule: Scheduler = (milliseconds, run) => cancelOf(setTimeout(run, milliseconds / 100));
  return createLinkIndexKeeper({ store, log, schedule, fileBytesMax });
}

const cancelOf = (timer: NodeJS.Timeout) => () => clearTimeout(timer);

/** A run counts once this many indexes have been built. Every change is flushed, so that the disk decides how long that takes. */
const FILES = 4;
const WRITING_MS_MAX = 20_000;

for (const [what, fileBytesMax] of [
  ['indexes of one file', LINK_INDEX_FILE_BYTES_MAX],
  ['indexes of several files', 512 * 1024],
] as const)
  t.test(`readers in other processes see every change at once, complete and in order, while ${what} come and go`, async (t) => {
    const dir = t.testdir();
    const writer = openConfigWriter(dir, log, systemClock);
    await build(writer, [putLink('p0', versionedLink('p0', 1))]);
    const keeper = keepTight(writer, fileBytesMax);
    keeper.start();
    const readers = [start(t, 'link-index-reader.js', dir, String(PATHS)), start(t, 'link-index-reader.js', dir, String(PATHS))];
    const model = new Map<string, number>([['p0', 1]]);
    let position = 1;
    for (const end = performance.now() + WRITING_MS_MAX; keeper.stats().builds < FILES && performance.now() < end; ) {
      let path = '';
      const changes = new Map<string, StoreChange>();
      for (let n = 0; n < 100; n++) {
        position++;
        path = `p${Math.floor(Math.random() * PATHS)}`;
        // A link that was removed comes back with a higher version, so that versions never decrease.
        const removes = Math.random() < 0.1;
        if (removes) model.delete(path);
        else model.set(path, position);
        changes.set(path, removes ? removeLink(path, `lnk_${path}`) : putLink(path, versionedLink(path, position)));
      }
      writer.apply([...changes.values()], cursor(position));
      const answers = await Promise.all(readers.map((reader) => ask<{ readonly version: number }>(reader, { path })));
      for (const { version } of answers) if (version !== (model.get(path) ?? 0)) t.fail(`${path}: ${version}, not ${model.get(path)}`);
    }
    for (const reader of readers) {
      const report = await ask<Report>(reader, 'end');
      t.strictSame({ errors: report.errors, damages: report.damages }, { errors: [], damages: 0 });
      t.ok(report.looks > 1000 && report.indexed > 0, `${report.looks} looks, ${report.indexed} rounds with an index`);
    }
    t.ok(keeper.stats().builds >= FILES, `${keeper.stats().builds} indexes`);
    t.equal(keeper.stats().files > 1, fileBytesMax < LINK_INDEX_FILE_BYTES_MAX, `${keeper.stats().files} files`);
    const reader = openConfigReader(dir, log);
    await until(() => reader.findLink(1, 'p0') !== null && reader.stats().indexed, 'a reader with an index');
    for (let n = 0; n < PATHS; n++) {
      const expected = model.get(`p${n}`);
      t.strictSame(reader.findLink(1, `p${n}`), expected === undefined ? undefined : versionedLink(`p${n}`, expected));
    }
    keeper.stop();
    await reader.close();
    await writer.close();
  });

for (const fileBytesMax of [LINK_INDEX_FILE_BYTES_MAX, 512 * 1024])
  t.test(
    `after a writer is killed at any moment, no reader meets damage and the index agrees with the store, with files of ${fileBytesMax} bytes`,
    async (t) => {
      const dir = t.testdir();
      const first = openConfigWriter(dir, log, systemClock);
      await build(
        first,
        Array.from({ length: PATHS }, (_, n) => ({
          id: `lnk_p${n}`,
          key: linkKey(1, `p${n}`),
          record: versionedLink(`p${n}`, 1),
          changesTable: false,
        })),
      );
      await first.close();
      const reader = start(t, 'link-index-reader.js', dir, String(PATHS), 'may-go-back');
      for (let round = 0; round < 4; round++) {
        const child = start(t, 'link-index-writer.js', dir, String(PATHS), String(fileBytesMax));
        await once(child, 'message');
        await sleep(20 + Math.random() * 120);
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
      }
      const writer = openConfigWriter(dir, log, systemClock);
      const keeper = createLinkIndexKeeper({ store: writer, log, fileBytesMax });
      keeper.start();
      await until(() => keeper.stats().state === 'following', 'a link index');
      const inUse = readdirSync(writer.folderOf(writer.generation() as string)).filter((name) => /\.\d+$/.test(name));
      t.equal(inUse.length, keeper.stats().files, 'there are no files of another set');
      const indexed = openConfigReader(dir, log);
      await until(() => indexed.findLink(1, 'p0') !== undefined && indexed.stats().indexed, 'a reader that uses the link index');
      const stored = new Map<string, unknown>();
      writer.readLinks(null, PATHS + 1, (key, link) => stored.set(key, link));
      t.equal(stored.size, PATHS);
      for (let n = 0; n < PATHS; n++) t.strictSame(indexed.findLink(1, `p${n}`), stored.get(linkKey(1, `p${n}`)));
      const report = await ask<Report>(reader, 'end');
      t.strictSame({ errors: report.errors, damages: report.damages }, { errors: [], damages: 0 });
      t.equal(indexed.stats().unindexed, 0, 'the index has every link');
      keeper.stop();
      writer.apply([putLink('later', versionedLink('later', 1))], cursor(1_000_000_000));
      await tick();
      t.ok(indexed.findLink(1, 'later'), 'LMDB gives a link that was never put into the index');
      t.match(indexed.stats(), { indexed: true, unindexed: 1 });
      await indexed.close();
      await writer.close();
    },
  );

t.test('a file that is cut short ends no process, and LMDB answers until there is another file', async (t) => {
  const dir = t.testdir();
  const writer = openConfigWriter(dir, log, systemClock);
  await build(writer, [putLink('p0', versionedLink('p0', 1))]);
  const keeper = createLinkIndexKeeper({ store: writer, log });
  keeper.start();
  await until(() => keeper.stats().state === 'following', 'a link index');
  keeper.stop();
  truncateSync(join(storeFolder(dir), readPointer(storeFolder(dir)) as string, LINK_INDEX_FILE), 8192);
  const reader = start(t, 'link-index-reader.js', dir, '1');
  t.strictSame(await ask(reader, { path: 'p0' }), { path: 'p0', version: 1 });
  await sleep(50);
  const report = await ask<Report>(reader, 'end');
  t.match(report, { errors: [], damages: 0, indexed: 0 });
  await writer.close();
});
