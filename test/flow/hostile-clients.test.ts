import t from 'tap';
import { provokeAbort, slowSockets } from '../fault/hostile-scenarios.js';

// The short forms of test/fault/native-abort.test.ts and test/fault/slow-sockets.test.ts.
t.jobs = 3;
t.test('hostile requests do not end the process that serves', (t) => provokeAbort(t, 'uws', 4000));
t.test('nor that of the other listener', (t) => provokeAbort(t, 'node', 1000));
t.test('visitors are answered beside five hundred slow sockets', async (t) => {
  const ratio = await slowSockets(t, 'uws', { sockets: 500, rounds: 1, roundMs: 300 });
  t.ok(ratio > 0, 'all of them');
});
