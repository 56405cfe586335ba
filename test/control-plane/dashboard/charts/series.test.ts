import t from 'tap';
import { besideSameHours, drawnLines, isUnfinished, pointName, type Series } from '../../../../control-plane/dashboard/charts/series.js';

const DAYS = ['2026-11-27', '2026-11-28', '2026-11-29'];
const LINE: Series = { label: 'People', values: [5, 7, 1], colour: 2 };

t.test('an answer is unfinished if its days include the one on which it was given, in its time zone', async (t) => {
  const answer = { to: '2026-11-29', as_of: '2026-11-29T23:30:00.000Z', timezone: 'UTC' };
  t.ok(isUnfinished(answer));
  t.notOk(isUnfinished({ ...answer, timezone: 'Europe/Berlin' }), 'the next day has begun there');
  t.ok(isUnfinished({ ...answer, timezone: 'America/New_York' }));
  t.notOk(isUnfinished({ ...answer, to: '2026-11-28' }));
});

t.test('the way to an unfinished point is a line of its own, and what is compared with has no such point', async (t) => {
  const before: Series = { label: 'Before', values: [4, 6, 8], colour: 2, dashed: true };
  t.same(
    drawnLines({ series: [LINE, before], unfinished: true }).map(({ label, values, dotted }) => [label, values, dotted]),
    [
      ['People', [5, 7, null], false],
      ['Before', [4, 6, 8], false],
      ['People', [null, 7, 1], true],
    ],
  );
});

t.test('lines that are complete, or have one point, are drawn as they are', async (t) => {
  const one: Series = { ...LINE, values: [3] };
  for (const [line, unfinished] of [
    [LINE, false],
    [one, true],
  ] as const)
    t.same(drawnLines({ series: [line], unfinished }), [{ ...line, dotted: false }]);
});

t.test('only the unfinished point is said to be of a time that is not over', async (t) => {
  const props = { label: 'Clicks', days: DAYS, series: [LINE] };
  t.equal(pointName({ ...props, unfinished: true }, 2), '29 Nov 2026, so far');
  t.equal(pointName({ ...props, unfinished: true }, 1), '28 Nov 2026');
  t.equal(pointName(props, 2), '29 Nov 2026');
  t.equal(pointName({ ...props, labels: ['02:00', '03:00', '04:00'], unfinished: true }, 2), '04:00, so far');
});

t.test('hours are beside those at the same time of an earlier day, also where clocks change', async (t) => {
  const hoursFrom = (start: string, count: number) =>
    Array.from({ length: count }, (_, hour) => ({ start: new Date(Date.parse(start) + hour * 3_600_000).toISOString(), value: hour }));
  const usual = Array.from({ length: 24 }, (_, hour) => hour);
  const beside = (hours: ReturnType<typeof hoursFrom>, earlier: ReturnType<typeof hoursFrom>, timeZone = 'Europe/Berlin') =>
    besideSameHours(hours, earlier, timeZone);
  const autumn = hoursFrom('2026-10-24T22:00:00.000Z', 25);
  t.same(beside(autumn, hoursFrom('2026-10-23T22:00:00.000Z', 24)), [0, 1, 2, ...usual.slice(2)], 'the hour that comes twice');
  t.same(beside(hoursFrom('2026-10-25T23:00:00.000Z', 24), autumn), [0, 1, 2 + 3, ...usual.slice(4), 24], 'and after it, in one');
  const spring = hoursFrom('2026-03-28T23:00:00.000Z', 23);
  t.same(beside(spring, hoursFrom('2026-03-27T23:00:00.000Z', 24)), [0, 1, ...usual.slice(3)], 'the hour that is skipped');
  t.same(beside(hoursFrom('2026-03-29T22:00:00.000Z', 24), spring), [0, 1, null, ...usual.slice(2, 23)]);
  const havana = hoursFrom('2026-03-08T05:00:00.000Z', 23);
  t.same(beside(havana, hoursFrom('2026-03-07T05:00:00.000Z', 24), 'America/Havana'), usual.slice(1), 'a day that begins at one');
  t.same(beside(hoursFrom('2026-11-30T23:00:00.000Z', 2), []), [null, null], 'nothing has been read yet');
});
