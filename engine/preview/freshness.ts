import type { Answer } from '../../shared/metadata/answer.js';
import type { MetadataConfiguration } from '../../shared/metadata/configuration.js';
import type { RememberedAnswer } from '../../shared/metadata/remembered.js';

/**
 * How current a remembered answer is.
 *
 * `fresh`    Within its TTL, and shown without asking the API.
 * `missing`  Within its TTL too, but what is remembered is that there is no such item.
 * `stale`    Past its TTL, but still shown at once, while the API is asked and for as long as it fails.
 * `gone`     No longer shown: a new answer has to come from the API.
 */
export type Freshness = 'fresh' | 'missing' | 'stale' | 'gone';

export function freshnessOf(answer: RememberedAnswer, nowMs: number): Freshness {
  if (nowMs < answer.expires_at_ms) return answer.outcome === 'missing' ? 'missing' : 'fresh';
  return answer.outcome === 'ok' && nowMs < answer.keep_until_ms ? 'stale' : 'gone';
}

export interface Lifetimes extends Pick<MetadataConfiguration, 'ttl_seconds' | 'negative_ttl_seconds' | 'stale_if_error_seconds'> {
  /** The generation of the configuration. */
  readonly generation: number;
}

/**
 * Returns what to remember of an API's answer; null if nothing, in which case what was remembered before stays.
 *
 * An answer that lacks a required field and says that the item is unpublished or deleted is remembered too: its card is as certain
 * as any other, and an older, stale one must not be shown again.
 */
export function rememberedOf(answer: Answer, lifetimes: Lifetimes, nowMs: number): RememberedAnswer | null {
  const { outcome, meaning, metadata } = answer;
  const { generation } = lifetimes;
  if (outcome === 'missing') {
    const expires_at_ms = nowMs + lifetimes.negative_ttl_seconds * 1000;
    return { generation, outcome, meaning: 'published', metadata: null, fetched_at_ms: nowMs, expires_at_ms, keep_until_ms: expires_at_ms };
  }
  if (metadata === null || (outcome !== 'ok' && meaning === 'published')) return null;
  const expires_at_ms = nowMs + lifetimes.ttl_seconds * 1000;
  const keep_until_ms = expires_at_ms + lifetimes.stale_if_error_seconds * 1000;
  return { generation, outcome: 'ok', meaning, metadata, fetched_at_ms: nowMs, expires_at_ms, keep_until_ms };
}

/** A refresh ahead begins at the latest in the last twentieth of a TTL, or a minute before its end if that is later. */
const AHEAD_RATIO = 0.05;
const AHEAD_MS_MAX = 60_000;
/** Below this a TTL is so short that a refresh ahead would only cause more calls. */
const AHEAD_TTL_MS_MIN = 60_000;
/** The part of a TTL over which the beginnings are spread, so that items fetched together are not fetched again together. */
const SPREAD_RATIO = 0.1;
/** The fractional parts of the multiples of the golden ratio lie as far apart as they can (Knuth, TAOCP 3, 6.4). */
const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

/**
 * Whether a fresh answer is near its end, so that a popular one should be fetched again before a bot has to be shown a stale one.
 * The result is the same in every process that has the answer.
 */
export function isNearItsEnd({ fetched_at_ms, expires_at_ms }: RememberedAnswer, nowMs: number): boolean {
  const ttlMs = expires_at_ms - fetched_at_ms;
  const place = (fetched_at_ms * GOLDEN_RATIO) % 1;
  const aheadMs = Math.min(AHEAD_MS_MAX, AHEAD_RATIO * ttlMs) + SPREAD_RATIO * ttlMs * place;
  return ttlMs >= AHEAD_TTL_MS_MIN && expires_at_ms - nowMs <= aheadMs;
}
