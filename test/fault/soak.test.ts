import t from 'tap';
import { soak } from './soak.js';

t.setTimeout(7_200_000);
// The least of a minute differs by half a megabyte from that of the next: over half an hour this alone looks like a growth
// or a loss of 0.6 MB/h, over an hour of 0.2.
t.test('at constant load no process grows by a megabyte an hour', (t) =>
  soak(t, { warmUpMinutes: 10, minutes: 60, growthMbPerHourMax: 1 }),
);
