import t from 'tap';
import { type Delays, deliverWithClocks } from '../engine/webhooks/host-clocks.js';

t.test('clocks of hosts that are 31 s apart delay no delivery by a second or more (promise W13)', async (t) => {
  const measured: Delays[] = [];
  for (const shifts of [
    [0, 0, 0],
    [0, 31_000, -31_000],
  ] as const)
    await t.test(`clocks shifted by ${shifts.join(', ')} ms`, async (t) => void measured.push(await deliverWithClocks(t, shifts)));
  const [right, shifted] = measured as [Delays, Delays];
  const shown = `${JSON.stringify(shifted)} with clocks 31 s apart, ${JSON.stringify(right)} with the same time, in ms`;
  t.comment(shown);
  t.ok(shifted.first - right.first < 1000, `first attempts: ${shown}`);
  t.ok(shifted.second - right.second < 1000, `second attempts: ${shown}`);
});
