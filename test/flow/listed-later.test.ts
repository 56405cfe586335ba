import t from 'tap';
import { listLater } from '../fault/listed-scenario.js';

// The short form of test/fault/listed-later.test.ts, whose limit is for a machine that does nothing else.
t.test('a host that is added to the block list is soon in no answer, and other links go on', async (t) => {
  await listLater(t, 60_000);
});
