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

t.test('the first failure is logged however soon it comes, and a wall clock that is set back hides none', async (t) => {
  const log = new FailureLog(silentLog);
  const written: string[] = [];
  const before = Date.now();
  log.add(() => written.push('first'));
  t.intercept(Date, 'now', { value: () => before - 3_600_000 });
  await new Promise((resolve) => setTimeout(resolve, 1_010));
  log.add(() => written.push('after the clock was set back'));
  t.same(written, ['first', 'after the clock was set back']);
});
