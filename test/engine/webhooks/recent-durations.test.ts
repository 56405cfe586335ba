import t from 'tap';
import { RecentDurations } from '../../../engine/webhooks/recent-durations.js';

t.test('percentiles are computed from the newest 1,024 durations, in any order', async (t) => {
  const durations = new RecentDurations();
  t.same(durations.percentiles(), { p50_ms: 0, p99_ms: 0 });
  durations.add(7);
  t.same(durations.percentiles(), { p50_ms: 7, p99_ms: 7 });
  for (let index = 0; index < 1024; index++) durations.add((index * 389) % 1024);
  t.same(durations.percentiles(), { p50_ms: 512, p99_ms: 1013 }, 'the 7 is forgotten');
});
