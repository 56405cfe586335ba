import t from 'tap';
import { InvariantError, invariant } from '../../../shared/base/invariant.js';

t.test('a broken invariant throws an error of its own class, and a kept one throws nothing', async (t) => {
  t.throws(() => invariant(0, 'count is positive'), new InvariantError('count is positive'));
  t.doesNotThrow(() => invariant('x', 'never'));
});
