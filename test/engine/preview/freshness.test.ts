import t from 'tap';
import { freshnessOf, isNearItsEnd, rememberedOf } from '../../../engine/preview/freshness.js';
import type { Answer } from '../../../shared/metadata/answer.js';
import type { RememberedAnswer } from '../../../shared/metadata/remembered.js';
import fc from '../../support/properties.js';

const METADATA = {
  title: 'T',
  description: null,
  image_url: null,
  canonical_url: null,
  deep_link_path: null,
  web_fallback_url: null,
  resource_status: null,
};
const NOW = 1_700_000_000_000;
const LIFETIMES = { generation: 1, ttl_seconds: 100, negative_ttl_seconds: 30, stale_if_error_seconds: 50 };

function answer(changes: Partial<Answer>): Answer {
  return { outcome: 'ok', reason: null, status: 200, metadata: METADATA, meaning: 'published', warnings: [], issues: [], ...changes };
}

const remember = (changes: Partial<Answer>, random = 0) => rememberedOf(answer(changes), LIFETIMES, NOW, () => random);

t.test(
  'an answer is fresh to the last millisecond of its TTL, stale to that of stale_if_error_seconds, then gone (promise P4)',
  async (t) => {
    const remembered = remember({}) as RememberedAnswer;
    for (const [afterMs, expected] of [
      [0, 'fresh'],
      [99_999, 'fresh'],
      [100_000, 'stale'],
      [149_999, 'stale'],
      [150_000, 'gone'],
    ] as const)
      t.equal(freshnessOf(remembered, NOW + afterMs), expected, `${afterMs} ms`);
    const early = remember({}, 0.999) as RememberedAnswer;
    t.equal(freshnessOf(early, NOW + 95_000), 'stale', 'asked for anew before its TTL is over');
    t.equal(freshnessOf(early, NOW + 149_999), 'stale', 'and shown as long as any other');
    t.equal(freshnessOf(early, NOW + 150_000), 'gone');
  },
);

t.test('that an item is missing is remembered for negative_ttl_seconds and never shown past them', async (t) => {
  const remembered = remember({ outcome: 'missing', metadata: null }) as RememberedAnswer;
  t.equal(freshnessOf(remembered, NOW + 29_999), 'missing');
  t.equal(freshnessOf(remembered, NOW + 30_000), 'gone');
  const never = rememberedOf(answer({ outcome: 'missing', metadata: null }), { ...LIFETIMES, negative_ttl_seconds: 0 }, NOW, () => 0);
  t.equal(freshnessOf(never as RememberedAnswer, NOW), 'gone', 'with 0 it is not remembered at all');
});

t.test('a TTL is shortened by up to a tenth, never made longer', async () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 0.999999, noNaN: true }), (random) => {
      for (const [outcome, ttlMs] of [
        ['ok', 100_000],
        ['missing', 30_000],
      ] as const) {
        const remembered = remember(outcome === 'ok' ? {} : { outcome, metadata: null }, random) as RememberedAnswer;
        const lasted = remembered.expires_at_ms - NOW;
        if (lasted > ttlMs || lasted < 0.9 * ttlMs - 1) return false;
      }
      return true;
    }),
  );
});

t.test('what cannot be used is not remembered, unless it says that the item is not to be had', async (t) => {
  t.equal(remember({ outcome: 'error', reason: 'timeout', metadata: null }), null);
  t.equal(remember({ outcome: 'invalid', reason: 'missing_required_field' }), null);
  t.equal(remember({ outcome: 'invalid', reason: 'not_json', metadata: null }), null);
  t.match(remember({ outcome: 'invalid', reason: 'missing_required_field', meaning: 'deleted' }), { outcome: 'ok', meaning: 'deleted' });
  t.match(remember({ meaning: 'unpublished' }), { outcome: 'ok', meaning: 'unpublished' });
});

t.test('the end is near in the last twentieth of a TTL, a minute at most, and never for a TTL below a minute', async (t) => {
  const of = (ttlMs: number): RememberedAnswer => ({ ...(remember({}) as RememberedAnswer), expires_at_ms: NOW + ttlMs });
  t.equal(isNearItsEnd(of(100_000), NOW + 94_999), false);
  t.equal(isNearItsEnd(of(100_000), NOW + 95_000), true);
  t.equal(isNearItsEnd(of(86_400_000), NOW + 86_400_000 - 60_001), false);
  t.equal(isNearItsEnd(of(86_400_000), NOW + 86_400_000 - 60_000), true);
  t.equal(isNearItsEnd(of(59_999), NOW + 59_998), false);
});
