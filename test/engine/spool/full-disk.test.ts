import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openClickSpool } from '../../../engine/spool/click-spool.js';
import { readDroppedClicks } from '../../../engine/spool/drop-counters.js';
import { SEGMENT_BYTES_MIN } from '../../../engine/spool/segment.js';
import { attempt } from '../../../engine/store/mapped-file.js';
import { makeClick, readSpool } from '../../support/clicks.js';

/** A file system of its own that is soon full takes the right to mount. */
const DISK_BYTES = 3 * SEGMENT_BYTES_MIN;

/** Runs `work` on a small disk mounted at `dir`; false where this user may not mount. It is gone again before the test ends, so that the folder can be removed. */
async function onSmallDisk(dir: string, work: () => Promise<void>): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', dir]).status !== 0) return false;
  try {
    await work();
  } finally {
    spawnSync('umount', ['-l', dir]);
  }
  return true;
}

for (const mapped of [true, false]) {
  t.test(`${mapped ? 'mapped' : 'appended'}: a full disk drops and counts clicks, and nothing else happens`, async (t) => {
    const disk = t.testdir();
    const ran = await onSmallDisk(disk, async () => {
      const dir = join(disk, 'spool');
      const spool = openClickSpool({ dir, bytesMax: 1 << 30, mapped, clock: Date.now, segmentBytes: SEGMENT_BYTES_MIN });
      const append = (count: number): number => {
        let taken = 0;
        for (let number = 0; number < count; number++)
          if (spool.append(makeClick({ path: `n${number}`, query: 'q'.repeat(4000) }))) taken++;
        return taken;
      };
      let taken = append(100);
      t.equal(taken, 100);
      const filler = join(disk, 'filler');
      const filled = attempt(() => writeFileSync(filler, Buffer.alloc(DISK_BYTES)));
      t.match(filled, { error: 'ENOSPC' });
      taken += append(1000);
      t.ok(taken < 1100);
      t.match(spool.stats(), { clicks_dropped_bound: 0, clicks_dropped_disk: 1100 - taken, clicks_stored: taken });
      t.same(readDroppedClicks(dir), { bound: 0, disk: 1100 - taken });
      rmSync(filler);
      await new Promise((resolve) => setTimeout(resolve, 250));
      t.equal(append(20), 20, 'clicks are stored again when there is room');
      spool.stop();
      t.equal((await readSpool(dir)).length, taken + 20);
    });
    if (!ran) t.comment('this user may not mount: the disk could not be filled');
  });
}
