import t from 'tap';
import { stoppedProcess } from '../fault/scenarios.js';

// The short form of test/fault/stopped-process.test.ts.
t.test('the health page fails within 15 s after background is stopped with SIGSTOP, and the process is replaced', (t) =>
  stoppedProcess(t, 'background'),
);
