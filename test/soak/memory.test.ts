import t from 'tap';
import { soak } from './soak.js';

t.setTimeout(7_200_000);
// The medians of two minutes differ by about 0.4 MB. Over half an hour, this alone makes a slope uncertain by 0.5 MB/h, over an
// hour by 0.2. Ten minutes of warm-up were too few: heap snapshots of `background` taken ten minutes apart differed by code that
// V8 had compiled meanwhile.
t.test('under constant load no process grows by a megabyte an hour or more', (t) =>
  soak(t, { warmUpMinutes: 20, settleMinutes: 10, minutes: 60, growthMbPerHourMax: 1 }),
);
