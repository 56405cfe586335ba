import t from 'tap';
import { postgresCrashes } from './scenarios.js';

t.setTimeout(1_800_000);
t.test('PostgreSQL crashes ten times under load, no redirect fails and each is counted once', (t) => postgresCrashes(t, 10));
