import t from 'tap';
import { killDroppingWriters, killWriters, killWritersAndFlushers } from './killed-writers.js';

// The short form of test/fault/killed-writers.test.ts.
t.jobs = 3;
for (const mode of ['mapped', 'appended'] as const) {
  t.test(`${mode}: a writer killed at any moment has lost no click it took`, (t) => killWriters(t, mode, 4));
  t.test(`${mode}: a writer killed while it drops clicks has lost no count`, (t) => killDroppingWriters(t, mode, 2));
}
t.test('what killed writers left is shipped once and their files go, with the flusher being killed as well', (t) =>
  killWritersAndFlushers(t, 2),
);
