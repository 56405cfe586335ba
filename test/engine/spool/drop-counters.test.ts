import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { DropCounters, readDroppedClicks } from '../../../engine/spool/drop-counters.js';

const DEAD = Buffer.from('00000000-0000-0000-0000-000000000000/1').toString('hex');

/** Writes the counters that a process has left that has ended. */
function writeCounters(dir: string, bound: number, disk: number): void {
  const file = Buffer.alloc(4096);
  file.write('CLKCOUNT');
  file.writeDoubleLE(bound, 8);
  file.writeDoubleLE(disk, 16);
  writeFileSync(join(dir, `1-${DEAD}-${String(bound).padStart(8, '0')}.counters`), file);
}

for (const mapped of [true, false]) {
  t.test(`${mapped ? 'mapped' : 'appended'}: counts are in the file at once`, async (t) => {
    const dir = t.testdir();
    const counters = new DropCounters(dir, mapped);
    counters.count('bound');
    counters.count('bound');
    counters.count('disk');
    t.same(counters.read(), { bound: 2, disk: 1 });
    t.same(readDroppedClicks(dir), { bound: 2, disk: 1 });
  });

  t.test(`${mapped ? 'mapped' : 'appended'}: the count of a process that has ended is continued, in one file`, async (t) => {
    const dir = t.testdir();
    writeCounters(dir, 10, 5);
    const counters = new DropCounters(dir, mapped);
    t.same(counters.read(), { bound: 10, disk: 5 });
    counters.count('disk');
    t.same(readDroppedClicks(dir), { bound: 10, disk: 6 });
    t.equal(readdirSync(dir).length, 1);
  });
}

t.test('two processes never continue the same count', async (t) => {
  const dir = t.testdir();
  writeCounters(dir, 10, 0);
  writeCounters(dir, 20, 0);
  const taken = [0, 1, 2].map(() => new DropCounters(dir, true).read().bound);
  t.same(taken.toSorted(), [0, 10, 20]);
  t.same(readDroppedClicks(dir), { bound: 30, disk: 0 });
});

t.test('the count of a running process is not taken over', async (t) => {
  const dir = t.testdir();
  const first = new DropCounters(dir, true);
  first.count('bound');
  t.same(new DropCounters(dir, true).read(), { bound: 0, disk: 0 });
});

t.test('an unfinished counter file counts nothing', async (t) => {
  const dir = t.testdir();
  writeFileSync(join(dir, `1-${DEAD}-00000000.counters`), 'CLK');
  t.same(readDroppedClicks(dir), { bound: 0, disk: 0 });
  const counters = new DropCounters(dir, true);
  counters.count('bound');
  t.same(readDroppedClicks(dir), { bound: 1, disk: 0 });
});
