import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { type ClickSpool, type ClickSpoolSettings, openClickSpool, segmentBytesFor } from '../../../engine/spool/click-spool.js';
import { readDroppedClicks } from '../../../engine/spool/drop-counters.js';
import { COMMITTED_BYTES_WORD, decodeProgress, SEGMENT_BYTES_MIN } from '../../../engine/spool/segment.js';
import { folderBytes } from '../../../engine/spool/segment-folder.js';
import { isId } from '../../../shared/base/ids.js';
import { makeClick, readSegment, readSpool, segmentNames } from '../../support/clicks.js';
import { TEST_SPOOL_KEYS } from '../../support/spool-keys.js';
import { until } from '../../support/until.js';

const MODES = [
  { mode: 'mapped', mapped: true },
  { mode: 'appended', mapped: false },
] as const;

/** Gives each segment a time of its own, so that segment names sort in the order of creation. */
let tick = 1_790_000_000_000;

function open(dir: string, settings: Partial<ClickSpoolSettings>): ClickSpool {
  return openClickSpool({
    dir,
    bytesMax: 64 * 1024 * 1024,
    mapped: true,
    keys: TEST_SPOOL_KEYS,
    clock: () => tick++,
    segmentBytes: SEGMENT_BYTES_MIN,
    ...settings,
  });
}

/** A click of some 5 KiB, so that a small segment is soon full. */
function bigClick(number: number): ReturnType<typeof makeClick> {
  return makeClick({ path: `n${number}`, query: 'q'.repeat(5000) });
}

/** Lets timers and immediates of the spool run. */
function settle(milliseconds = 0): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

for (const { mode, mapped } of MODES) {
  t.test(`${mode}: every accepted click is read back, over many segments`, async (t) => {
    const dir = join(t.testdir(), 'spool');
    const spool = open(dir, { mapped });
    for (let number = 0; number < 400; number++) {
      t.equal(spool.append(bigClick(number)), true);
      if (number % 37 === 0) await settle();
    }
    t.match(spool.stats(), { mode, clicks_stored: 400, clicks_dropped_bound: 0, clicks_dropped_disk: 0, dropping_reason: '' });
    t.same(
      (await readSpool(dir)).map((click) => click.path),
      Array.from({ length: 400 }, (_, number) => `n${number}`),
      'while the segment is being written',
    );
    spool.stop();
    t.same(
      (await readSpool(dir)).map((click) => click.path),
      Array.from({ length: 400 }, (_, number) => `n${number}`),
      'after the segment was sealed',
    );
    t.ok(spool.stats().segments_begun >= 4);
  });

  t.test(`${mode}: a burst without a pause for the event loop is stored whole`, async (t) => {
    const dir = join(t.testdir(), 'spool');
    const spool = open(dir, { mapped });
    for (let number = 0; number < 500; number++) spool.append(bigClick(number));
    spool.stop();
    t.equal((await readSpool(dir)).length, 500);
  });

  t.test(`${mode}: the id given in advance is the id of the stored click, also at the end of a segment`, async (t) => {
    const dir = join(t.testdir(), 'spool');
    const spool = open(dir, { mapped });
    const told: string[] = [];
    for (let number = 0; number < 300; number++) {
      const click = { ...bigClick(number), occurred_at_ms: 1_790_000_000_000 + number };
      told.push(spool.nextId(click.occurred_at_ms));
      spool.append(click);
    }
    spool.stop();
    t.same(
      (await readSpool(dir)).map((click) => click.id),
      told,
    );
    t.equal(new Set(told).size, told.length);
    t.ok(told.every((id) => isId('click', id)));
  });

  t.test(`${mode}: the size limit of the folder is never exceeded, and each click dropped for it is counted`, async (t) => {
    const dir = join(t.testdir(), 'spool');
    const bytesMax = 3 * SEGMENT_BYTES_MIN + 16 * 1024;
    const spool = open(dir, { mapped, bytesMax });
    let taken = 0;
    for (let number = 0; number < 1000; number++) {
      if (spool.append(bigClick(number))) taken++;
      if (number % 50 === 0) await settle();
      if (folderBytes(dir) > bytesMax) t.fail('the size limit was exceeded');
    }
    t.ok(taken > 200 && taken < 1000, `${taken} clicks were accepted`);
    t.match(spool.stats(), {
      clicks_stored: taken,
      clicks_dropped_bound: 1000 - taken,
      clicks_dropped_disk: 0,
      dropping_reason: 'SPOOL_BYTES_MAX',
    });
    t.same(readDroppedClicks(dir), { bound: 1000 - taken, disk: 0 }, 'the count in the files is the same');
    t.equal((await readSpool(dir)).length, taken);
    t.ok(isId('click', spool.nextId(1_790_000_000_000)), 'a click that will be dropped still gets a well-formed id');
    spool.stop();
  });

  t.test(`${mode}: clicks are accepted again without a restart when there is room`, async (t) => {
    const dir = join(t.testdir(), 'spool');
    const reasons: string[] = [];
    const spool = open(dir, { mapped, bytesMax: 2 * SEGMENT_BYTES_MIN + 16 * 1024, onDropping: (reason) => reasons.push(reason) });
    let number = 0;
    while (spool.append(bigClick(number))) number++;
    await settle(250);
    t.strictSame(reasons, ['SPOOL_BYTES_MAX'], 'the reason is said once');
    rmSync(join(dir, segmentNames(dir)[0] as string));
    await settle(250);
    t.equal(spool.append(bigClick(number + 1)), true);
    t.match(spool.stats(), { clicks_dropped_bound: 1, dropping_reason: '' });
    t.strictSame(reasons, ['SPOOL_BYTES_MAX', ''], 'and when it has passed');
    spool.stop();
  });

  t.test(
    `${mode}: an old segment is not sealed while there is no room for the next one, and takes clicks as long as it has room`,
    async (t) => {
      const dir = join(t.testdir(), 'spool');
      const spool = open(dir, { mapped, bytesMax: SEGMENT_BYTES_MIN + 16 * 1024, segmentMsMax: 30 });
      for (let number = 0; number < 20; number++) {
        t.equal(spool.append(bigClick(number)), true);
        await settle(20);
      }
      t.match(spool.stats(), { clicks_dropped_bound: 0, segments_begun: 1, dropping_reason: '' });
      spool.stop();
      t.equal((await readSpool(dir)).length, 20);
    },
  );

  t.test(`${mode}: the folder and its files are for their owner alone`, async (t) => {
    const dir = join(t.testdir(), 'spool');
    const spool = open(dir, { mapped });
    spool.append(makeClick());
    t.equal(statSync(dir).mode & 0o777, 0o700);
    for (const name of readdirSync(dir)) t.equal(statSync(join(dir, name)).mode & 0o777, 0o600, name.replace(/^.*\./, ''));
    spool.stop();
  });

  t.test(`${mode}: a stop seals the segment and cuts its unused end, and later clicks are dropped and counted`, async (t) => {
    const dir = join(t.testdir(), 'spool');
    const spool = open(dir, { mapped });
    spool.append(makeClick());
    spool.stop();
    spool.stop();
    const [name] = segmentNames(dir);
    const bytes = readFileSync(join(dir, name as string));
    const progress = decodeProgress(bytes, COMMITTED_BYTES_WORD * 4);
    t.match(progress, { sealed: true, committed_clicks: 1, committed_bytes: bytes.length });
    t.equal(spool.append(makeClick()), false);
    t.equal(readDroppedClicks(dir).disk, 1);
  });

  t.test(`${mode}: a process that stored nothing leaves no segment`, async (t) => {
    const dir = join(t.testdir(), 'spool');
    const spool = open(dir, { mapped });
    t.equal(segmentNames(dir).length, 1);
    spool.stop();
    t.equal(segmentNames(dir).length, 0);
  });

  t.test(`${mode}: while the folder cannot be created clicks are counted as dropped without an error, and later it is used`, async (t) => {
    const parent = t.testdir({ blocked: 'a file where the folder should be' });
    const dir = join(parent, 'blocked');
    const spool = open(dir, { mapped });
    t.equal(spool.append(makeClick()), false);
    t.equal(spool.append(makeClick()), false);
    t.match(spool.stats(), { clicks_dropped_disk: 2, dropping_reason: /^(EEXIST|ENOTDIR)$/ });
    rmSync(dir);
    await settle(250);
    t.equal(spool.append(makeClick()), true);
    t.same(readDroppedClicks(dir), { bound: 0, disk: 2 }, 'the count reached the disk');
    spool.stop();
  });
}

t.test('two spools in one folder share its size limit', async (t) => {
  const dir = join(t.testdir(), 'spool');
  const bytesMax = 4 * SEGMENT_BYTES_MIN + 16 * 1024;
  const spools = [open(dir, { bytesMax }), open(dir, { bytesMax })];
  let taken = 0;
  for (let number = 0; number < 1200; number++) if (spools[number % 2]?.append(bigClick(number))) taken++;
  t.ok(folderBytes(dir) <= bytesMax);
  t.equal(readDroppedClicks(dir).bound, 1200 - taken);
  for (const spool of spools) spool.stop();
  t.equal((await readSpool(dir)).length, taken);
});

t.test('ids of two segments do not share their random part', async (t) => {
  const dir = join(t.testdir(), 'spool');
  const first = open(dir, {});
  const second = open(dir, {});
  t.not(first.nextId(1_790_000_000_000).slice(-16), second.nextId(1_790_000_000_000).slice(-16));
  first.stop();
  second.stop();
});

t.test('a spool opens in a folder that also has foreign files', async (t) => {
  const dir = t.testdir({ 'README.txt': 'hello' });
  writeFileSync(join(dir, '01jd0000000000000000000000.segment'), randomBytes(1000));
  chmodSync(dir, 0o700);
  mkdirSync(join(dir, 'quarantine'));
  const spool = open(dir, {});
  t.equal(spool.append(makeClick()), true);
  spool.stop();
});

t.test('segments are small if the size limit is small or there are many processes', async (t) => {
  const MIB = 1024 * 1024;
  t.equal(segmentBytesFor(2048 * MIB, 2), 16 * MIB);
  t.equal(segmentBytesFor(64 * MIB, 2), 4 * MIB);
  t.equal(segmentBytesFor(64 * MIB, 128), 512 * 1024);
});

t.test('a segment with clicks is sealed at a certain age although it is not full, and one without clicks stays open', async (t) => {
  for (const { mapped } of MODES) {
    const dir = t.testdir();
    const spool = open(dir, { mapped, segmentMsMax: 50 });
    await settle(120);
    t.equal(spool.stats().segments_begun, 1, 'there was no click yet');
    spool.append(makeClick());
    const [first] = segmentNames(dir);
    await until(async () => spool.stats().segments_begun === 2, 'the next segment is begun');
    await settle(120);
    t.equal(spool.stats().segments_begun, 2);
    spool.append(makeClick());
    t.equal(segmentNames(dir)[0], first);
    t.equal((await readSegment(join(dir, first as string))).length, 1);
    t.equal(readFileSync(join(dir, first as string)).readUInt32LE(144), 1, 'the first segment is sealed');
    spool.stop();
    t.equal((await readSpool(dir)).length, 2);
  }
});
