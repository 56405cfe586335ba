import t from 'tap';
import { LookupUnavailableError } from '../../../engine/database/lookup-connection.js';
import { FailureLog } from '../../../engine/visit/failure-log.js';
import { manualClock } from '../../support/manual-clock.js';
import { silentLog } from '../fixtures.js';

t.test('failures of visits are logged once per second, and those of a database that is away not at all', async (t) => {
  const clock = manualClock(5_000);
  const log = new FailureLog(silentLog, clock.now);
  const written: string[] = [];
  const add = (name: string) => log.add(() => written.push(name));
  log.addUnlessAway(new LookupUnavailableError('away'), () => written.push('away'));
  add('first');
  clock.advance(999);
  add('within the second');
  clock.advance(1);
  log.addUnlessAway(new Error('a fault'), () => written.push('fault'));
  t.same(written, ['first', 'fault']);
});
