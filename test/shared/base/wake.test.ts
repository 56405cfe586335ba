import t from 'tap';
import { createWake, pause } from '../../../shared/base/wake.js';

t.test('a raise before the wait is not lost, and many are one', async (t) => {
  const wake = createWake();
  wake.raise();
  wake.raise();
  t.equal(await wake.wait(10_000), 'raised');
  t.equal(await wake.wait(1), 'elapsed');
});

t.test('a raise ends a wait that is under way', async (t) => {
  const wake = createWake();
  const waiting = wake.wait(10_000);
  wake.raise();
  t.equal(await waiting, 'raised');
  t.equal(await wake.wait(1), 'elapsed');
});

t.test('a raise after the time is over counts for the next wait', async (t) => {
  const wake = createWake();
  t.equal(await wake.wait(1), 'elapsed');
  wake.raise();
  t.equal(await wake.wait(10_000), 'raised');
});

t.test('a pause lasts whatever is raised, until it is cut', async (t) => {
  const wake = createWake();
  const raising = setInterval(() => wake.raise(), 1);
  const started = performance.now();
  await pause(wake, 40, () => false);
  t.ok(performance.now() - started >= 39);
  let cut = false;
  const cutting = pause(wake, 10_000, () => cut);
  cut = true;
  await cutting;
  t.ok(performance.now() - started < 2000);
  clearInterval(raising);
});
