import t from 'tap';
import { killedThroughout, postgresRestarts } from '../fault/webhook-scenarios.js';

// Short forms of test/fault/webhooks.test.ts.
t.jobs = 2;

t.test('no event is lost while a delivery thread, the process and PostgreSQL are killed', { buffered: true }, (t) =>
  killedThroughout(t, { events: 1000, everyMs: 300, leaseMs: 4000, kills: [3, 3] }),
);

// The long form has a limit of 5 s, which needs a machine of its own.
t.test('deliveries go on by themselves after a restart of PostgreSQL', { buffered: true }, (t) => postgresRestarts(t, 1, 20_000));
