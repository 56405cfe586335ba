import t from 'tap';
import { groupBy } from '../../../shared/base/group-by.js';

t.test('items are grouped by their key, groups and items in the order in which they occur', async (t) => {
  const groups = groupBy(['b1', 'a1', 'b2', 'c1', 'a2'], (text) => text[0]);
  t.strictSame(
    [...groups],
    [
      ['b', ['b1', 'b2']],
      ['a', ['a1', 'a2']],
      ['c', ['c1']],
    ],
  );
  t.strictSame(
    groupBy([], () => null),
    new Map(),
  );
});
