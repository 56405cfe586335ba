import t from 'tap';
import { rollingRestarts } from '../fault/scenarios.js';
import { UWS_MISSING } from '../support/uws.js';

// The short form of test/fault/rolling-restart.test.ts. Not with node:http: there, a process that closes its listener drops
// connections that wait to be accepted.
t.test('a rolling restart under load loses no request', { skip: UWS_MISSING }, (t) => rollingRestarts(t, 1));
