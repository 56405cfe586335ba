import t from 'tap';
import { stoppedProcess } from '../fault/scenarios.js';

// The short form of test/fault/stopped-process.test.ts.
t.test('a stopped background turns the health page red within 15 s and is replaced', (t) => stoppedProcess(t, 'background'));
