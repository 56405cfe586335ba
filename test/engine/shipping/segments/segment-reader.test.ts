import { randomBytes } from 'node:crypto';
import { openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { lockFile } from '../../../../engine/mapped/mapped-file.js';
import { RecordMemory } from '../../../../engine/shipping/rows/segment-scan.js';
import { SegmentReader } from '../../../../engine/shipping/segments/segment-reader.js';
import { addressKeystream } from '../../../../engine/spool/address-cipher.js';
import { openClickSpool } from '../../../../engine/spool/click-spool.js';
import { RecordWriter } from '../../../../engine/spool/record-writer.js';
import {
  COMMITTED_BYTES_WORD,
  encodeHeader,
  encodeSeal,
  HEADER_BYTES,
  MODE_APPENDED,
  MODE_MAPPED,
  SEGMENT_BYTES_MIN,
  type SegmentHeader,
  seedOf,
} from '../../../../engine/spool/segment.js';
import { ownIdentity } from '../../../../engine/spool/segment-folder.js';
import type { ProcessIdentity } from '../../../../shared/base/process-identity.js';
import { makeClick, readSegment, segmentNames } from '../../../support/clicks.js';
import { TEST_SEGMENT_KEYS, TEST_SPOOL_KEYS } from '../../../support/spool-keys.js';

const CLICKS = 30;
const OTHER_BOOT: ProcessIdentity = { pid: process.pid, started: '00000000-0000-0000-0000-000000000000/17' };
const DEAD: ProcessIdentity = { pid: process.pid, started: `${ownIdentity()?.started}0` };

interface Forged {
  readonly mode: SegmentHeader['mode'];
  readonly writer: ProcessIdentity | null;
  /** The number of clicks in the header; null if the header has none. */
  readonly committed: number | null;
  readonly sealed?: boolean;
  /** The number of complete clicks in the file. Half of another one follows. */
  readonly whole: number;
}

/** Writes a segment as a failure would leave it. */
function forge(path: string, forged: Forged): void {
  const header: SegmentHeader = {
    mode: forged.mode,
    file_bytes: 1 << 20,
    segment_id: randomBytes(16),
    keys: TEST_SEGMENT_KEYS,
    writer: forged.writer,
    created_at_ms: 1_790_000_000_000,
  };
  const memory = new RecordMemory(1 << 20);
  encodeHeader(header).copy(memory.buffer);
  const writer = new RecordWriter(memory.buffer);
  writer.reset(seedOf(header.segment_id), addressKeystream(TEST_SPOOL_KEYS.addresses, header.segment_id));
  const ends = [HEADER_BYTES];
  for (let number = 0; number < CLICKS; number++)
    ends.push(writer.write(makeClick({ path: `n${number}`, user_agent: `agent ${number % 4}` }), ends.at(-1) as number, number));
  const torn = ((ends[forged.whole] as number) + (ends[forged.whole + 1] ?? (ends[forged.whole] as number))) >> 1;
  memory.bytes.fill(0, torn);
  if (forged.committed !== null)
    encodeSeal(ends[forged.committed] as number, forged.committed).copy(memory.buffer, COMMITTED_BYTES_WORD * 4);
  memory.words[COMMITTED_BYTES_WORD + 2] = forged.sealed === true ? 1 : 0;
  writeFileSync(path, memory.buffer);
}

async function open(path: string): Promise<SegmentReader> {
  const opened = await SegmentReader.open(path, TEST_SPOOL_KEYS);
  if (!('reader' in opened)) throw new Error(JSON.stringify(opened));
  return opened.reader;
}

const here = ownIdentity();
const TABLE: [string, Forged, { clicks: number; promised: boolean }][] = [
  [
    'mapped: what is published is read, and not what lies beyond',
    { mode: MODE_MAPPED, writer: here, committed: 10, whole: 20 },
    { clicks: 10, promised: true },
  ],
  [
    'mapped, the host went down: whole records beyond what the header tells are read',
    { mode: MODE_MAPPED, writer: OTHER_BOOT, committed: 10, whole: 20 },
    { clicks: 20, promised: false },
  ],
  [
    'mapped, the host went down: records that did not reach the disk are not damage',
    { mode: MODE_MAPPED, writer: OTHER_BOOT, committed: 20, whole: 10 },
    { clicks: 10, promised: false },
  ],
  [
    'mapped and sealed, the host went down',
    { mode: MODE_MAPPED, writer: OTHER_BOOT, committed: 20, whole: 10, sealed: true },
    { clicks: 10, promised: false },
  ],
  [
    'mapped: a record that was promised and is not whole is damage',
    { mode: MODE_MAPPED, writer: here, committed: 20, whole: 10 },
    { clicks: 10, promised: true },
  ],
  [
    'appended: records are read up to the torn one',
    { mode: MODE_APPENDED, writer: here, committed: null, whole: 20 },
    { clicks: 20, promised: false },
  ],
  [
    'appended and sealed: what is sealed is promised',
    { mode: MODE_APPENDED, writer: here, committed: 20, whole: 20, sealed: true },
    { clicks: 20, promised: true },
  ],
  ['appended: not one whole record', { mode: MODE_APPENDED, writer: here, committed: null, whole: 0 }, { clicks: 0, promised: false }],
];

for (const [name, forged, expected] of TABLE) {
  t.test(name, async (t) => {
    const path = join(t.testdir(), 'x.segment');
    forge(path, forged);
    t.same(
      (await readSegment(path)).map((click) => click.path),
      Array.from({ length: expected.clicks }, (_, number) => `n${number}`),
    );
    const reader = await open(path);
    t.match(await reader.readableEnd(), { promised: expected.promised, sealed: forged.sealed === true });
    await reader.close();
  });
}

t.test('reading resumes at any click with the texts that were defined before it', async (t) => {
  const path = join(t.testdir(), 'x.segment');
  forge(path, { mode: MODE_MAPPED, writer: here, committed: CLICKS, whole: CLICKS });
  const memory = new RecordMemory(1 << 18);
  const first = await open(path);
  const end = await first.readableEnd();
  const half = await first.read(memory, new Int32Array(13), HEADER_BYTES, end);
  t.equal(half.clicks, 13);
  const second = await open(path);
  t.equal(await second.resume(memory, HEADER_BYTES + half.end, 13), true);
  t.match(second, { position: HEADER_BYTES + half.end, click_number: 13 });
  t.same(
    second.dictionary.map((entry) => entry.text),
    first.dictionary.map((entry) => entry.text),
  );
  t.equal((await second.read(memory, new Int32Array(100), second.position, end)).clicks, CLICKS - 13);
  t.equal(await second.resume(memory, 1 << 19, 99), false, 'the file does not reach that position');
  await first.close();
  await second.close();
});

t.test('whether there is a record to read is known without reading it', async (t) => {
  const path = join(t.testdir(), 'x.segment');
  forge(path, { mode: MODE_APPENDED, writer: here, committed: null, whole: 5 });
  const reader = await open(path);
  const end = await reader.readableEnd();
  t.equal(await reader.hasRecord(end), true);
  const scan = await reader.read(new RecordMemory(1 << 18), new Int32Array(100), HEADER_BYTES, end);
  reader.advance(HEADER_BYTES + scan.end + 4096, 5);
  t.equal(await reader.hasRecord(end), false);
  await reader.close();
});

t.test('the writer of a segment counts as gone once its process has ended, but not while the lock is held', async (t) => {
  const dir = join(t.testdir(), 's');
  const spool = openClickSpool({
    dir,
    bytesMax: 1 << 24,
    mapped: true,
    keys: TEST_SPOOL_KEYS,
    clock: Date.now,
    segmentBytes: SEGMENT_BYTES_MIN,
  });
  spool.append(makeClick());
  const path = join(dir, segmentNames(dir)[0] as string);
  const live = await open(path);
  t.equal(live.writerIsGone(), false);
  await live.close();

  const forged = join(t.testdir(), 'x.segment');
  const cases: [string, Forged, boolean][] = [
    ['dead, mapped', { mode: MODE_MAPPED, writer: DEAD, committed: 1, whole: 1 }, true],
    ['dead, appended', { mode: MODE_APPENDED, writer: DEAD, committed: null, whole: 1 }, true],
    ['of another boot', { mode: MODE_MAPPED, writer: OTHER_BOOT, committed: 1, whole: 1 }, true],
    ['alive, appended', { mode: MODE_APPENDED, writer: here, committed: null, whole: 1 }, false],
    ['unknown, mapped and not locked', { mode: MODE_MAPPED, writer: null, committed: 1, whole: 1 }, true],
    ['unknown, appended', { mode: MODE_APPENDED, writer: null, committed: null, whole: 1 }, false],
  ];
  for (const [name, header, gone] of cases) {
    forge(forged, header);
    const reader = await open(forged);
    t.equal(reader.writerIsGone(), gone, name);
    await reader.close();
  }
  forge(forged, { mode: MODE_MAPPED, writer: DEAD, committed: 1, whole: 1 });
  lockFile(openSync(forged, 'r+'), true);
  const locked = await open(forged);
  t.equal(locked.writerIsGone(), false, 'the lock is held by a process of another container, where the pid means something else');
  await locked.close();
  spool.stop();
});

t.test("the unused end of a dead writer's file is cut off, and nothing that it wrote", async (t) => {
  const path = join(t.testdir(), 'x.segment');
  forge(path, { mode: MODE_MAPPED, writer: DEAD, committed: CLICKS, whole: CLICKS });
  const reader = await open(path);
  const end = await reader.readableEnd();
  reader.cut(end.offset);
  await reader.close();
  t.equal(statSync(path).size, end.offset);
  t.equal((await readSegment(path)).length, CLICKS);
});

t.test('for a file that is not a segment the reader says what is wrong', async (t) => {
  const dir = t.testdir({ empty: '', rubbish: 'x'.repeat(5000) });
  t.same(await SegmentReader.open(join(dir, 'absent'), TEST_SPOOL_KEYS), { gone: true });
  t.same(await SegmentReader.open(join(dir, 'empty'), TEST_SPOOL_KEYS), { fault: 'no segment' });
  t.same(await SegmentReader.open(join(dir, 'rubbish'), TEST_SPOOL_KEYS), { fault: 'no segment' });
  forge(join(dir, 'later'), { mode: MODE_MAPPED, writer: null, committed: 0, whole: 0 });
  const bytes = readFileSync(join(dir, 'later'));
  writeSync(openSync(join(dir, 'later'), 'r+'), Buffer.from([bytes.readUInt8(8) + 1]), 0, 1, 8);
  t.same(await SegmentReader.open(join(dir, 'later'), TEST_SPOOL_KEYS), { fault: 'header checksum' });
});
