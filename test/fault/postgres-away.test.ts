import t from 'tap';
import { postgresAway } from './scenarios.js';

t.setTimeout(1_800_000);
t.test('PostgreSQL is away for thirty seconds under load, no redirect fails and each is counted once', (t) => postgresAway(t, 30_000));
