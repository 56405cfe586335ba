import { readdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { SegmentWatch } from '../../../../engine/shipping/segments/segment-watch.js';
import { FORMAT_VERSION, READ_FORMAT_VERSIONS } from '../../../../engine/spool/segment.js';
import { isForeignSegment, isReadableSegment, SEGMENT_SUFFIX } from '../../../../engine/spool/segment-folder.js';
import { systemClock } from '../../../../shared/base/clock.js';
import { createLogger, type Logger } from '../../../../shared/base/log.js';
import { TEST_SPOOL_KEYS } from '../../../support/spool-keys.js';

t.test('a segment in the format of another release is left in place and reported as waiting', async (t) => {
  const dir = t.testdir();
  const foreign = `01jd0000000000000000000000.segment${FORMAT_VERSION + 1}`;
  writeFileSync(join(dir, foreign), 'what only another release can read');
  const watch = new SegmentWatch({
    dir,
    keys: TEST_SPOOL_KEYS,
    clock: systemClock,
    log: createLogger('test', 'silent'),
    keepMs: 0,
  });
  await watch.look();
  t.same(watch.segments, []);
  t.equal(watch.quarantined, 0);
  t.match(watch.trouble, /another release.*1/);
  t.same(readdirSync(dir), [foreign]);
});

t.test('a file that cannot be moved to quarantine is logged once, reported as trouble, and moved as soon as possible', async (t) => {
  const dir = t.testdir({ quarantine: 'a file where the folder should be' });
  const name = `01jd0000000000000000000000${SEGMENT_SUFFIX}`;
  writeFileSync(join(dir, name), 'rubbish');
  let now = 1_000_000;
  const logged: unknown[] = [];
  const log = { error: (fields: object) => void logged.push(fields) } as unknown as Logger;
  const watch = new SegmentWatch({ dir, keys: TEST_SPOOL_KEYS, clock: () => now, log, keepMs: 0 });
  for (let round = 0; round < 5; round++) await watch.look();
  now += 4_000;
  await watch.look();
  t.match(logged, [{ code: 'segment_set_aside', segment: name, error: 'EEXIST' }]);
  t.equal(logged.length, 1);
  t.equal(watch.quarantined, 0);
  t.equal(watch.trouble, `${name} cannot be moved to quarantine/: EEXIST`);
  unlinkSync(join(dir, 'quarantine'));
  now += 7_999;
  await watch.look();
  t.same(readdirSync(dir), [name], 'it is too early for another attempt');
  now += 1;
  await watch.look();
  t.same(readdirSync(dir), ['quarantine']);
  t.same(readdirSync(join(dir, 'quarantine')), [name]);
  t.equal(watch.quarantined, 1);
  t.equal(watch.trouble, '');
  t.equal(logged.length, 1);
});

t.test('the name of a segment shows its format', async (t) => {
  const id = '01jd0000000000000000000000';
  t.ok(READ_FORMAT_VERSIONS.includes(FORMAT_VERSION), 'the format that is written can be read');
  t.ok(isReadableSegment(id + SEGMENT_SUFFIX));
  for (const name of [`${id}.making`, `${id}.segmentx`, 'x.segment', 'quarantine', '1-2f-00000000.counters'])
    t.same([isReadableSegment(name), isForeignSegment(name)], [false, false], name);
  t.same([isReadableSegment(`${id}.segment990`), isForeignSegment(`${id}.segment990`)], [false, true]);
});
