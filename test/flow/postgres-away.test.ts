import t from 'tap';
import { postgresAway } from '../fault/scenarios.js';

// The short form of test/fault/postgres-away.test.ts.
t.test('while PostgreSQL is stopped under load, no redirect fails and each is counted once', (t) => postgresAway(t, 2_000));
