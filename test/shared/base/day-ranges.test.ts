import t from 'tap';
import { daysOfRange, daysUntilToday, fittingInterval } from '../../../shared/base/day-ranges.js';

t.test('a range consists of days in the project’s time zone, across months and years', async (t) => {
  const newYear = Date.parse('2026-12-31T23:30:00Z');
  for (const [range, zone, from, to] of [
    ['today', 'UTC', '2026-12-31', '2026-12-31'],
    ['today', 'Europe/Berlin', '2027-01-01', '2027-01-01'],
    ['last_7_days', 'UTC', '2026-12-25', '2026-12-31'],
    ['last_30_days', 'UTC', '2026-12-02', '2026-12-31'],
    ['last_90_days', 'UTC', '2026-10-03', '2026-12-31'],
    ['this_month', 'Europe/Berlin', '2027-01-01', '2027-01-01'],
    ['last_month', 'Europe/Berlin', '2026-12-01', '2026-12-31'],
    ['last_month', 'UTC', '2026-11-01', '2026-11-30'],
  ] as const)
    t.same(daysOfRange(range, zone, newYear), { from, to }, `${range} in ${zone}`);
});

t.test('the interval of a chart gives some dozens of points', async (t) => {
  const of = (from: string, to: string) => fittingInterval({ from, to });
  t.same(
    [of('2026-01-01', '2026-01-02'), of('2026-01-01', '2026-01-03'), of('2026-01-01', '2026-03-03'), of('2026-01-01', '2026-03-04')],
    ['hour', 'day', 'day', 'week'],
  );
  t.same([of('2026-01-01', '2027-01-05'), of('2026-01-01', '2027-01-06')], ['week', 'month']);
});

t.test('days after today in the time zone are left out', async (t) => {
  const evening = Date.parse('2026-11-24T23:30:00Z');
  for (const [to, zone, last] of [
    ['2040-01-01', 'UTC', '2026-11-24'],
    ['2040-01-01', 'Europe/Berlin', '2026-11-25'],
    ['2026-11-20', 'UTC', '2026-11-20'],
  ] as const)
    t.same(daysUntilToday({ from: '2026-11-01', to }, zone, evening), { from: '2026-11-01', to: last });
});
