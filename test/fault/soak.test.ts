import t from 'tap';
import { soak } from './soak.js';

t.setTimeout(7_200_000);
// The least of a minute differs by half a megabyte from that of the next: over half an hour this alone looks like a growth
// or a loss of 0.6 MB/h, over an hour of 0.2. What malloc keeps of the longest bursts rises for the first twenty minutes.
t.test('at constant load no process grows by a megabyte an hour', (t) =>
  soak(t, { warmUpMinutes: 20, minutes: 50, growthMbPerHourMax: 1 }),
);
