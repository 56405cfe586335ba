import t from 'tap';
import { killDroppingWriters, killWriters, killWritersAndFlushers } from '../engine/spool/killed-writers.js';

for (const mode of ['mapped', 'appended'] as const) {
  t.test(`${mode}: a writer that is killed at any moment loses no accepted click`, (t) => killWriters(t, mode, 40));
  t.test(`${mode}: a writer that is killed while it drops clicks loses no count of them`, (t) => killDroppingWriters(t, mode, 20));
}
t.test('clicks of killed writers are shipped once and their files are removed, although the flusher is killed too', (t) =>
  killWritersAndFlushers(t, 20),
);
