import t from 'tap';
import { WakeLoop } from '../../../engine/webhooks/wake-loop.js';

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

t.test('passes follow each other, never two at once, and a poke brings the next one forward', async (t) => {
  let running = 0;
  let passes = 0;
  const loop = new WakeLoop({
    pass: async () => {
      running++;
      t.equal(running, 1);
      await sleep(5);
      running--;
      passes++;
      return 60_000;
    },
    onFailure: () => t.fail('no pass fails'),
    gapMs: 1,
  });
  loop.start();
  await sleep(40);
  t.equal(passes, 1);
  loop.poke();
  await sleep(40);
  t.equal(passes, 2);
  for (let index = 0; index < 50; index++) {
    loop.poke();
    await sleep(1);
  }
  await sleep(20);
  t.ok(passes > 3 && passes < 20, `pokes during a pass make one more: ${passes}`);
  await loop.stop();
});

t.test('a poke during a pass is not lost', async (t) => {
  let passes = 0;
  const loop: WakeLoop = new WakeLoop({
    pass: async () => {
      passes++;
      if (passes === 1) loop.poke();
      return 60_000;
    },
    onFailure: () => t.fail('no pass fails'),
    gapMs: 1,
  });
  loop.start();
  await sleep(50);
  t.equal(passes, 2);
  await loop.stop();
});

t.test('pokes that come closer together than the gap do not push the next pass away', async (t) => {
  let passes = 0;
  const loop = new WakeLoop({
    pass: async () => {
      passes++;
      return 60_000;
    },
    onFailure: () => t.fail('no pass fails'),
    gapMs: 20,
  });
  loop.start();
  const poking = setInterval(() => loop.poke(), 2);
  await sleep(500);
  clearInterval(poking);
  await loop.stop();
  t.ok(passes >= 10 && passes <= 26, `${passes} passes in 500 ms`);
});

t.test('a failed pass is reported and tried again after a backoff that a poke does not shorten', async (t) => {
  const failures: number[] = [];
  let broken = true;
  const loop = new WakeLoop({
    pass: async () => {
      if (broken) throw new Error('away');
      return 60_000;
    },
    onFailure: (_error, inRow) => failures.push(inRow),
    gapMs: 1,
    random: () => 0.25,
  });
  loop.start();
  const poking = setInterval(() => loop.poke(), 1);
  await sleep(170);
  clearInterval(poking);
  t.same(failures, [1, 2, 3], '50 ms, 100 ms, 200 ms apart');
  t.equal(loop.failures, 3);
  broken = false;
  await sleep(300);
  t.equal(loop.failures, 0);
  await loop.stop();
});

t.test('the backoff stays under 2 s, so that work goes on soon after the database is back', async (t) => {
  const waits: number[] = [];
  let last = performance.now();
  const loop = new WakeLoop({
    pass: async () => {
      waits.push(performance.now() - last);
      throw new Error('away');
    },
    onFailure: () => {
      last = performance.now();
    },
    gapMs: 1,
    random: () => 0.01,
  });
  loop.start();
  await sleep(300);
  await loop.stop();
  t.ok(waits.length > 8);
  t.ok(Math.max(...waits) < 60, 'a hundredth of 2 s and the coarseness of timers');
});

t.test('stopping waits for the pass under way, and none begins afterwards', async (t) => {
  let ended = 0;
  const loop = new WakeLoop({
    pass: async () => {
      await sleep(40);
      ended++;
      return 0;
    },
    onFailure: () => t.fail('no pass fails'),
    gapMs: 1,
  });
  loop.start();
  await sleep(10);
  await loop.stop();
  t.equal(ended, 1);
  loop.poke();
  await sleep(60);
  t.equal(ended, 1);
});
