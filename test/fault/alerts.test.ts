import t from 'tap';
import { hasProgram } from '../support/programs.js';
import * as faults from './alert-faults.js';
import { alertNames, calmAtFirst, type Fault, raisesAndClears, startWatched } from './alert-scenarios.js';

/** Those of one line are provoked together. */
const TOGETHER: readonly (readonly Fault[])[] = [
  [faults.WEBHOOKS_FAIL, faults.CERTIFICATE_EXPIRES, faults.CERTIFICATE_IS_BROKEN, faults.PROCESS_ENDS_AGAIN],
  [faults.WEBHOOKS_ARE_LATE, faults.PROCESS_IS_LATE],
  [faults.METADATA_API_FAILS, faults.CLICK_IS_REFUSED],
  [faults.ENDPOINT_FAILS_FOR_DAYS, faults.SECRET_DOES_NOT_OPEN],
  [faults.FEED_IS_LOCKED, faults.CLICKS_ARE_NOT_COUNTED],
  [faults.TABLE_IS_LOCKED],
  [faults.CONNECTIONS_RUN_OUT],
  [faults.PROCESS_HANGS, faults.CONTROL_PLANE_ENDS],
  [faults.MIGRATION_IS_MISSING],
  [faults.ENGINE_ENDS],
  [faults.ENGINE_IS_CUT_OFF],
  [faults.POSTGRES_STOPS],
  [faults.DISK_IS_FULL],
];

t.test('each alert is provoked here, or has the reason why promtool alone covers it', async (t) => {
  const provoked = TOGETHER.flat().flatMap(({ alerts }) => alerts);
  const known = [...provoked, ...Object.keys(faults.ONLY_BY_PROMTOOL)];
  t.same(known.toSorted(), alertNames().toSorted());
});

t.test('the faults that alerts name raise them in a running Prometheus, and they end with the fault', async (t) => {
  if (!hasProgram(t, 'prometheus')) return;
  const watched = await startWatched(t, { withDisk: true });
  await calmAtFirst(t, watched);
  for (const together of TOGETHER)
    await t.test(together.map(({ what }) => what).join('; '), async (t) => {
      if (together.includes(faults.DISK_IS_FULL) && watched.disk === null) t.comment('LEFT OUT: this user may not mount a small disk');
      else await raisesAndClears(t, watched, together);
    });
});
