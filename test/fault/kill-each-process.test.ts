import t from 'tap';
import { killEachProcess } from './scenarios.js';

t.setTimeout(1_800_000);
t.test('each process is killed five times under load, and the ledger and the click log agree to the last click', (t) =>
  killEachProcess(t, 5),
);
