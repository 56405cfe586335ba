import t from 'tap';
import { soak } from './soak.js';

t.setTimeout(3_600_000);
t.test('at constant load no process grows by a megabyte an hour', (t) =>
  soak(t, { warmUpMinutes: 10, minutes: 30, minuteMs: 60_000, growthMbPerHourMax: 1 }),
);
