import { join } from 'node:path';
import t from 'tap';
import { openClickSpool } from '../../../engine/spool/click-spool.js';
import { readDroppedClicks } from '../../../engine/spool/drop-counters.js';
import { SEGMENT_BYTES_MIN } from '../../../engine/spool/segment.js';
import { makeClick, readSpool } from '../../support/clicks.js';
import { mountSmallDisk } from '../../support/small-disk.js';
import { TEST_SPOOL_KEYS } from '../../support/spool-keys.js';
import { until } from '../../support/until.js';

for (const mapped of [true, false]) {
  t.test(
    `${mapped ? 'mapped' : 'appended'}: on a full disk clicks are dropped and counted, and later clicks are stored again`,
    async (t) => {
      const disk = mountSmallDisk(t, 3 * SEGMENT_BYTES_MIN);
      if (disk === null) return t.comment('this user may not mount, so the disk could not be filled');
      const dir = join(disk.dir, 'spool');
      const spool = openClickSpool({
        dir,
        bytesMax: 1 << 30,
        mapped,
        keys: TEST_SPOOL_KEYS,
        clock: Date.now,
        segmentBytes: SEGMENT_BYTES_MIN,
      });
      const append = (count: number): number => {
        let taken = 0;
        for (let number = 0; number < count; number++)
          if (spool.append(makeClick({ path: `n${number}`, query: 'q'.repeat(4000) }))) taken++;
        return taken;
      };
      let taken = append(100);
      t.equal(taken, 100);
      disk.fill();
      taken += append(1000);
      t.ok(taken < 1100);
      t.match(spool.stats(), { clicks_dropped_bound: 0, clicks_dropped_disk: 1100 - taken, clicks_stored: taken });
      t.same(readDroppedClicks(dir), { bound: 0, disk: 1100 - taken });
      disk.empty();
      await until(() => append(1) === 1, 'a click that is stored again because there is room');
      t.equal(append(20), 20);
      spool.stop();
      t.equal((await readSpool(dir)).length, taken + 21);
    },
  );
}
