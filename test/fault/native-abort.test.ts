import t from 'tap';
import { provokeAbort } from './hostile-scenarios.js';

t.test('a million hostile requests do not end the process that serves (promise R9)', (t) => provokeAbort(t, 'uws', 1_000_000));
// With that many clients, most requests are abandoned before node:http handles them.
t.test('nor that of the other listener', (t) => provokeAbort(t, 'node', 20_000, 1_000_000));
