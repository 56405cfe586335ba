import t from 'tap';
import { enumeration } from '../fault/enumeration-scenario.js';

// The short form of test/fault/enumeration.test.ts, at a third of the load, because there may be only one core.
t.test('new links redirect at once while a client tries out unknown paths', async (t) => {
  await enumeration(t, { links: 60, perSecond: 4000, rounds: 1, roundMs: 100 });
});
