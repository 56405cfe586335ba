import t from 'tap';
import { postgresCrashes } from '../fault/scenarios.js';

// The short form of test/fault/postgres-crash.test.ts.
t.setTimeout(110_000);
t.test('PostgreSQL crashes under load: no redirect fails, and each is counted once', (t) => postgresCrashes(t, 1));
