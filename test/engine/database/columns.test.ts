import t from 'tap';
import { columnsOf } from '../../../engine/database/columns.js';

t.test('there is a column for each name, in the order of the names', async (t) => {
  const rows = [
    { id: 'a', count: 1, note: null },
    { id: 'b', count: 2, note: 'x' },
  ];
  t.same(columnsOf(rows, 'count', 'id'), [
    [1, 2],
    ['a', 'b'],
  ]);
});

t.test('without rows every column is empty', async (t) => {
  t.same(columnsOf<{ id: string; count: number }>([], 'id', 'count'), [[], []]);
});
