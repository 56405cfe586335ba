import { parseUrl } from '../base/parse-url.js';
import type { DomainRecord } from '../records/records.js';
import { aliasPath } from './normal-path.js';

type Pages = Pick<DomainRecord, 'hostname' | 'root_url' | 'not_found_url' | 'expired_url'>;

/**
 * Returns where the owner of a custom host sends visitors who would get this page of ours; null if they get our page.
 * `domain` is null for a host of the operator.
 */
export function ownPage(outcome: string, path: string, domain: Pages | null): string | null {
  const url = domain === null ? null : pageOf(outcome, path, domain);
  return domain === null || url === null || leadsInCircle(url, path, domain) ? null : url;
}

function pageOf(outcome: string, path: string, domain: Pages): string | null {
  if (outcome === 'expired') return domain.expired_url;
  // A link that works later is treated as missing, so that nobody learns about it in advance.
  if (outcome !== 'not_found' && outcome !== 'disabled' && outcome !== 'scheduled') return null;
  return path === '/' ? (domain.root_url ?? domain.not_found_url) : domain.not_found_url;
}

/**
 * Whether a visitor might be redirected for ever: from an address that is one of the host's pages to a page on the same
 * host. Only such a page sends visitors to that address, and no link is there.
 */
function leadsInCircle(url: string, path: string, { hostname, root_url, not_found_url, expired_url }: Pages): boolean {
  if (parseUrl(url)?.hostname !== hostname) return false;
  return [root_url, not_found_url, expired_url].some((page) => {
    const parsed = page === null ? null : parseUrl(page);
    return parsed?.hostname === hostname && normal(parsed.pathname) === normal(path);
  });
}

function normal(path: string): string {
  return aliasPath(path) ?? path;
}
