import t from 'tap';
import { p95Bucket } from '../../../control-plane/resources/metadata-figures.js';
import { LATENCY_BUCKETS, type LatencyBucket } from '../../../shared/contract/schemas/resources.js';
import fc from '../../support/properties.js';

t.test('the 95th percentile is the latency class of the call at the nearest rank', async (t) => {
  t.equal(p95Bucket({ lt_100: 0, lt_300: 0, lt_1000: 0, ge_1000: 0 }), null);
  t.equal(p95Bucket({ lt_100: 19, lt_300: 0, lt_1000: 0, ge_1000: 1 }), 'lt_100');
  t.equal(p95Bucket({ lt_100: 18, lt_300: 0, lt_1000: 0, ge_1000: 2 }), 'ge_1000');
  t.equal(p95Bucket({ lt_100: 0, lt_300: 0, lt_1000: 1, ge_1000: 0 }), 'lt_1000');
  const count = fc.nat(60);
  fc.assert(
    fc.property(fc.record({ lt_100: count, lt_300: count, lt_1000: count, ge_1000: count }), (counts) => {
      const calls = LATENCY_BUCKETS.flatMap((bucket) => Array<LatencyBucket>(counts[bucket]).fill(bucket));
      return p95Bucket(counts) === (calls[Math.ceil((calls.length * 95) / 100) - 1] ?? null);
    }),
  );
});
