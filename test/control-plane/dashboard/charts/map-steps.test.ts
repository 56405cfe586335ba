import t from 'tap';
import { ranges, STEPS, stepOf, thresholds } from '../../../../control-plane/dashboard/charts/map-steps.js';
import fc from '../../../support/properties.js';

t.test('shades divide the range by powers, and the largest value has the strongest shade', async (t) => {
  t.same(thresholds(100_000), [1, 10, 100, 1000, 10_000]);
  t.same(ranges(thresholds(100_000), 100_000).at(-1), [10_000, 100_000]);
  t.same(thresholds(0), []);
  t.same(ranges(thresholds(1), 1), [[1, 1]]);
  t.equal(stepOf(1, thresholds(1)), STEPS);
  t.equal(stepOf(0, thresholds(9)), 0);
});

t.test('every value has one shade, and a larger value never has a fainter one', async () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e9 }), fc.double({ min: 0, max: 1, noNaN: true }), (largest, share) => {
      const least = thresholds(largest);
      const value = Math.round(largest * share);
      const step = stepOf(value, least);
      const within = ranges(least, largest).filter(([from, to]) => value >= from && value <= to);
      return (
        stepOf(largest, least) === STEPS &&
        step <= stepOf(Math.min(largest, value + 1), least) &&
        (value === 0 ? step === 0 : step > 0 && within.length === 1)
      );
    }),
  );
});
