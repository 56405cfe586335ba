import t from 'tap';
import { randomKills } from '../fault/random-kills.js';

// The short form of test/fault/random-kills.test.ts: everything dies once.
t.test('each process is killed under load and the disk fills up, and answers, click log and statistics agree to the last click', (t) =>
  randomKills(t, { seed: 20_261_121, seconds: 0, pauseMsMax: 300, connections: 8, restMs: 1 }),
);
