import type { Answer } from '../../shared/metadata/answer.js';
import type { MetadataConfiguration } from '../../shared/metadata/configuration.js';
import type { RememberedAnswer } from '../../shared/metadata/remembered.js';

/**
 * `fresh`    Shown, and nobody is asked.
 * `missing`  Within its time too, and what is remembered is that there is no such item.
 * `stale`    Past its TTL and shown all the same, at once, while the API is asked; and for as long as the API fails.
 * `gone`     Not shown any more: what is shown has to come from the API.
 */
export type Freshness = 'fresh' | 'missing' | 'stale' | 'gone';

export function freshnessOf(answer: RememberedAnswer, nowMs: number): Freshness {
  if (nowMs < answer.expires_at_ms) return answer.outcome === 'missing' ? 'missing' : 'fresh';
  return answer.outcome === 'ok' && nowMs < answer.keep_until_ms ? 'stale' : 'gone';
}

/**
 * Part of a TTL by which an answer may be asked for anew earlier: what was fetched together is not asked for again together.
 * Never later: that is a promise. Until when it may be shown at the most is not moved by it.
 */
const JITTER_RATIO = 0.1;

export interface Lifetimes extends Pick<MetadataConfiguration, 'ttl_seconds' | 'negative_ttl_seconds' | 'stale_if_error_seconds'> {
  /** Of the configuration. */
  readonly generation: number;
}

/**
 * What is to be remembered of an API's answer; null where that is nothing, and what was remembered before stays.
 *
 * An answer that lacks a required field and says that the item is unpublished or deleted is remembered too: its card is
 * as sure as any other's, and a stale one of before must not be shown again.
 */
export function rememberedOf(answer: Answer, lifetimes: Lifetimes, nowMs: number, random: () => number): RememberedAnswer | null {
  const spread = 1 - JITTER_RATIO * random();
  const { outcome, meaning, metadata } = answer;
  const { generation } = lifetimes;
  if (outcome === 'missing') {
    const expires_at_ms = nowMs + Math.floor(lifetimes.negative_ttl_seconds * 1000 * spread);
    return { generation, outcome, meaning: 'published', metadata: null, fetched_at_ms: nowMs, expires_at_ms, keep_until_ms: expires_at_ms };
  }
  if (metadata === null || (outcome !== 'ok' && meaning === 'published')) return null;
  const expires_at_ms = nowMs + Math.floor(lifetimes.ttl_seconds * 1000 * spread);
  const keep_until_ms = nowMs + (lifetimes.ttl_seconds + lifetimes.stale_if_error_seconds) * 1000;
  return { generation, outcome: 'ok', meaning, metadata, fetched_at_ms: nowMs, expires_at_ms, keep_until_ms };
}

/** A refresh ahead is begun in the last twentieth of a TTL, and no earlier than a minute before its end. */
const AHEAD_RATIO = 0.05;
const AHEAD_MS_MAX = 60_000;
/** Below this a TTL is so short that a refresh ahead would only mean more calls. */
const AHEAD_TTL_MS_MIN = 60_000;

/** Whether a fresh answer nears its end, so that one that is much asked for is better fetched anew before a bot has to be shown a stale one. */
export function isNearItsEnd({ fetched_at_ms, expires_at_ms }: RememberedAnswer, nowMs: number): boolean {
  const ttlMs = expires_at_ms - fetched_at_ms;
  return ttlMs >= AHEAD_TTL_MS_MIN && expires_at_ms - nowMs <= Math.min(AHEAD_MS_MAX, AHEAD_RATIO * ttlMs);
}
