import t from 'tap';
import { backoffMs, jitterMs } from '../../../shared/base/backoff.js';

t.test('waits are random up to a limit, which doubles until it reaches its maximum', async (t) => {
  const highest = () => 1 - Number.EPSILON;
  t.strictSame(
    [0, 1, 2, 3, 10].map((attempt) => backoffMs(attempt, 100, 1000, highest)),
    [99, 199, 399, 799, 999],
  );
  t.equal(
    backoffMs(5, 100, 1000, () => 0),
    0,
  );
  t.equal(backoffMs(10_000, 100, 1000, highest), 999, 'no overflow after very many failures');
});

t.test('jitter stays within its ratio in both directions', async (t) => {
  t.equal(
    jitterMs(1000, 0.1, () => 0),
    900,
  );
  t.equal(
    jitterMs(1000, 0.1, () => 0.5),
    1000,
  );
  t.equal(
    jitterMs(1000, 0.1, () => 1),
    1100,
  );
});
