import t from 'tap';
import { ConcurrencyLimit } from '../../../engine/preview/concurrency-limit.js';

t.test('no more calls are under way than the share, and none begins while more are under way than a reduced share', async (t) => {
  const limit = new ConcurrencyLimit();
  t.equal(limit.hasRoom(), false, 'there is no share');
  limit.share = 2;
  limit.enter();
  limit.enter();
  t.equal(limit.hasRoom(), false);
  t.throws(() => limit.enter(), { name: 'InvariantError' });
  limit.share = 1;
  limit.leave();
  t.equal(limit.hasRoom(), false, 'one call is under way and the share is one');
  limit.leave();
  t.equal(limit.hasRoom(), true);
  t.throws(() => limit.leave(), { name: 'InvariantError' });
});
