import {
  closeSync,
  copyFileSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { arenaStart, HEADER_BYTES, type IndexRoom, indexFilePath, shapeFor } from '../../../engine/link-index/file.js';
import { dropIndex, removeOtherSets } from '../../../engine/link-index/index-set.js';
import { IndexMappings } from '../../../engine/link-index/mappings.js';
import { LinkIndexReader } from '../../../engine/link-index/reader.js';
import { encodeLink } from '../../../engine/link-index/record.js';
import { LinkIndexWriter } from '../../../engine/link-index/writer.js';
import { LINK_INDEX_FILE_BYTES_MAX } from '../../../shared/base/limits.js';
import fc from '../../support/properties.js';
import { link } from '../store/store-fixture.js';

const KIB = 1024;
const mappings = new IndexMappings();

function create(path: string, room: IndexRoom, fileBytesMax: number): LinkIndexWriter {
  const created = LinkIndexWriter.create(mappings, path, room, fileBytesMax);
  if ('fault' in created) throw new Error(created.fault);
  return created.writer;
}

/** Publishes a set of several files at `path`, with links `p0` to `p99`. */
function publishSet(path: string): LinkIndexWriter {
  const writer = create(path, { links: 100, record_bytes: 64 * KIB }, 32 * KIB);
  for (let n = 0; n < 100; n++) if (writer.put(1, `p${n}`, link(`lnk_${n}`)) !== 'stored') throw new Error('not stored');
  writer.reached(1);
  if (writer.publish() !== null) throw new Error('not published');
  return writer;
}

/** The paths of the set's files, ordered by their numbers. */
function filesOf(folder: string): readonly string[] {
  const files = readdirSync(folder).filter((name) => /\.\d+$/.test(name));
  const numberOf = (name: string) => Number(name.split('.').at(-1));
  return files.toSorted((a, b) => numberOf(a) - numberOf(b)).map((name) => join(folder, name));
}

t.test('links of any size and number are all found, also after the writer resumes, in files of a limited size', async (t) => {
  const folder = t.testdir();
  let run = 0;
  const sets = fc.record({
    lengths: fc.array(fc.integer({ min: 0, max: 900 }), { maxLength: 1500 }),
    fileBytesMax: fc.integer({ min: 24 * KIB, max: 600 * KIB }),
    spare: fc.integer({ min: 2 * KIB, max: 64 * KIB }),
  });
  const fileCounts = new Set<number>();
  fc.assert(
    fc.property(sets, ({ lengths, fileBytesMax, spare }) => {
      const path = join(folder, `${run++}`);
      const links = lengths.map((length, n) => ({ path: `p${n}`, record: { ...link(`lnk_${n}`), data: 'd'.repeat(length) } }));
      const bytes = links.reduce((sum, { path, record }) => sum + (encodeLink(path, record)?.record_bytes ?? 0), 0);
      // Record sizes vary more than shapes provide for: the largest is several times the mean.
      const room = { links: links.length, record_bytes: bytes * 1.5 + spare * 64 };
      const shape = shapeFor(room, 1, fileBytesMax);
      const created = LinkIndexWriter.create(mappings, path, room, fileBytesMax);
      if (shape === null || 'fault' in created) return shape === null && 'fault' in created;
      let { writer } = created;
      for (const { path, record } of links) if (writer.put(1, path, record) !== 'stored') return false;
      writer.reached(1);
      if (writer.publish() !== null || !writer.isInPlace()) return false;
      const stats = writer.stats();
      fileCounts.add(stats.files);
      writer.close();
      const resumed = LinkIndexWriter.resume(mappings, path, 1);
      if ('fault' in resumed) throw new Error(resumed.fault);
      writer = resumed.writer;
      writer.put(1, 'later', link('lnk_later'));
      writer.remove(1, 'p0');
      const reader = new LinkIndexReader(() => t.fail('damage'));
      if (reader.attach(path, 1) !== null) return false;
      const found = links.every(
        ({ path, record }, n) => JSON.stringify(reader.find(1, path)?.record()) === (n === 0 ? undefined : JSON.stringify(record)),
      );
      const changed = reader.find(1, 'later')?.record().id === 'lnk_later' && reader.find(2, 'p1') === null;
      reader.detach();
      writer.close();
      dropIndex(path);
      return (
        found && changed && stats.links === links.length && stats.files === shape.files && stats.bytes === shape.files * shape.file_bytes
      );
    }),
    { numRuns: 60 },
  );
  t.ok(fileCounts.size > 2, `${[...fileCounts]} files`);
  t.same(readdirSync(folder), []);
});

t.test('a set has room for the links that it is made for, in as few files as possible', async (t) => {
  const fits = ({ links, record_bytes }: IndexRoom, files: number, fileBytesMax: number) => {
    const slots = 2 ** Math.ceil(Math.log2(Math.max(1024, Math.ceil(links / files) * 2)));
    return slots <= 2 ** 26 && HEADER_BYTES + slots * 8 + record_bytes / files <= fileBytesMax;
  };
  const rooms = fc.record({
    links: fc.oneof(
      fc.nat(2 ** 31),
      fc.integer({ min: 0, max: 31 }).map((power) => 2 ** power),
      fc.integer({ min: 1, max: 31 }).map((power) => 2 ** power + 1),
    ),
    record_bytes: fc.oneof(
      fc.constant(0),
      fc.nat(2 ** 31),
      fc.nat(2 ** 31).map((n) => n * 512),
    ),
  });
  fc.assert(
    fc.property(
      rooms,
      fc.oneof(fc.constant(LINK_INDEX_FILE_BYTES_MAX), fc.integer({ min: 16 * KIB, max: LINK_INDEX_FILE_BYTES_MAX })),
      (room, fileBytesMax) => {
        const shape = shapeFor(room, 1, fileBytesMax);
        // If files have few links each, some of them get many more than others.
        const even = (files: number) => (files === 1 ? 1 : 1 + 6 / Math.sqrt(Math.max(1, Math.ceil(room.links / files))));
        const spread = (files: number) => ({ ...room, record_bytes: room.record_bytes * even(files) });
        if (shape === null) return !fits(spread(64), 64, fileBytesMax - 8);
        const { files, slots, file_bytes } = shape;
        const hasRoom = slots * files >= room.links * 2 && (file_bytes - arenaStart(shape)) * files >= room.record_bytes;
        const isAllowed = file_bytes <= fileBytesMax && slots <= 2 ** 26 && file_bytes % 8 === 0 && Number.isInteger(Math.log2(files));
        return hasRoom && isAllowed && (files === 1 || !fits(spread(files / 2), files / 2, fileBytesMax - 8));
      },
    ),
    { numRuns: 3000 },
  );
  // With empty records the table decides: 2^28 slots of 8 bytes are 2 GiB, and one file has at most 2^26 slots.
  t.equal(shapeFor({ links: 2 ** 25, record_bytes: 0 }, 1, LINK_INDEX_FILE_BYTES_MAX)?.files, 1);
  t.equal(shapeFor({ links: 2 ** 25 + 1, record_bytes: 0 }, 1, LINK_INDEX_FILE_BYTES_MAX)?.files, 2);
  t.match(shapeFor({ links: 100_000_000, record_bytes: 28_000_000_000 }, 1, LINK_INDEX_FILE_BYTES_MAX), { files: 8 });
  t.equal(shapeFor({ links: 2 ** 31 + 1, record_bytes: 0 }, 1, LINK_INDEX_FILE_BYTES_MAX), null);
});

t.test('a set with a file that is missing, cut short, damaged or of another set is neither read nor resumed', async (t) => {
  const spoil = (name: string, fault: RegExp, work: (files: readonly string[], path: string) => void) => {
    const folder = t.testdir({ [name]: {} });
    const path = join(folder, name, 'links.index');
    publishSet(path).close();
    const files = filesOf(join(folder, name));
    t.ok(files.length >= 4, `${files.length} files`);
    work(files, path);
    const reader = new LinkIndexReader(() => t.fail('damage'));
    t.match(reader.attach(path, 1), fault, name);
    t.match(LinkIndexWriter.resume(mappings, path, 1), { fault }, name);
    t.notOk(reader.attached);
    t.equal(dropIndex(path), null);
    t.same(readdirSync(join(folder, name)), []);
  };
  const poke = (file: string, at: number) => {
    const fd = openSync(file, 'r+');
    writeSync(fd, 'X', at);
    closeSync(fd);
  };
  spoil('missing', /^file 2: ENOENT$/, (files) => rmSync(files[2] as string));
  spoil('cut', /^file 3: cut short$/, (files) => truncateSync(files[3] as string, 2 * HEADER_BYTES));
  spoil('damaged', /^file 1: header checksum$/, (files) => poke(files[1] as string, 33));
  spoil('empty', /^file 1: shorter than its header$/, (files) => writeFileSync(files[1] as string, ''));
  spoil('another number', /^file 2: of another set$/, (files) => copyFileSync(files[1] as string, files[2] as string));
  spoil('another set', /^file 2: of another set$/, (files, path) => {
    publishSet(`${path}-b`).close();
    const other = readdirSync(join(path, '..')).find((name) => name.startsWith('links.index-b.') && name.endsWith('.2')) as string;
    renameSync(join(path, '..', other), files[2] as string);
    dropIndex(`${path}-b`);
  });
  spoil('not the first', /^not the first file of a set$/, (files, path) => {
    rmSync(path);
    symlinkSync(files[1] as string, path);
  });
});

t.test('two writers never share a set, and a refused writer keeps none of its locks', async (t) => {
  const path = join(t.testdir(), 'links.index');
  const writer = publishSet(path);
  t.same(LinkIndexWriter.resume(mappings, path, 1), { fault: 'its lock is held by another' });
  writer.close();
  const resumed = LinkIndexWriter.resume(mappings, path, 1);
  t.match(resumed, { writer: Object });
  if ('writer' in resumed) resumed.writer.close();
});

t.test('other sets are removed, and their readers are detached first', async (t) => {
  const folder = t.testdir({ 'links.index.suspect': '', 'links.index.making': '', bytes: '1' });
  const path = join(folder, 'links.index');
  const before = publishSet(path);
  const reader = new LinkIndexReader(() => t.fail('damage'));
  t.equal(reader.attach(path, 1), null);
  // Simulates a writer that dies just after it has published the next set, before it could supersede the previous one.
  before.close();
  const next = publishSet(path);
  t.equal(reader.find(1, 'p7')?.record().id, 'lnk_7');
  const files = filesOf(folder).length;
  t.equal(next.removeOthers(), null);
  t.equal(reader.find(1, 'p7'), null);
  t.notOk(reader.attached);
  t.equal(filesOf(folder).length, files / 2);
  t.ok(next.isInPlace());
  t.equal(reader.attach(path, 1), null);
  next.close();
  t.equal(removeOtherSets(path, null), null);
  t.same(filesOf(folder), []);
  t.equal(reader.find(1, 'p7'), null);
  t.same(readdirSync(folder).toSorted(), ['bytes', 'links.index', 'links.index.suspect'], 'only sets were removed');
});

t.test('a removed or replaced file of a set is noticed', async (t) => {
  const path = join(t.testdir(), 'links.index');
  const writer = publishSet(path);
  const files = filesOf(join(path, '..'));
  t.ok(writer.isInPlace());
  const file = files[2] as string;
  renameSync(file, `${file}.away`);
  t.notOk(writer.isInPlace());
  copyFileSync(`${file}.away`, file);
  t.notOk(writer.isInPlace());
  renameSync(`${file}.away`, file);
  t.ok(writer.isInPlace());
  rmSync(path);
  t.notOk(writer.isInPlace());
  writer.discard();
  t.same(filesOf(join(path, '..')), []);
});

t.test('without enough memory or room no file of a set is left behind', async (t) => {
  const folder = t.testdir();
  const path = join(folder, 'links.index');
  const refusing = new IndexMappings();
  const take = refusing.take.bind(refusing);
  let taken = 0;
  refusing.take = (bytes) => (taken++ < 2 ? take(bytes) : { error: 'ENOMEM' });
  t.same(LinkIndexWriter.create(refusing, path, { links: 100, record_bytes: 64 * KIB }, 32 * KIB), { fault: 'ENOMEM' });
  t.same(LinkIndexWriter.create(mappings, path, { links: 100, record_bytes: 1024 * KIB }, 16 * KIB), {
    fault: 'there are more links than the files have room for',
  });
  t.same(readdirSync(folder), []);
  const writer = publishSet(path);
  writer.close();
  taken = 0;
  t.same(LinkIndexWriter.resume(refusing, path, 1), { fault: 'ENOMEM' });
  const reader = new LinkIndexReader(() => t.fail('damage'));
  t.equal(reader.attach(path, 1), null, 'the previous set stays as it is');
  t.equal(indexFilePath(path, -1, 3), `${path}.ffffffff.3`);
  const again = LinkIndexWriter.resume(mappings, path, 1);
  t.match(again, { writer: Object }, 'its locks are free');
  if ('writer' in again) again.writer.close();
});
