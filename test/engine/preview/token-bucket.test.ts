import t from 'tap';
import { TokenBucket } from '../../../engine/preview/token-bucket.js';
import { manualClock } from '../../support/manual-clock.js';

t.test('the bucket gives as many tokens as it holds at once, then as many as flow in', (t) => {
  const clock = manualClock(0);
  const bucket = new TokenBucket(10, 5, clock.now);
  const takeAll = () => {
    let taken = 0;
    while (bucket.take()) taken += 1;
    return taken;
  };
  t.equal(takeAll(), 5);
  clock.advance(99);
  t.equal(bucket.take(), false);
  clock.advance(1);
  t.equal(takeAll(), 1);
  clock.advance(300);
  t.equal(takeAll(), 3);
  clock.advance(3_600_000);
  t.equal(takeAll(), 5, 'never more than the bucket holds');
  t.end();
});
