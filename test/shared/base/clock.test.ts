import t from 'tap';
import { manualClock, systemClock } from '../../../shared/base/clock.js';

t.test('a manual clock moves only by hand', async (t) => {
  const clock = manualClock(1000);
  t.equal(clock.now(), 1000);
  clock.advance(500);
  t.equal(clock.now(), 1500);
  clock.set(7);
  t.equal(clock.now(), 7);
});

t.test("the system's clock is in milliseconds since the epoch", async (t) => {
  const before = Date.now();
  const now = systemClock();
  t.ok(before <= now && now <= Date.now());
});
