import t from 'tap';
import { readLogSizes } from '../../../../control-plane/click-figures/log/log-days.js';
import { newId } from '../../../../shared/base/ids.js';
import { logClicks, loggedClick, makeEnvironment } from '../../../support/click-log.js';
import { openDatabase } from '../../../support/open-database.js';

const { client, database } = await openDatabase(t);

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
