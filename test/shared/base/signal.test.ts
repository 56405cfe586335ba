import t from 'tap';
import { createSignal, pause } from '../../../shared/base/signal.js';

t.test('signals raised before the wait are not lost, and several count as one', async (t) => {
  const signal = createSignal();
  signal.raise();
  signal.raise();
  t.equal(await signal.wait(10_000), 'raised');
  t.equal(await signal.wait(1), 'elapsed');
});

t.test('a signal ends a wait that is under way', async (t) => {
  const signal = createSignal();
  const waiting = signal.wait(10_000);
  signal.raise();
  t.equal(await waiting, 'raised');
  t.equal(await signal.wait(1), 'elapsed');
});

t.test('a signal raised after a wait has timed out counts for the next wait', async (t) => {
  const signal = createSignal();
  t.equal(await signal.wait(1), 'elapsed');
  signal.raise();
  t.equal(await signal.wait(10_000), 'raised');
});

t.test('signals do not end a pause, but a cut does', async (t) => {
  const signal = createSignal();
  const raising = setInterval(() => signal.raise(), 1);
  const started = performance.now();
  await pause(signal, 40, () => false);
  t.ok(performance.now() - started >= 39);
  let cut = false;
  const cutting = pause(signal, 10_000, () => cut);
  cut = true;
  await cutting;
  t.ok(performance.now() - started < 2000);
  clearInterval(raising);
});
