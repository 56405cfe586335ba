import t from 'tap';
import { enumeration } from '../fault/enumeration-scenario.js';

// The short form of test/fault/enumeration.test.ts, at a third of the load, because there may be only one core.
t.test('anyone who tries out paths does not deny new links', async (t) => {
  await enumeration(t, { links: 60, perSecond: 4000, rounds: 1, roundMs: 100 });
});
