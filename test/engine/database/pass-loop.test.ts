import t, { type Test } from 'tap';
import { PassLoop, type PassLoopOptions } from '../../../engine/database/pass-loop.js';
import { InvariantError } from '../../../shared/base/invariant.js';
import { manualTimers } from '../../support/manual-scheduler.js';

/** Resolves after a pass that waits for nothing has done all its work. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

function loopOf(t: Test, options: Pick<PassLoopOptions, 'pass'> & Partial<PassLoopOptions>) {
  const timers = manualTimers();
  const loop = new PassLoop({
    onFailure: () => t.fail('no pass fails'),
    gapMs: 10,
    now: timers.now,
    schedule: timers.schedule,
    ...options,
  });
  /** Advances time in steps of one millisecond, and lets everything that is due in each step run. */
  const pass = async (milliseconds: number) => {
    for (let step = 0; step < milliseconds; step++) {
      timers.advance(1);
      await settle();
    }
  };
  return { loop, timers, pass };
}

/** A pass that ends when the test calls `end`. */
function heldPass() {
  const held = { begun: 0, ended: 0, end: () => {} };
  const run = async () => {
    held.begun++;
    await new Promise<void>((resolve) => {
      held.end = resolve;
    });
    held.ended++;
    return 60_000;
  };
  return { held, run };
}

t.test('passes follow each other, never two at once, and a poke brings the next pass forward', async (t) => {
  const { held, run } = heldPass();
  const { loop, timers, pass } = loopOf(t, { pass: run });
  loop.start();
  timers.advance(0);
  for (let poke = 0; poke < 50; poke++) {
    loop.poke();
    await pass(1);
  }
  t.equal(held.begun, 1, 'never two passes at once');
  held.end();
  await settle();
  await pass(9);
  t.equal(held.begun, 1);
  await pass(1);
  t.equal(held.begun, 2, 'pokes during a pass cause one more pass, after the gap');
  held.end();
  await settle();
  await pass(59_999);
  t.equal(held.begun, 2);
  await pass(1);
  t.equal(held.begun, 3, 'without a poke the next pass comes when the last one asked for');
  held.end();
  await settle();
  loop.poke();
  await pass(10);
  t.equal(held.begun, 4, 'with a poke the next pass comes after the gap');
  held.end();
  await loop.stop();
});

t.test('frequent pokes do not delay the next pass beyond the gap', async (t) => {
  let passes = 0;
  const { loop, pass } = loopOf(t, {
    pass: async () => {
      passes++;
      return 60_000;
    },
  });
  loop.start();
  for (let millisecond = 0; millisecond < 100; millisecond++) {
    loop.poke();
    await pass(1);
  }
  await loop.stop();
  t.equal(passes, 10, 'one pass in every gap');
});

t.test('a failed pass is reported and tried again after a backoff that a poke does not shorten', async (t) => {
  const failures: string[] = [];
  let broken = true;
  const { loop, timers, pass } = loopOf(t, {
    pass: async () => {
      if (broken) throw new Error('away');
      return 60_000;
    },
    onFailure: (_error, inRow) => failures.push(`${inRow} at ${timers.now()}`),
    random: () => 0.25,
  });
  loop.start();
  for (let millisecond = 0; millisecond < 170; millisecond++) {
    loop.poke();
    await pass(1);
  }
  // The delays are a quarter of 200, 400 and 800 ms. The first pass runs in the first millisecond.
  t.same(failures, ['1 at 1', '2 at 51', '3 at 151']);
  t.equal(loop.failures, 3);
  broken = false;
  await pass(200);
  t.equal(loop.failures, 0);
  await loop.stop();
});

t.test('the backoff stays under 2 s, so that work resumes soon after the database is back', async (t) => {
  const at: number[] = [];
  const { loop, timers, pass } = loopOf(t, {
    pass: async () => {
      at.push(timers.now());
      throw new Error('away');
    },
    onFailure: () => undefined,
    random: () => 0.999,
  });
  loop.start();
  await pass(20_000);
  await loop.stop();
  const waits = at.slice(1).map((time, index) => time - (at[index] as number));
  t.ok(waits.length >= 10);
  t.ok(Math.max(...waits) <= 2000, `${waits}`);
});

t.test('a stop waits for the pass under way, and no pass begins afterwards', async (t) => {
  const { held, run } = heldPass();
  const { loop, timers, pass } = loopOf(t, { pass: run });
  loop.start();
  timers.advance(0);
  let stopped = false;
  const stopping = loop.stop().then(() => {
    stopped = true;
  });
  await pass(1000);
  t.equal(stopped, false);
  held.end();
  await stopping;
  t.equal(held.ended, 1);
  loop.poke();
  await pass(100_000);
  t.strictSame([held.begun, timers.count()], [1, 0]);
});

t.test('a timer that fires twice does not begin a second pass beside the first', async (t) => {
  const due: (() => void)[] = [];
  const { held, run } = heldPass();
  const { loop } = loopOf(t, {
    pass: run,
    schedule: (_milliseconds, fire) => {
      due.push(fire);
      return () => undefined;
    },
  });
  loop.start();
  due[0]?.();
  due[0]?.();
  await t.rejects(loop.stop(), new InvariantError("a loop of passes cannot go from 'running' to 'running'"));
  t.equal(held.begun, 1);
});
