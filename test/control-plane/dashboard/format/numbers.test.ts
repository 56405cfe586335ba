import t from 'tap';
import { durationMs, moneyOf, share } from '../../../../control-plane/dashboard/format/numbers.js';
import { setShownLanguage } from '../../../../control-plane/dashboard/language/shown.js';

t.test('an amount has the sign of its currency, and otherwise the number with its unit, if any', async (t) => {
  t.equal(moneyOf(1234.5, 'EUR'), '€1,234.50');
  t.equal(moneyOf(1234.5, 'JPY'), 'JP¥1,235');
  t.equal(moneyOf(1234.567, null), '1,234.57');
  t.equal(moneyOf(3, 'points'), '3 points');
});

t.test('a share is shown as 0 % only if it is zero', async (t) => {
  const shares: readonly (readonly [number | null, string])[] = [
    [null, '–'],
    [0, '0%'],
    [1, '100%'],
    [0.1234, '12.3%'],
    [0.001, '0.1%'],
    [0.000253, '0.03%'],
    [-0.00004, '-0.004%'],
  ];
  for (const [value, shown] of shares) t.equal(share(value), shown, String(value));
});

t.test('a duration is shown in the language of the page', async (t) => {
  t.equal(durationMs(12_345), '12,345 ms');
  setShownLanguage('de');
  t.teardown(() => setShownLanguage('en'));
  t.equal(durationMs(12_345), '12.345 ms');
});
