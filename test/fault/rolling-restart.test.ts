import t from 'tap';
import { rollingRestarts } from './scenarios.js';

t.setTimeout(1_800_000);
t.test('twenty rolling restarts under load lose no request', (t) => rollingRestarts(t, 20));
