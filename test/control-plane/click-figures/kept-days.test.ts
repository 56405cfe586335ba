import t from 'tap';
import { figuresKeptFrom, hasFigures } from '../../../control-plane/click-figures/kept-days.js';
import { dayBefore } from '../../../shared/base/day-ranges.js';

const NOW = Date.parse('2026-11-20T12:00:00Z');

t.test('figures are read of 30 days of a project in every time zone, and kept two days longer', async (t) => {
  t.equal(hasFigures(dayBefore(NOW, 30), NOW), true, 'the first of 30 days where it is yesterday');
  t.equal(hasFigures(dayBefore(NOW, 31), NOW), false);
  t.equal(figuresKeptFrom(NOW, 400), dayBefore(NOW, 32));
  t.equal(figuresKeptFrom(NOW, 7), '2026-11-13', 'the retention of clicks');
});
