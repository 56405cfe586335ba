import t from 'tap';
import { Breaker } from '../../../engine/preview/breaker.js';
import { InvariantError } from '../../../shared/base/invariant.js';
import { manualClock } from '../../support/manual-clock.js';
import fc from '../../support/properties.js';

function fixture() {
  const clock = manualClock(1_000_000);
  const breaker = new Breaker(clock.now);
  const call = (outcome: 'succeeded' | 'failed') => breaker.settle(breaker.pass(), outcome);
  const fail = (times: number) => {
    for (let n = 0; n < times; n++) call('failed');
  };
  return { clock, breaker, call, fail };
}

t.test('the breaker opens after five failures in a row, and a success in between restarts the count', async (t) => {
  const { breaker, call, fail } = fixture();
  fail(4);
  call('succeeded');
  fail(4);
  t.equal(breaker.kind(), 'closed');
  fail(1);
  t.equal(breaker.kind(), 'open');
  t.equal(breaker.wouldPass(), false);
});

t.test('the breaker opens when half of at least twenty calls in the last 30 seconds have failed', async (t) => {
  const { clock, breaker, call } = fixture();
  for (let n = 0; n < 19; n++) call(n % 2 === 0 ? 'succeeded' : 'failed');
  t.equal(breaker.kind(), 'closed', 'nineteen calls are too few to judge');
  call('failed');
  t.equal(breaker.kind(), 'open');

  const slow = fixture();
  for (let n = 0; n < 60; n++) {
    slow.call(n % 2 === 0 ? 'failed' : 'succeeded');
    slow.clock.advance(2000);
  }
  t.equal(slow.breaker.kind(), 'closed', 'fifteen calls in 30 seconds are too few to judge');

  const few = fixture();
  for (let n = 0; n < 100; n++) few.call(n % 3 === 0 ? 'failed' : 'succeeded');
  t.equal(few.breaker.kind(), 'closed', 'a third of the calls is less than half');
  clock.advance(1);
});

t.test('an open breaker passes one probe after each interval, which doubles from 10 to 300 seconds', async (t) => {
  const { clock, breaker, fail } = fixture();
  fail(5);
  for (const seconds of [10, 20, 40, 80, 160, 300, 300]) {
    clock.advance(seconds * 1000 - 1);
    t.equal(breaker.wouldPass(), false, `shut for ${seconds} s`);
    clock.advance(1);
    const probe = breaker.pass();
    t.equal(breaker.kind(), 'half_open');
    clock.advance(5000);
    t.equal(breaker.wouldPass(), false, 'no call passes beside the probe');
    breaker.settle(probe, 'failed');
    t.equal(breaker.kind(), 'open');
  }
});

t.test('one successful probe closes the breaker and clears its counts', async (t) => {
  const { clock, breaker, call, fail } = fixture();
  for (let n = 0; n < 16; n++) call('succeeded');
  fail(5);
  clock.advance(10_000);
  call('succeeded');
  t.equal(breaker.kind(), 'closed');
  fail(4);
  t.equal(breaker.kind(), 'closed');
  fail(1);
  clock.advance(9_999);
  t.equal(breaker.wouldPass(), false, 'the interval is that of the first time again');
  clock.advance(1);
  t.equal(breaker.wouldPass(), true);
});

t.test('calls from before the breaker opened do not decide the probe', async (t) => {
  const { clock, breaker, fail } = fixture();
  const late = [breaker.pass(), breaker.pass()] as const;
  fail(5);
  breaker.settle(late[0], 'succeeded');
  t.equal(breaker.kind(), 'open', 'a success from before does not close the breaker');
  clock.advance(10_000);
  const probe = breaker.pass();
  breaker.settle(late[1], 'failed');
  t.equal(breaker.kind(), 'half_open', 'a failure from before does not open the breaker');
  breaker.settle(probe, 'succeeded');
  t.equal(breaker.kind(), 'closed');
});

t.test('an API that always fails gets five calls and then at most one per interval, however the requests are timed', async () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 20_000 }), { maxLength: 300 }), (waits) => {
      const { clock, breaker, call } = fixture();
      const madeAt: number[] = [];
      for (const wait of waits) {
        clock.advance(wait);
        if (!breaker.wouldPass()) continue;
        call('failed');
        madeAt.push(clock.now());
      }
      const opened = madeAt.slice(4);
      const intervals = opened.slice(1).map((at, index) => at - (opened[index] as number));
      return intervals.every((interval, index) => interval >= Math.min(300_000, 10_000 * 2 ** index));
    }),
  );
});

t.test('making a call that the breaker does not pass is an error in the program', async (t) => {
  const { breaker, clock, fail } = fixture();
  fail(5);
  t.throws(() => breaker.pass(), InvariantError, 'the breaker is open');
  clock.advance(10_000);
  breaker.pass();
  t.throws(() => breaker.pass(), InvariantError, 'the probe is under way');
});
