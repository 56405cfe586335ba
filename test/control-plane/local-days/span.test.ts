import t from 'tap';
import { readDaySpan, readSpan } from '../../../control-plane/local-days/span.js';
import { readWindow } from '../../../control-plane/local-days/window.js';
import { makeEnvironment } from '../../support/click-log.js';
import { openDatabase } from '../../support/open-database.js';

const { client, database } = await openDatabase(t);

t.test('a span of days begins and ends at midnight in the project’s time zone, also on days with clock changes', async (t) => {
  for (const [zone, from, to, start, end] of [
    ['UTC', '2026-11-01', '2026-11-02', '2026-11-01T00:00:00.000Z', '2026-11-03T00:00:00.000Z'],
    ['Europe/Berlin', '2026-10-25', '2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
    ['Asia/Kolkata', '2026-11-01', '2026-11-01', '2026-10-31T18:30:00.000Z', '2026-11-01T18:30:00.000Z'],
  ] as const) {
    const environment = await makeEnvironment(client, zone);
    const window = await readWindow(database, environment.id, { from, to, days: 1 }, Date.parse('2026-11-20T12:00:00Z'));
    const span = await readSpan(database, window);
    t.same([span.from.toISOString(), span.to.toISOString()], [start, end], zone);
    if (from === to) t.same(await readDaySpan(database, from, zone), { from: span.from, to: span.to }, zone);
  }
});
