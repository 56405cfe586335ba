import t from 'tap';
import { clickHouseClicks } from '../../../../control-plane/click-store/clickhouse/clickhouse-store.js';
import type { Snapshot } from '../../../../control-plane/db/database.js';
import type { StatsWindow } from '../../../../control-plane/local-days/window.js';
import type { ClickHouse } from '../../../../shared/clickhouse/connection.js';

t.test('statistics hold clicks up to two seconds ago, and the store counts groups in no figures', async (t) => {
  const clicks = clickHouseClicks({} as ClickHouse, { clock: () => Date.parse('2026-11-20T12:00:02Z') });
  const reading = clicks.reading({} as Snapshot);
  t.equal(await reading.asOf({} as StatsWindow), '2026-11-20T12:00:00.000Z');
  t.equal(reading.figures, null);
});
