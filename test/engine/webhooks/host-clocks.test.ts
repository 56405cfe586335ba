import t from 'tap';
import { deliverWithClocks } from './host-clocks.js';

/** Far above what a busy machine needs, and far below the differences between the clocks. */
const LATE_MS = 25_000;

t.test(
  'three hosts, with one clock 31 s ahead and one 31 s behind, send every delivery once, and none is late because of that',
  async (t) => {
    const { first, second } = await deliverWithClocks(t, [0, 31_000, -31_000]);
    t.ok(first < LATE_MS, `the latest first attempt was after ${Math.round(first)} ms`);
    t.ok(second < LATE_MS, `second attempts are over after ${Math.round(second)} ms`);
  },
);
