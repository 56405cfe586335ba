import t from 'tap';
import { rollingRestarts } from '../fault/scenarios.js';

// The short form of test/fault/rolling-restart.test.ts.
t.test('a rolling restart under load loses no request', (t) => rollingRestarts(t, 1));
