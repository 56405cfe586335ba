import type { LinkRules } from '../records/link-rules.js';
import type { LinkRecord } from '../records/records.js';

export type EffectiveLinkState = 'active' | 'scheduled' | 'disabled' | 'blocked' | 'expired' | 'deleted';

/**
 * Returns the state of a link at a time. What somebody decided takes precedence over what the time decides: a blocked
 * link does not become an expired one. A link whose clicks are used up has expired, too.
 */
export function linkState(
  link: Pick<LinkRecord, 'state' | 'expires_at_ms'>,
  rules: Pick<LinkRules, 'active_from_ms' | 'used_up'> | null,
  nowMs: number,
): EffectiveLinkState {
  if (link.state !== 'active') return link.state;
  if (link.expires_at_ms !== 0 && link.expires_at_ms <= nowMs) return 'expired';
  if (rules === null) return 'active';
  if (rules.used_up) return 'expired';
  return rules.active_from_ms > nowMs ? 'scheduled' : 'active';
}
