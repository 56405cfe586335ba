import t from 'tap';
import { ConcurrencyLimit } from '../../../engine/preview/concurrency-limit.js';

t.test('no more calls are under way than the share, and none while it is above a share that shrank', async (t) => {
  const limit = new ConcurrencyLimit();
  t.equal(limit.hasRoom(), false, 'without a share');
  limit.share = 2;
  limit.enter();
  limit.enter();
  t.equal(limit.hasRoom(), false);
  t.throws(() => limit.enter(), { name: 'InvariantError' });
  limit.share = 1;
  limit.leave();
  t.equal(limit.hasRoom(), false, 'one is under way and one is the share');
  limit.leave();
  t.equal(limit.hasRoom(), true);
  t.throws(() => limit.leave(), { name: 'InvariantError' });
});
