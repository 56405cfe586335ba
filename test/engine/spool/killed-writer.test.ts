import t from 'tap';
import { killDroppingWriters, killWriters, killWritersAndFlushers } from './killed-writers.js';

// The short form of test/fault/killed-writers.test.ts.
t.jobs = 3;
for (const mode of ['mapped', 'appended'] as const) {
  t.test(`${mode}: a writer killed at any moment loses no click that it accepted`, (t) => killWriters(t, mode, 4));
  t.test(`${mode}: a writer killed while it drops clicks loses no count`, (t) => killDroppingWriters(t, mode, 2));
}
t.test('clicks of killed writers are shipped once and their files are removed, even if the flusher is killed as well', (t) =>
  killWritersAndFlushers(t, 2),
);
