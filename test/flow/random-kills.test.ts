import t from 'tap';
import { randomKills } from '../fault/random-kills.js';

// The short form of test/fault/random-kills.test.ts: everything dies once.
t.test('everything is killed under load, the disk is full once, and ledger, click log and figures agree to the last click', (t) =>
  randomKills(t, { seed: 20_261_121, seconds: 0, pauseMsMax: 300, connections: 8, restMs: 1 }),
);
