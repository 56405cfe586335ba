import type { DomainRecord } from '../records/records.js';

/**
 * Where the owner of a custom host sends visitors who would get this page of ours; null if they get it. `domain` is null for a
 * host of the operator.
 */
export function ownPage(
  outcome: string,
  path: string,
  domain: Pick<DomainRecord, 'root_url' | 'not_found_url' | 'expired_url'> | null,
): string | null {
  if (domain === null) return null;
  if (outcome === 'expired') return domain.expired_url;
  // A link that works later is shown as none: nobody is told that there will be one.
  if (outcome !== 'not_found' && outcome !== 'disabled' && outcome !== 'scheduled') return null;
  return path === '/' ? (domain.root_url ?? domain.not_found_url) : domain.not_found_url;
}
