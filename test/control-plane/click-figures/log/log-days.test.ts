import t from 'tap';
import { readLogSizes } from '../../../../control-plane/click-figures/log/log-days.js';
import { newId } from '../../../../shared/base/ids.js';
import { connect, logClicks, loggedClick, makeEnvironment } from '../../../support/click-log.js';
import { createDatabase } from '../../../support/database.js';

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
