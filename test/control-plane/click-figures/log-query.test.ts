import t from 'tap';
import { readLogRange, readLogSizes } from '../../../control-plane/click-figures/log-query.js';
import { readDaySpan } from '../../../control-plane/click-figures/span.js';
import { readWindow } from '../../../control-plane/click-figures/window.js';
import { newId } from '../../../shared/base/ids.js';
import { connect, logClicks, loggedClick, makeEnvironment } from '../../support/click-log.js';
import { createDatabase } from '../../support/database.js';

const own = await createDatabase();
const client = await connect(own.url);
t.teardown(async () => {
  await client.end();
  await own.drop();
});
const database = {
  query: async (statement: { text: string; values: readonly unknown[] }) =>
    client.query({ text: statement.text, values: [...statement.values] }) as never,
};

t.test('a range begins and ends at midnight in the project’s time zone, also on days with clock changes', async (t) => {
  for (const [zone, from, to, start, end] of [
    ['UTC', '2026-11-01', '2026-11-02', '2026-11-01T00:00:00.000Z', '2026-11-03T00:00:00.000Z'],
    ['Europe/Berlin', '2026-10-25', '2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
    ['Asia/Kolkata', '2026-11-01', '2026-11-01', '2026-10-31T18:30:00.000Z', '2026-11-01T18:30:00.000Z'],
  ] as const) {
    const environment = await makeEnvironment(client, zone);
    const window = await readWindow(database, environment.id, { from, to, days: 1 }, Date.parse('2026-11-20T12:00:00Z'));
    const range = await readLogRange(database, window);
    t.same([range.from.toISOString(), range.to.toISOString()], [start, end], zone);
    if (from === to) t.same(await readDaySpan(database, from, zone), { from: range.from, to: range.to }, zone);
  }
});

t.test('the sizes of the days of a range are listed, latest first', async (t) => {
  const environment = await makeEnvironment(client);
  await logClicks(
    client,
    environment.number,
    ['2026-11-01', '2026-11-02', '2026-11-03'].map((day) => loggedClick(newId('link'), `${day}T12:00:00Z`)),
  );
  const sizes = await readLogSizes(database, {
    from: new Date('2026-11-01T22:00:00Z'),
    to: new Date('2026-11-02T22:00:00Z'),
  });
  t.same(
    sizes.map(({ day, bytes }) => [day, bytes > 0]),
    [
      ['2026-11-02', true],
      ['2026-11-01', true],
    ],
  );
});
