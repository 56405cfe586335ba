import t from 'tap';
import { rollingRestarts } from './scenarios.js';

t.test('twenty rolling restarts under load lose no request', (t) => rollingRestarts(t, 20));
