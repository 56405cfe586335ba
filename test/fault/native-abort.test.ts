import t from 'tap';
import { provokeAbort } from './hostile-scenarios.js';

t.test('a million hostile requests do not end a process that serves with uWebSockets.js (promise R9)', (t) =>
  provokeAbort(t, 'uws', 1_000_000),
);
// With that many clients, most requests are abandoned before node:http handles them.
t.test('a million hostile requests do not end a process that serves with node:http', (t) => provokeAbort(t, 'node', 20_000, 1_000_000));
