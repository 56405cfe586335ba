import t from 'tap';
import { rotated, spreadOf } from '../../bench/load/statistics.js';

for (const [values, median, min, max] of [
  [[5], 5, 5, 5],
  [[3, 1, 2], 2, 1, 3],
  [[10, 1, 2, 9], 5.5, 1, 10],
  [[100, 9, 11], 11, 9, 100],
] as const)
  t.test(`the spread of ${values.join(', ')}`, async (t) => t.same(spreadOf(values), { median, min, max }));

t.test('the spread of no values is an error in the program', async (t) => {
  t.throws(() => spreadOf([]), { name: 'InvariantError' });
});

t.test('each comes first in turn, and is as often before another one as after it', async (t) => {
  t.same(
    [0, 1, 2, 3, 4, 5, 6].map((round) => rotated(['a', 'b', 'c'], round).join('')),
    ['abc', 'cba', 'bca', 'acb', 'cab', 'bac', 'abc'],
  );
  t.same(rotated([], 5), []);
});
