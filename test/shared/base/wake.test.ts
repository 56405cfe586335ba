import t from 'tap';
import { createWake } from '../../../shared/base/wake.js';

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
