import t from 'tap';
import { deliverWithClocks } from './host-clocks.js';

/** Far above what a busy machine needs, and far below the differences between the clocks. */
const LATE_MS = 25_000;

t.test('three hosts, one with a clock 31 s ahead and one 31 s behind, send every delivery once, and none later for it', async (t) => {
  const { first, second } = await deliverWithClocks(t, [0, 31_000, -31_000]);
  t.ok(first < LATE_MS, `the latest first attempt after ${Math.round(first)} ms`);
  t.ok(second < LATE_MS, `second attempts are over after ${Math.round(second)} ms`);
});
