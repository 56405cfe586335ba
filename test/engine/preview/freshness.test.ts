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

const remember = (changes: Partial<Answer>) => rememberedOf(answer(changes), LIFETIMES, NOW);

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
  },
);

t.test('a missing item is remembered for negative_ttl_seconds and not a moment longer', async (t) => {
  const remembered = remember({ outcome: 'missing', metadata: null }) as RememberedAnswer;
  t.equal(freshnessOf(remembered, NOW + 29_999), 'missing');
  t.equal(freshnessOf(remembered, NOW + 30_000), 'gone');
  const never = rememberedOf(answer({ outcome: 'missing', metadata: null }), { ...LIFETIMES, negative_ttl_seconds: 0 }, NOW);
  t.equal(freshnessOf(never as RememberedAnswer, NOW), 'gone', 'with 0 it is not remembered at all');
});

t.test('an answer expires exactly ttl_seconds after it was fetched, a missing item exactly negative_ttl_seconds', async () => {
  const seconds = fc.integer({ min: 0, max: 2_592_000 });
  fc.assert(
    fc.property(seconds, seconds, seconds, (ttl_seconds, negative_ttl_seconds, stale_if_error_seconds) => {
      const lifetimes = { generation: 1, ttl_seconds, negative_ttl_seconds, stale_if_error_seconds };
      const found = rememberedOf(answer({}), lifetimes, NOW) as RememberedAnswer;
      const missing = rememberedOf(answer({ outcome: 'missing', metadata: null }), lifetimes, NOW) as RememberedAnswer;
      return (
        found.expires_at_ms - found.fetched_at_ms === ttl_seconds * 1000 &&
        found.keep_until_ms - found.expires_at_ms === stale_if_error_seconds * 1000 &&
        missing.expires_at_ms - missing.fetched_at_ms === negative_ttl_seconds * 1000 &&
        missing.keep_until_ms === missing.expires_at_ms
      );
    }),
  );
});

t.test('an unusable answer is not remembered, unless it says that the item is deleted or unpublished', async (t) => {
  t.equal(remember({ outcome: 'error', reason: 'timeout', metadata: null }), null);
  t.equal(remember({ outcome: 'invalid', reason: 'missing_required_field' }), null);
  t.equal(remember({ outcome: 'invalid', reason: 'not_json', metadata: null }), null);
  t.match(remember({ outcome: 'invalid', reason: 'missing_required_field', meaning: 'deleted' }), { outcome: 'ok', meaning: 'deleted' });
  t.match(remember({ meaning: 'unpublished' }), { outcome: 'ok', meaning: 'unpublished' });
});

/** How many milliseconds before its expiry an answer fetched at `fetchedAtMs` counts as near its end. */
function aheadMs(ttlMs: number, fetchedAtMs: number): number {
  const answer = { ...(remember({}) as RememberedAnswer), fetched_at_ms: fetchedAtMs, expires_at_ms: fetchedAtMs + ttlMs };
  let [near, far] = [0, ttlMs];
  while (far - near > 1) {
    const middle = Math.floor((near + far) / 2);
    if (isNearItsEnd(answer, answer.expires_at_ms - middle)) near = middle;
    else far = middle;
  }
  return near;
}

t.test('a refresh is due in the last twentieth of a TTL, or the last minute, and up to a tenth of the TTL earlier', async (t) => {
  for (const [ttlMs, leastMs] of [
    [60_000, 3000],
    [100_000, 5000],
    [86_400_000, 60_000],
  ] as const)
    for (let at = 0; at < 200; at++) {
      const ahead = aheadMs(ttlMs, NOW + at);
      t.ok(ahead >= leastMs && ahead <= leastMs + ttlMs / 10, `${ahead} of ${ttlMs}`);
    }
  t.equal(aheadMs(59_999, NOW), 0, 'never for a TTL below a minute');
});

t.test('answers that were fetched together are not refreshed together', async (t) => {
  const ttlMs = 3_600_000;
  const begin = Array.from({ length: 1000 }, (_, at) => NOW + at + ttlMs - aheadMs(ttlMs, NOW + at));
  const minutes = new Map<number, number>();
  for (const at of begin) minutes.set(Math.floor(at / 60_000), (minutes.get(Math.floor(at / 60_000)) ?? 0) + 1);
  t.ok(minutes.size >= 6);
  t.ok(Math.max(...minutes.values()) <= 180, 'a thousand answers with a TTL of an hour are refreshed evenly over six minutes');
});
