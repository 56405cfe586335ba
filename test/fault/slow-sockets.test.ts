import t from 'tap';
import { slowSockets } from './hostile-scenarios.js';

const SOCKETS = 5000;

for (const kind of ['uws', 'node'] as const)
  t.test(`${kind}: five thousand slow sockets do not double the 99th percentile of visitors’ waits (promise R13)`, async (t) => {
    const ratio = await slowSockets(t, kind, { sockets: SOCKETS, rounds: 5, roundMs: 3000 });
    t.ok(ratio < 2, `p99 beside ${SOCKETS} slow sockets is ${ratio.toFixed(2)} times that without`);
  });
