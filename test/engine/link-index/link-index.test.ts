import { closeSync, existsSync, ftruncateSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { HEADER_BYTES, type IndexRoom, keyHash, PROBES_MAX } from '../../../engine/link-index/file.js';
import { dropIndex } from '../../../engine/link-index/index-set.js';
import { IndexMappings } from '../../../engine/link-index/mappings.js';
import { LinkIndexReader } from '../../../engine/link-index/reader.js';
import { LinkIndexWriter } from '../../../engine/link-index/writer.js';
import { LINK_INDEX_FILE_BYTES_MAX } from '../../../shared/base/limits.js';
import type { LinkRecord } from '../../../shared/records/records.js';
import fc from '../../support/properties.js';
import { link } from '../store/store-fixture.js';

const ROOM = { links: 100, record_bytes: 1024 * 1024 };
const mappings = new IndexMappings();

function create(path: string, room: IndexRoom = ROOM): LinkIndexWriter {
  const created = LinkIndexWriter.create(mappings, path, room, LINK_INDEX_FILE_BYTES_MAX);
  if ('fault' in created) throw new Error(created.fault);
  const fault = created.writer.publish() ?? created.writer.removeOthers();
  if (fault !== null) throw new Error(fault);
  return created.writer;
}

function openBoth(t: Test, room?: IndexRoom) {
  const path = join(t.testdir(), 'links.index');
  const writer = create(path, room);
  writer.reached(1);
  const damages: unknown[] = [];
  const reader = new LinkIndexReader(() => damages.push(1));
  t.equal(reader.attach(path, 1), null);
  t.teardown(() => {
    reader.detach();
    writer.close();
  });
  return { path, writer, reader, damages };
}

/** Two environments and few paths, so that every kind of change meets every state of a slot. */
const change = fc.record({
  environment: fc.constantFrom(1, 2),
  path: fc.integer({ min: 0, max: 30 }).map((n) => `p${n}`),
  version: fc.option(fc.nat(), { nil: null }),
});

t.test('an index holds what a Map holds after the same changes, also when another writer resumes its file', async (t) => {
  const dir = t.testdir();
  let file = 0;
  fc.assert(
    fc.property(fc.array(change, { maxLength: 200 }), fc.nat(200), (changes, restartAt) => {
      const path = join(dir, `${file++}`);
      let writer = create(path);
      const reader = new LinkIndexReader(() => t.fail('damage'));
      writer.reached(0);
      if (reader.attach(path, 0) !== null) throw new Error('not attached');
      const model = new Map<string, LinkRecord>();
      changes.forEach(({ environment, path: linkPath, version }, n) => {
        if (n === restartAt) {
          writer.reached(n);
          writer.close();
          const resumed = LinkIndexWriter.resume(mappings, path, n);
          if ('fault' in resumed) throw new Error(resumed.fault);
          writer = resumed.writer;
        }
        const key = `${environment}/${linkPath}`;
        if (version === null) {
          model.delete(key);
          writer.remove(environment, linkPath);
        } else {
          model.set(key, link(`lnk_${version}`));
          if (writer.put(environment, linkPath, link(`lnk_${version}`)) !== 'stored') throw new Error('not stored');
        }
        for (const probed of [1, 2]) t.strictSame(reader.find(probed, linkPath)?.record(), model.get(`${probed}/${linkPath}`));
      });
      t.equal(writer.stats().links, model.size);
      reader.detach();
      writer.close();
    }),
    { numRuns: 60 },
  );
});

t.test('a full file says so and still has every link that it accepted', async (t) => {
  for (const room of [
    { links: 0, record_bytes: 1024 * 1024 },
    { links: 0, record_bytes: 4096 },
  ]) {
    const { writer, reader } = openBoth(t, room);
    let stored = 0;
    while (writer.put(1, `p${stored}`, link(`lnk_${stored}`)) === 'stored') stored++;
    const { table_fill, arena_fill } = writer.stats();
    t.ok(stored > 10 && Math.max(table_fill, arena_fill) > 0.9, `${stored} links`);
    let missing = 0;
    for (let n = 0; n < stored; n++) if (reader.find(1, `p${n}`)?.record()?.id !== `lnk_${n}`) missing++;
    t.equal(missing, 0);
    t.equal(writer.put(1, `p${stored}`, link('lnk_x')), 'full');
    t.equal(reader.find(1, `p${stored}`)?.record(), undefined);
  }
});

t.test('keys with colliding hashes are not confused, and keys beyond the longest chain are left to LMDB', async (t) => {
  const { path, writer, reader } = openBoth(t);
  const seed = readFileSync(path).readInt32LE(28);
  // Keys that all fall into one slot, found by trial as somebody could who knew the seed.
  const colliding: string[] = [];
  for (let n = 0; colliding.length < PROBES_MAX + 3; n++) if ((keyHash(seed, 1, `c${n}`) & 1023) === 5) colliding.push(`c${n}`);
  const outcomes = colliding.map((name) => writer.put(1, name, link(name)));
  t.same(outcomes.slice(0, PROBES_MAX), Array(PROBES_MAX).fill('stored'));
  t.same(outcomes.slice(PROBES_MAX), Array(3).fill('left_out'));
  t.same(
    colliding.map((name) => reader.find(1, name)?.record()?.id),
    colliding.map((name, n) => (n < PROBES_MAX ? name : undefined)),
  );
  for (const name of colliding) writer.remove(1, name);
  t.same(
    colliding.map((name) => reader.find(1, name)?.record()),
    colliding.map(() => undefined),
  );
});

t.test('a link that outgrows its record is left to LMDB, and its older state is no longer shown', async (t) => {
  const { writer, reader } = openBoth(t);
  writer.put(1, 'a', link('lnk_1'));
  t.equal(writer.put(1, 'a', { ...link('lnk_1'), data: 'x'.repeat(70_000) }), 'left_out');
  t.equal(reader.find(1, 'a')?.record(), undefined);
});

t.test('a damaged record is not used and is reported; the other records are still served', async (t) => {
  const { path, writer, reader, damages } = openBoth(t);
  writer.put(1, 'a', link('lnk_1', 'https://damaged.example/'));
  writer.put(1, 'b', link('lnk_2'));
  const fd = openSync(path, 'r+');
  writeSync(fd, 'D', readFileSync(path).indexOf('damaged.example'));
  closeSync(fd);
  t.equal(reader.find(1, 'a')?.record(), undefined);
  t.equal(damages.length, 1);
  t.equal(reader.find(1, 'b')?.record()?.id, 'lnk_2');
});

t.test('a slot with a wrong position never gives another link', async (t) => {
  const { path, writer, reader } = openBoth(t);
  for (let n = 0; n < 50; n++) writer.put(1, `p${n}`, link(`lnk_${n}`));
  const fd = openSync(path, 'r+');
  const slots = readFileSync(path).subarray(HEADER_BYTES, HEADER_BYTES + 1024 * 8);
  let wrong = 0;
  fc.assert(
    fc.property(fc.nat(1023), fc.integer(), (slot, place) => {
      const before = slots.readInt32LE(slot * 8 + 4);
      const bytes = Buffer.alloc(4);
      bytes.writeInt32LE(place);
      writeSync(fd, bytes, 0, 4, HEADER_BYTES + slot * 8 + 4);
      for (let n = 0; n < 50; n++) if ((reader.find(1, `p${n}`)?.record()?.id ?? `lnk_${n}`) !== `lnk_${n}`) wrong++;
      bytes.writeInt32LE(before);
      writeSync(fd, bytes, 0, 4, HEADER_BYTES + slot * 8 + 4);
    }),
    { numRuns: 500 },
  );
  closeSync(fd);
  t.equal(wrong, 0);
});

t.test('a reader leaves a superseded file at its next look-up, and what it has read stays valid', async (t) => {
  const { path, writer, reader } = openBoth(t);
  writer.put(1, 'a', link('lnk_1'));
  const read = reader.find(1, 'a')?.record();
  writer.supersede();
  t.equal(reader.find(1, 'a')?.record(), undefined);
  t.notOk(reader.attached);
  t.equal(read?.destinations.web, 'https://example.com/');
  t.equal(reader.attach(path, 1), 'superseded');
});

t.test('a reader attaches only to a complete file of this boot, this version and the position of its store', async (t) => {
  const path = join(t.testdir(), 'links.index');
  const reader = new LinkIndexReader(() => t.fail('damage'));
  t.equal(reader.attach(path, 0), 'ENOENT');
  const spoil = (fault: string | RegExp, work: (fd: number) => void, position = 5) => {
    const writer = create(path);
    writer.reached(5);
    writer.close();
    const fd = openSync(path, 'r+');
    work(fd);
    closeSync(fd);
    t.match(reader.attach(path, position), fault);
    t.match(LinkIndexWriter.resume(mappings, path, position), { fault });
    t.notOk(reader.attached);
  };
  const poke = (at: number, text: string) => (fd: number) => void writeSync(fd, text, at);
  spoil('cut short', (fd) => ftruncateSync(fd, 2 * HEADER_BYTES));
  spoil('shorter than its header', (fd) => ftruncateSync(fd, 100));
  spoil('no link index', poke(0, 'X'));
  spoil('header checksum', poke(33, 'X'));
  spoil(/^(behind the store|not at the position of the store)$/, () => undefined, 6);
});

t.test('a file whose writer was not resumed detaches its readers', async (t) => {
  const { path, writer, reader } = openBoth(t);
  writer.put(1, 'a', link('lnk_1'));
  t.equal(dropIndex(path), null);
  t.equal(reader.find(1, 'a')?.record(), undefined);
  t.equal(reader.attach(path, 0), 'ENOENT');
  t.equal(dropIndex(path), null, 'the file may be missing');
});

t.test('two writers never share a file', async (t) => {
  const { path } = openBoth(t);
  t.same(LinkIndexWriter.resume(mappings, path, 1), { fault: 'its lock is held by another' });
});

t.test('a file that cannot be mapped is not left behind', async (t) => {
  const folder = t.testdir();
  const path = join(folder, 'links.index');
  const none = Object.assign(new IndexMappings(), { take: () => ({ error: 'ENOMEM' }) });
  t.same(LinkIndexWriter.create(none, path, ROOM, LINK_INDEX_FILE_BYTES_MAX), { fault: 'ENOMEM' });
  t.same(readdirSync(folder), [], 'no window is available');
  const refusing = new IndexMappings();
  const take = refusing.take.bind(refusing);
  refusing.take = (bytes) => {
    const mapping = take(bytes);
    if ('window' in mapping) t.intercept(mapping.window, 'attach', { value: () => 'EAGAIN' });
    return mapping;
  };
  t.same(LinkIndexWriter.create(refusing, path, ROOM, LINK_INDEX_FILE_BYTES_MAX), { fault: 'EAGAIN' });
  t.same(readdirSync(folder), [], 'the mapping fails');
  const writer = create(path);
  writer.reached(1);
  writer.close();
  t.same(LinkIndexWriter.resume(none, path, 1), { fault: 'ENOMEM' });
  t.ok(existsSync(path), 'an existing file stays as it is');
});
