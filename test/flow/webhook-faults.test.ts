import t from 'tap';
import { killedThroughout, postgresRestarts } from '../fault/webhook-scenarios.js';

// Short forms of test/fault/webhooks.test.ts.
t.jobs = 2;

t.test('a thread, the process and PostgreSQL are killed while events are delivered: none is missing', { buffered: true }, (t) =>
  killedThroughout(t, { events: 1000, everyMs: 300, leaseMs: 4000, kills: [3, 3] }),
);

// The long form has a limit of 5 s, which needs a machine of its own.
t.test('PostgreSQL is restarted, and deliveries go on by themselves', { buffered: true }, (t) => postgresRestarts(t, 1, 20_000));
