import t from 'tap';
import { postgresAway, spoolOverflows } from './scenarios.js';

t.test('while PostgreSQL is away for thirty seconds under load, no redirect fails and each is counted once', (t) =>
  postgresAway(t, 30_000),
);
t.test('while PostgreSQL is away until the spool is full, no redirect fails, and every dropped click is counted', (t) => spoolOverflows(t));
