import t from 'tap';
import { moneyOf } from '../../../../control-plane/dashboard/format/numbers.js';

t.test('a sum has the sign of its currency, and is a number without one, or with what is none', async (t) => {
  t.equal(moneyOf(1234.5, 'EUR'), '€1,234.50');
  t.equal(moneyOf(1234.5, 'JPY'), 'JP¥1,235');
  t.equal(moneyOf(1234.567, null), '1,234.57');
  t.equal(moneyOf(3, 'points'), '3 points');
});
