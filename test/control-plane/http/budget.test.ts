import t from 'tap';
import { Budget, tooMany } from '../../../control-plane/http/budget.js';

t.test('a budget limits each holder and all together, and returned amounts can be taken again', async (t) => {
  const budget = new Budget({ refusals: tooMany('things are in use'), max: 10, holderMax: 6 });
  budget.take('a', 6);
  t.throws(() => budget.take('a', 1), {
    code: 'rate_limited',
    detail: 'Too many things are in use with this key or from this address.',
    headers: { 'retry-after': '1' },
  });
  budget.take('b', 4);
  t.throws(() => budget.take('b', 1), {
    code: 'service_unavailable',
    detail: 'Too many things are in use.',
    headers: { 'retry-after': '1' },
  });
  t.same(budget.stats(), { held: 10, holders: 2 });
  budget.giveBack('a', 6);
  budget.take('b', 1);
  budget.giveBack('b', 5);
  t.same(budget.stats(), { held: 0, holders: 0 });
});
