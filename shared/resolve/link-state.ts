import type { LinkRecord } from '../records/records.js';

export type EffectiveLinkState = 'active' | 'disabled' | 'blocked' | 'expired' | 'deleted';

/** What a link is at a time. What somebody decided goes before what time did: a blocked link does not become an expired one. */
export function linkState(link: Pick<LinkRecord, 'state' | 'expires_at_ms'>, nowMs: number): EffectiveLinkState {
  if (link.state !== 'active') return link.state;
  return link.expires_at_ms !== 0 && link.expires_at_ms <= nowMs ? 'expired' : 'active';
}
