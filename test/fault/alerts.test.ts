import t from 'tap';
import { openClickHouse } from '../support/clickhouse.js';
import { hasProgram } from '../support/programs.js';
import { DISK_IS_FULL } from './alert-faults.js';
import { calmAtFirst, raisesAndClears, startWatched } from './alert-scenarios.js';
import { TOGETHER, WITH_CLICKHOUSE } from './alert-table.js';

t.test('each provoked fault raises its alerts in a running Prometheus, and they clear after its repair', async (t) => {
  if (!hasProgram(t, 'prometheus')) return;
  const watched = await startWatched(t, { withDisk: true });
  await calmAtFirst(t, watched);
  for (const together of TOGETHER)
    await t.test(together.map(({ what }) => what).join('; '), async (t) => {
      if (together.includes(DISK_IS_FULL) && watched.disk === null) t.comment('LEFT OUT: this user may not mount a small disk');
      else await raisesAndClears(t, watched, together);
    });
});

t.test('faults of ClickHouse raise their alerts, which clear after the repair', async (t) => {
  if (!hasProgram(t, 'prometheus')) return;
  const store = await openClickHouse(t);
  if (store === null) return;
  const watched = await startWatched(t, { clickHouseUrl: store.url });
  await calmAtFirst(t, watched);
  for (const fault of WITH_CLICKHOUSE) await raisesAndClears(t, watched, [fault]);
});
