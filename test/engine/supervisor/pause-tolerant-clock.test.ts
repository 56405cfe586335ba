import t from 'tap';
import { pauseTolerantClock } from '../../../engine/supervisor/pause-tolerant-clock.js';
import { manualClock } from '../../support/manual-clock.js';

t.test('the clock follows its source while it is ticked', async (t) => {
  const source = manualClock(77);
  const clock = pauseTolerantClock(source.now, 1_000);
  for (let tick = 0; tick < 40; tick++) {
    source.advance(250);
    clock.tick();
  }
  source.advance(100);
  t.equal(clock.now(), 10_100);
});

t.test('a pause of the whole process counts as one gap at most', async (t) => {
  const source = manualClock(0);
  const clock = pauseTolerantClock(source.now, 1_000);
  source.advance(3_600_000);
  t.equal(clock.now(), 1_000);
  clock.tick();
  source.advance(250);
  t.equal(clock.now(), 1_250);
});
