import t from 'tap';
import { rowsOf, withoutRow, withRow } from '../../../../control-plane/dashboard/forms/field-rows.js';

const values = { '/name': 'a', '/apps/0/id': 'x', '/apps/1/id': 'y', '/apps/2/id': 'z', '/apps_of_others/0/id': 'o' };

t.test('rows are found by the indexes in the names of fields', async (t) => {
  t.strictSame(rowsOf(values, '/apps'), [0, 1, 2]);
  t.strictSame(rowsOf(values, '/none'), []);
});

t.test('rows after a removed row move up, and a new row comes last', async (t) => {
  const rest = { '/name': 'a', '/apps/0/id': 'x', '/apps/1/id': 'z', '/apps_of_others/0/id': 'o' };
  t.strictSame(withoutRow(values, '/apps', 1), rest);
  t.strictSame(withRow(rest, '/apps', { id: 'new' }), { ...rest, '/apps/2/id': 'new' });
});
