import t from 'tap';
import { listLater } from './listed-scenario.js';

t.test('a host that is added to the block list is in no answer after 10 s, and other links go on (promise A9)', async (t) => {
  t.comment(`after ${Math.round(await listLater(t, 10_000))} ms`);
});
