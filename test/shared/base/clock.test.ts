import t from 'tap';
import { systemClock } from '../../../shared/base/clock.js';

t.test("the system's clock is in milliseconds since the epoch", async (t) => {
  const before = Date.now();
  const now = systemClock();
  t.ok(before <= now && now <= Date.now());
});
