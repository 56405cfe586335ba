import t from 'tap';
import { randomKills } from './random-kills.js';

t.test(
  'everything is killed at random for ten minutes under full load, and answers, click log and statistics agree to the last click',
  (t) =>
    randomKills(t, {
      seed: Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000),
      seconds: 600,
      pauseMsMax: 4000,
      connections: 32,
      restMs: 0,
    }),
);
