import t from 'tap';
import { killDroppingWriters, killWriters, killWritersAndFlushers } from '../engine/spool/killed-writers.js';

for (const mode of ['mapped', 'appended'] as const) {
  t.test(`${mode}: a writer killed at any moment has lost no click it took`, (t) => killWriters(t, mode, 40));
  t.test(`${mode}: a writer killed while it drops clicks has lost no count`, (t) => killDroppingWriters(t, mode, 20));
}
t.test('what killed writers left is shipped once and their files go, with the flusher being killed as well', (t) =>
  killWritersAndFlushers(t, 20),
);
