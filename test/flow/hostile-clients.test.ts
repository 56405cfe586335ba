import t from 'tap';
import { provokeAbort, slowSockets } from '../fault/hostile-scenarios.js';

// The short forms of test/fault/native-abort.test.ts and test/fault/slow-sockets.test.ts.
t.jobs = 3;
t.test('hostile requests do not end a process that serves with uWebSockets.js', (t) => provokeAbort(t, 'uws', 4000));
t.test('hostile requests do not end a process that serves with node:http', (t) => provokeAbort(t, 'node', 1000));
t.test('visitors are answered while five hundred slow sockets are open', async (t) => {
  const ratio = await slowSockets(t, 'uws', { sockets: 500, rounds: 1, roundMs: 300 });
  t.ok(ratio > 0, 'both latencies were measured');
});
