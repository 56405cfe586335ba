import t from 'tap';
import { listLater } from './listed-scenario.js';

t.test('what is listed later is emitted no more within 10 s, and what is not goes on (promise A9)', async (t) => {
  t.comment(`after ${Math.round(await listLater(t, 10_000))} ms`);
});
