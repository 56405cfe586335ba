import t from 'tap';
import { killEachProcess } from './scenarios.js';

t.test('each process is killed five times under load, and the ledger and the click log agree to the last click', (t) =>
  killEachProcess(t, 5),
);
