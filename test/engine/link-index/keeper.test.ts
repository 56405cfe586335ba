import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { LINK_INDEX_FILE, reportIndexDamage } from '../../../engine/link-index/file.js';
import { createLinkIndexKeeper, type IndexedStore } from '../../../engine/link-index/keeper.js';
import { LinkIndexReader } from '../../../engine/link-index/reader.js';
import { linkKey } from '../../../engine/store/keys.js';
import { LINK_INDEX_FILE_BYTES_MAX } from '../../../shared/base/limits.js';
import type { LinkRecord } from '../../../shared/records/records.js';
import { manualTimers } from '../../support/manual-scheduler.js';
import { cursor, link, log, putLink, removeLink } from '../store/store-fixture.js';

/** The writer's side of a store, with its links in memory. `bytes` is the size that it reports for its pages. */
class MemoryStore implements IndexedStore {
  readonly links = new Map<string, LinkRecord>();
  readonly #dir: string;
  onApplied: IndexedStore['onApplied'] = null;
  name: string | null = 'g1';
  position = 1;
  bytes = 1024 * 1024;
  /** The number of links that it reports, if that differs from the real one, as when links are added while a file is built. */
  values: number | null = null;
  failure: Error | null = null;

  constructor(dir: string) {
    this.#dir = dir;
    mkdirSync(this.folderOf('g1'), { recursive: true });
    mkdirSync(this.folderOf('g2'), { recursive: true });
  }

  generation = () => this.name;
  folderOf = (generation: string) => join(this.#dir, generation);
  cursor = () => (this.name === null ? null : cursor(this.position));
  size = () => ({ values: this.values ?? this.links.size, bytes: this.bytes });

  readLinks(afterKey: string | null, limit: number, visit: (key: string, link: LinkRecord) => void): string | null {
    if (this.failure !== null) throw this.failure;
    const keys = [...this.links.keys()].toSorted().filter((key) => afterKey === null || key > afterKey);
    for (const key of keys.slice(0, limit)) visit(key, this.links.get(key) as LinkRecord);
    return keys.length < limit ? null : (keys[limit - 1] as string);
  }

  put(path: string, record: LinkRecord): void {
    this.links.set(linkKey(1, path), record);
    this.position += 1;
    this.onApplied?.(this.name as string, [putLink(path, record)], this.position);
  }

  remove(path: string): void {
    this.links.delete(linkKey(1, path));
    this.position += 1;
    this.onApplied?.(this.name as string, [removeLink(path, 'lnk')], this.position);
  }
}

function openKeeper(t: Test, store: MemoryStore, fileBytesMax = LINK_INDEX_FILE_BYTES_MAX) {
  const timers = manualTimers();
  const keeper = createLinkIndexKeeper({ store, log, schedule: timers.schedule, now: timers.now, fileBytesMax });
  keeper.start();
  const reader = new LinkIndexReader(() => t.fail('damage'));
  t.teardown(() => {
    keeper.stop();
    reader.detach();
  });
  const path = join(store.folderOf('g1'), LINK_INDEX_FILE);
  return { keeper, timers, reader, path };
}

const many = (store: MemoryStore, count: number) => {
  for (let n = 0; n < count; n++) store.links.set(linkKey(1, `p${n}`), link(`lnk_${n}`));
};

t.test('an index is built in batches of links, and includes what changes during the build', async (t) => {
  const store = new MemoryStore(t.testdir());
  many(store, 2500);
  const { keeper, timers, reader, path } = openKeeper(t, store);
  timers.advance(1);
  t.equal(keeper.stats().state, 'building');
  t.equal(reader.attach(path, 0), 'ENOENT', 'a half-built index cannot be read');
  store.put('p1', link('lnk_changed_behind'));
  store.put('p999', link('lnk_changed_ahead'));
  store.remove('p2');
  store.put('new', link('lnk_new'));
  timers.advance(10);
  t.match(keeper.stats(), { state: 'following', links: 2500, builds: 1 });
  t.equal(reader.attach(path, store.position), null);
  t.same(
    ['p0', 'p1', 'p999', 'p2', 'new', 'p2499'].map((name) => reader.find(1, name)?.record()?.id),
    ['lnk_0', 'lnk_changed_behind', 'lnk_changed_ahead', undefined, 'lnk_new', 'lnk_2499'],
  );
  store.put('p0', link('lnk_later'));
  t.equal(reader.find(1, 'p0')?.record()?.id, 'lnk_later', 'the change is visible before the call returns');
});

t.test('the next process resumes a file that is at the position of its store, and no other file', async (t) => {
  const store = new MemoryStore(t.testdir());
  many(store, 10);
  const first = openKeeper(t, store);
  first.timers.advance(10);
  store.put('a', link('lnk_1'));
  first.keeper.stop();
  t.equal(first.reader.attach(first.path, store.position), null);
  const second = openKeeper(t, store);
  t.match(second.keeper.stats(), { state: 'following', links: 11, builds: 0 });
  store.put('a', link('lnk_2'));
  t.equal(first.reader.find(1, 'a')?.record()?.id, 'lnk_2', 'it is the same file');
  second.keeper.stop();
  store.put('a', link('lnk_3')); // from a process that died before it had updated the index
  const third = openKeeper(t, store);
  t.equal(first.reader.find(1, 'a')?.record(), undefined, 'a reader of the stale file is detached at once');
  third.timers.advance(10);
  t.match(third.keeper.stats(), { state: 'following', builds: 1 });
  t.equal(first.reader.attach(third.path, store.position), null);
  t.equal(first.reader.find(1, 'a')?.record()?.id, 'lnk_3');
});

t.test('the next file is built before the current one is full, and readers switch to it', async (t) => {
  const store = new MemoryStore(t.testdir());
  many(store, 10);
  const { keeper, timers, reader, path } = openKeeper(t, store);
  timers.advance(10);
  t.equal(reader.attach(path, 0), null);
  const long = '.'.repeat(100);
  for (let n = 0; n < 60_000; n++) {
    store.put(`p${n % 10}`, link(`lnk_${n}${long}`));
    if (n % 500 === 0) timers.advance(1000);
    const found = reader.find(1, `p${n % 10}`)?.record();
    if (found === undefined) t.equal(reader.attach(path, store.position), null);
    else if (found.id !== `lnk_${n}${long}`) t.fail('an older state of the link was read');
  }
  t.ok(keeper.stats().builds >= 3, `${keeper.stats().builds} files`);
});

t.test('a file that suddenly runs full is abandoned, and the next one has room', async (t) => {
  const store = new MemoryStore(t.testdir());
  store.bytes = 0;
  const { keeper, timers, reader, path } = openKeeper(t, store);
  timers.advance(10);
  t.equal(reader.attach(path, 0), null);
  for (let n = 0; n < 12_000; n++) store.put(`p${n}`, link(`lnk_${n}`));
  t.equal(reader.find(1, 'p1')?.record(), undefined, 'the index has no answer, so LMDB is asked');
  t.notOk(reader.attached);
  timers.advance(60_000);
  t.match(keeper.stats(), { state: 'following', links: 12_000 });
  t.equal(reader.attach(path, store.position), null);
  t.equal(reader.find(1, 'p11999')?.record()?.id, 'lnk_11999');
});

// Just below a power of two, the table is as full as that of a new file can be.
for (const count of [10, 505, 511, 1020, 2040])
  t.test(`the file of ${count} links is rebuilt with the same room`, async (t) => {
    const store = new MemoryStore(t.testdir());
    many(store, count);
    const { keeper, timers, path } = openKeeper(t, store);
    timers.advance(100);
    const { bytes } = keeper.stats();
    for (let builds = 2; builds <= 6; builds++) {
      reportIndexDamage(path);
      timers.advance(1100);
      t.match(keeper.stats(), { state: 'following', links: count, builds, bytes });
    }
  });

t.test('a file that is short of slots but not of records is rebuilt with the same size', async (t) => {
  const store = new MemoryStore(t.testdir());
  store.bytes = 8 * 1024 * 1024;
  // About four fifths of the slots that may be taken in a file made for ten links and the spare ones.
  many(store, 9_000);
  store.values = 10;
  const { keeper, timers, path } = openKeeper(t, store);
  timers.advance(100);
  const { bytes } = keeper.stats();
  for (let builds = 2; builds <= 6; builds++) {
    reportIndexDamage(path);
    timers.advance(1100);
    t.match(keeper.stats(), { state: 'following', links: 9_000, builds, bytes });
  }
});

t.test('a file that runs out of slots during its build is replaced by one with more slots and no more room for records', async (t) => {
  const open = (name: string, values: number) => {
    const store = new MemoryStore(t.testdir({ [name]: {} }));
    store.bytes = 8 * 1024 * 1024;
    store.values = values;
    many(store, 20_000);
    return { store, ...openKeeper(t, store) };
  };
  const right = open('right', 20_000);
  right.timers.advance(120_000);
  const { bytes } = right.keeper.stats();
  t.match(right.keeper.stats(), { state: 'following', links: 20_000, builds: 1 });
  const small = open('small', 10);
  small.timers.advance(1);
  t.match(small.keeper.stats(), { state: 'building' });
  small.store.values = 20_000;
  small.timers.advance(120_000);
  t.match(small.keeper.stats(), { state: 'following', links: 20_000, bytes });
});

t.test('a burst of new links, 20 a millisecond, always finds a file with room', async (t) => {
  const store = new MemoryStore(t.testdir());
  many(store, 10);
  const { keeper, timers, reader, path } = openKeeper(t, store);
  timers.advance(10);
  let missed = 0;
  for (let n = 0; n < 40_000; n++) {
    store.put(`b${n}`, link(`lnk_${n}`));
    if (n % 20 === 0) timers.advance(1);
    if (reader.find(1, `b${n}`)?.record() !== undefined) continue;
    if (reader.attach(path, 0) !== null || reader.find(1, `b${n}`)?.record() === undefined) missed++;
  }
  t.equal(missed, 0);
  t.match(keeper.stats(), { links: 40_010 });
});

for (const [what, spoil] of [
  ['is distrusted by a reader', reportIndexDamage],
  ['was deleted', rmSync],
  ['was replaced', (path: string) => writeFileSync(`${path}.x`, '') ?? renameSync(`${path}.x`, path)],
] as const)
  t.test(`a file that ${what} is rebuilt`, async (t) => {
    const store = new MemoryStore(t.testdir());
    many(store, 10);
    const { keeper, timers, reader, path } = openKeeper(t, store);
    timers.advance(10);
    t.equal(reader.attach(path, 0), null);
    spoil(path);
    timers.advance(1100);
    t.match(keeper.stats(), { state: 'following', builds: 2 });
    t.equal(reader.find(1, 'p1')?.record(), undefined, 'a reader of the old file is detached');
    t.equal(reader.attach(path, 1), null);
    t.equal(reader.find(1, 'p1')?.record()?.id, 'lnk_1');
    timers.advance(10_000);
    t.equal(keeper.stats().builds, 2, 'the file is rebuilt once');
  });

t.test('each generation has its own index; the index of an abandoned generation is left as it is', async (t) => {
  const store = new MemoryStore(t.testdir());
  many(store, 10);
  const { keeper, timers, reader, path } = openKeeper(t, store);
  timers.advance(10);
  t.equal(reader.attach(path, 0), null);
  store.name = null;
  timers.advance(1000);
  t.equal(keeper.stats().state, 'none');
  t.equal(reader.find(1, 'p1')?.record()?.id, 'lnk_1');
  store.name = 'g2';
  timers.advance(1100);
  t.match(keeper.stats(), { state: 'following', links: 10 });
  t.equal(reader.attach(join(store.folderOf('g2'), LINK_INDEX_FILE), 1), null);
});

t.test('an index that cannot be made is tried again after a minute', async (t) => {
  const store = new MemoryStore(t.testdir());
  const making = join(store.folderOf('g1'), `${LINK_INDEX_FILE}.making`);
  mkdirSync(join(making, 'in-the-way'), { recursive: true });
  const { keeper, timers } = openKeeper(t, store);
  timers.advance(59_000);
  t.equal(keeper.stats().state, 'none');
  rmSync(making, { recursive: true });
  timers.advance(2000);
  t.equal(keeper.stats().state, 'following');
});

t.test('a store that cannot be read ends a build, and no file is left', async (t) => {
  const store = new MemoryStore(t.testdir());
  many(store, 2500);
  const { keeper, timers, path } = openKeeper(t, store);
  timers.advance(1);
  store.failure = new Error('EIO');
  timers.advance(1);
  t.equal(keeper.stats().state, 'none');
  t.equal(statSync(path, { throwIfNoEntry: false }), undefined);
  store.put('a', link('lnk_1'));
  store.failure = null;
  timers.advance(61_000);
  t.match(keeper.stats(), { state: 'following', links: 2501 });
});

t.test('a store that cannot be read during a rebuild leaves no file that misses changes', async (t) => {
  const store = new MemoryStore(t.testdir());
  many(store, 10);
  const { keeper, timers, reader, path } = openKeeper(t, store);
  timers.advance(10);
  t.equal(reader.attach(path, 0), null);
  reportIndexDamage(path);
  store.failure = new Error('EIO');
  timers.advance(1100);
  t.equal(keeper.stats().state, 'none');
  store.put('p1', link('lnk_later'));
  t.equal(reader.find(1, 'p1')?.record(), undefined, 'the index has no answer, so LMDB is asked');
  store.failure = null;
  timers.advance(61_000);
  t.equal(reader.attach(path, store.position), null);
  t.equal(reader.find(1, 'p1')?.record()?.id, 'lnk_later');
});

t.test('changes do not bring forward the next attempt to make a file', async (t) => {
  const store = new MemoryStore(t.testdir());
  many(store, 10);
  const { keeper, timers, path } = openKeeper(t, store);
  timers.advance(10);
  mkdirSync(join(`${path}.making`, 'in-the-way'), { recursive: true });
  reportIndexDamage(path);
  timers.advance(1100);
  rmSync(`${path}.making`, { recursive: true });
  reportIndexDamage(path);
  for (let second = 0; second < 50; second++) {
    store.put('p1', link(`lnk_${second}`));
    timers.advance(1000);
  }
  t.match(keeper.stats(), { state: 'following', builds: 1 });
  timers.advance(15_000);
  t.equal(keeper.stats().builds, 2);
});

/** Small enough that every store of this test needs at least four files. */
const SMALL_FILE = 1024 * 1024;

const setFiles = (path: string) => readdirSync(join(path, '..')).filter((name) => /\.\d+$/.test(name));

t.test('an index of several files is built, updated, resumed, rebuilt and abandoned as a whole', async (t) => {
  const store = new MemoryStore(t.testdir());
  many(store, 2500);
  const first = openKeeper(t, store, SMALL_FILE);
  const { timers, reader, path } = first;
  timers.advance(1);
  t.match(first.keeper.stats(), { state: 'building' });
  t.equal(reader.attach(path, 0), 'ENOENT', 'a half-built index cannot be read');
  store.put('p1', link('lnk_changed_behind'));
  timers.advance(10);
  const { files } = first.keeper.stats();
  t.ok(files >= 4, `${files} files`);
  t.equal(reader.attach(path, store.position), null);
  for (let n = 0; n < 2500; n++) {
    store.put(`p${n}`, link(`lnk_later_${n}`));
    if (reader.find(1, `p${n}`)?.record().id !== `lnk_later_${n}`) t.fail(`p${n} does not have its latest state`);
  }
  first.keeper.stop();
  const second = openKeeper(t, store, SMALL_FILE);
  t.match(second.keeper.stats(), { state: 'following', links: 2500, files, builds: 0 });
  store.put('p3', link('lnk_of_the_second'));
  t.equal(reader.find(1, 'p3')?.record().id, 'lnk_of_the_second', 'they are the same files');
  rmSync(join(path, '..', setFiles(path).at(-1) as string));
  second.timers.advance(1100);
  t.match(second.keeper.stats(), { state: 'following', links: 2500, builds: 1 });
  t.equal(reader.find(1, 'p3'), null, 'a reader of a set with a missing file is detached');
  t.equal(setFiles(path).length, files, 'the other files of the set are removed');
  t.equal(reader.attach(path, store.position), null);
  t.equal(reader.find(1, 'p3')?.record().id, 'lnk_of_the_second');
});

t.test('unfinished files of a killed writer are removed, and the previous set stays in use', async (t) => {
  const store = new MemoryStore(t.testdir());
  many(store, 2500);
  const first = openKeeper(t, store, SMALL_FILE);
  first.timers.advance(10);
  const { files } = first.keeper.stats();
  t.equal(first.reader.attach(first.path, store.position), null);
  first.keeper.stop();
  for (const number of [0, 1]) writeFileSync(`${first.path}.0123abcd.${number}`, 'unfinished');
  const second = openKeeper(t, store, SMALL_FILE);
  t.match(second.keeper.stats(), { state: 'following', files, builds: 0 });
  t.equal(setFiles(first.path).length, files);
  t.equal(first.reader.find(1, 'p9')?.record().id, 'lnk_9');
});

t.test('an index that would need too many files is not built', async (t) => {
  const store = new MemoryStore(t.testdir());
  many(store, 10);
  const { keeper, timers, path } = openKeeper(t, store, 8 * 1024);
  timers.advance(1000);
  t.match(keeper.stats(), { state: 'none', files: 0 });
  t.same(setFiles(path), []);
});

t.test('a build that runs full leaves none of its files behind', async (t) => {
  const store = new MemoryStore(t.testdir());
  store.bytes = 0;
  store.values = 10;
  many(store, 20_000);
  const { keeper, timers, path } = openKeeper(t, store, SMALL_FILE);
  timers.advance(20);
  store.values = 20_000;
  timers.advance(120_000);
  t.match(keeper.stats(), { state: 'following', links: 20_000 });
  t.equal(setFiles(path).length, keeper.stats().files);
});
