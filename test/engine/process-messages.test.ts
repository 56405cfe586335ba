import t from 'tap';
import { redirectNodeOptions } from '../../engine/process-messages.js';

t.test('what an operator sets in NODE_OPTIONS comes after what redirect processes get anyway, and so prevails', async (t) => {
  t.equal(redirectNodeOptions(), '--max-semi-space-size=4');
  t.equal(redirectNodeOptions('--max-semi-space-size=16 --inspect'), '--max-semi-space-size=4 --max-semi-space-size=16 --inspect');
});
