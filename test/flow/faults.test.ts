import t from 'tap';
import { killEachProcess, manyLinks, postgresAway, postgresCrashes, rollingRestarts } from '../fault/scenarios.js';

// The short forms of test/fault, one after the other: each loads the machine by itself.

t.test('PostgreSQL is stopped under load: no redirect fails, and each is counted once', (t) => postgresAway(t, 2_000));

t.test('PostgreSQL crashes under load: no redirect fails, and each is counted once', (t) => postgresCrashes(t, 1));

t.test('each process is killed under load: the ledger and the click log agree to the last click', (t) => killEachProcess(t, 1));

t.test('a rolling restart under load loses no request', (t) => rollingRestarts(t, 1));

t.test('links redirect at the first request after they were made, on every process', (t) => manyLinks(t, 400, 8));
