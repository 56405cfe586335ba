import type { DomainRecord } from '../records/records.js';

/** What a domain's record is built from, as `DOMAIN_RECORD_COLUMNS` selects it. */
export interface DomainRow {
  readonly id: string;
  readonly environment_number: number;
  readonly hostname: string;
  readonly case_insensitive: boolean;
  readonly redirects: { readonly root?: string; readonly not_found?: string; readonly expired?: string };
  readonly blocked_urls: readonly string[];
}

/** Select list over `domains JOIN environments` that gives `DomainRow`s. */
export const DOMAIN_RECORD_COLUMNS = `domains.id, environments.number AS environment_number, domains.hostname, domains.case_insensitive,
  domains.redirects, domains.blocked_urls`;

/** Leaves out a URL on the block list, so that visitors get our own page. */
export function domainRecordFromRow({
  id,
  environment_number,
  hostname,
  case_insensitive,
  redirects,
  blocked_urls,
}: DomainRow): DomainRecord {
  const urlOf = (url: string | undefined) => (url === undefined || blocked_urls.includes(url) ? null : url);
  return {
    ...{ id, environment_number, hostname, case_insensitive },
    root_url: urlOf(redirects.root),
    not_found_url: urlOf(redirects.not_found),
    expired_url: urlOf(redirects.expired),
  };
}
