import t from 'tap';
import { readPeriods } from '../../../control-plane/local-days/periods.js';
import { readWindow } from '../../../control-plane/local-days/window.js';
import { makeEnvironment } from '../../support/click-log.js';
import { openDatabase } from '../../support/open-database.js';

const { client, database } = await openDatabase(t);

t.test('days and hours of a window begin as the clocks of the zone say, up to an instant or to the end', async (t) => {
  const environment = await makeEnvironment(client, 'Europe/Berlin');
  const days = { from: '2026-10-24', to: '2026-10-25', days: 1 };
  const window = await readWindow(database, environment.id, days, Date.parse('2026-11-20T12:00:00Z'));
  const read = async (interval: 'hour' | 'day', until: string | null) =>
    (await readPeriods(database, window, interval, until === null ? null : new Date(until))).map(
      ({ start, date }) => `${date} ${start.toISOString()}`,
    );
  t.same(await read('day', null), ['2026-10-24 2026-10-23T22:00:00.000Z', '2026-10-25 2026-10-24T22:00:00.000Z']);
  t.same(await read('day', '2026-10-24T21:59:59Z'), ['2026-10-24 2026-10-23T22:00:00.000Z']);
  t.equal((await read('hour', null)).length, 24 + 25, 'the second day is an hour longer');
  t.same((await read('hour', '2026-10-25T01:30:00Z')).slice(-2), [
    '2026-10-25 2026-10-25T00:00:00.000Z',
    '2026-10-25 2026-10-25T01:00:00.000Z',
  ]);
});
