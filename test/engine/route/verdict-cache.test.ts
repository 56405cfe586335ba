import t from 'tap';
import { VerdictCache } from '../../../engine/route/verdict-cache.js';
import { DESKTOP, IPHONE } from '../fixtures.js';

t.test('a user agent is recognised once', async (t) => {
  const cache = new VerdictCache(10);
  const first = cache.of(IPHONE);
  t.equal(first.platform, 'ios');
  t.equal(cache.of(IPHONE), first);
  t.equal(cache.of(DESKTOP).platform, 'desktop');
  t.same(cache.stats(), { hits: 1, misses: 2, entries: 2 });
});

t.test('a flood of made-up user agents takes a bounded number of entries and drives out nothing in use', async (t) => {
  const cache = new VerdictCache(50);
  const kept = cache.of(IPHONE);
  for (let index = 0; index < 5000; index++) {
    cache.of(`agent ${index}`);
    if (index % 20 === 0) t.equal(cache.of(IPHONE), kept);
    if (cache.stats().entries > 100) t.fail('more entries than two generations');
  }
  t.equal(cache.stats().misses, 5001);
});
