import t from 'tap';
import { killEachProcess } from '../fault/scenarios.js';

// The short form of test/fault/kill-each-process.test.ts.
t.setTimeout(110_000);
t.test('each process is killed under load: the ledger and the click log agree to the last click', (t) => killEachProcess(t, 1));
