import t from 'tap';
import { listLater } from '../fault/listed-scenario.js';

// The short form of test/fault/listed-later.test.ts, whose limit is for a machine that does nothing else.
t.test('what is listed later is emitted no more, and what is not goes on', async (t) => {
  await listLater(t, 60_000);
});
