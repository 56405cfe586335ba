import t from 'tap';
import { dayText, LocalDays, utcDay } from '../../../../engine/shipping/rows/local-days.js';

t.test('a day begins at midnight of its time zone, also when clocks change', async (t) => {
  const table: [string, string, string][] = [
    ['UTC', '2026-11-20T23:59:59.999Z', '2026-11-20'],
    ['UTC', '2026-11-21T00:00:00.000Z', '2026-11-21'],
    ['America/Los_Angeles', '2026-11-21T07:59:59.999Z', '2026-11-20'],
    ['America/Los_Angeles', '2026-11-21T08:00:00.000Z', '2026-11-21'],
    ['Europe/Berlin', '2026-03-28T22:59:59.999Z', '2026-03-28'],
    ['Europe/Berlin', '2026-03-28T23:00:00.000Z', '2026-03-29'],
    ['Europe/Berlin', '2026-03-29T21:59:59.999Z', '2026-03-29'],
    ['Europe/Berlin', '2026-03-29T22:00:00.000Z', '2026-03-30'],
    ['Asia/Kathmandu', '2026-11-20T18:14:59.999Z', '2026-11-20'],
    ['Asia/Kathmandu', '2026-11-20T18:15:00.000Z', '2026-11-21'],
    ['Australia/Lord_Howe', '2026-04-04T13:00:00.000Z', '2026-04-05'],
    ['Pacific/Kiritimati', '2026-11-20T10:00:00.000Z', '2026-11-21'],
    ['No/Such_Zone', '2026-11-20T23:59:59.999Z', '2026-11-20'],
  ];
  for (const [zone, time, day] of table) t.equal(dayText(new LocalDays(zone).day(Date.parse(time))), day, `${zone} ${time}`);
});

t.test('thousands of times in any order get their right day', async (t) => {
  const days = new LocalDays('America/St_Johns');
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/St_Johns' });
  for (let index = 0; index < 2000; index++) {
    const time = Date.UTC(2026, 0, 1) + ((index * 7919) % 2000) * 900_000 * 17;
    if (dayText(days.day(time)) !== format.format(time)) t.fail(new Date(time).toISOString());
  }
});

t.test('UTC days count from the epoch', async (t) => {
  t.equal(utcDay(0), 0);
  t.equal(utcDay(86_399_999), 0);
  t.equal(utcDay(86_400_000), 1);
  t.equal(utcDay(-1), -1);
});
