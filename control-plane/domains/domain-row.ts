import { formatInstant, instantOrNull } from '../../shared/base/instant.js';
import type { Domain, DomainFailure, DomainStatus } from '../../shared/contract/schemas/domain.js';
import type { QrStyle } from '../../shared/contract/schemas/link-qr.js';

/** A row of `domains` as its statements read and write it. */
export interface DomainRow {
  readonly id: string;
  readonly hostname: string;
  readonly status: DomainStatus;
  readonly txt_value: string;
  readonly failure_reason: DomainFailure | null;
  /** The time of the first of the latest checks in a row that did not find the record of a verified domain. */
  readonly missing_since: Date | null;
  readonly last_checked_at: Date | null;
  /** Null if it is checked only on request. */
  readonly next_check_at: Date | null;
  readonly redirects: DomainRedirects;
  readonly case_insensitive: boolean;
  readonly qr_style: QrStyle | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** URLs by what a visitor asks for, as they are stored. An absent one is not set. */
export type DomainRedirects = { readonly [Name in DomainRedirect]?: string };

export const DOMAIN_REDIRECTS = ['root', 'not_found', 'expired'] as const;
export type DomainRedirect = (typeof DOMAIN_REDIRECTS)[number];

/** The label of the record's name. The record is not on the host's own name, where a CNAME would forbid any other record. */
const RECORD_LABEL = '_link-verification';

/** A host name longer than this leaves no room for the record's name (253 characters, RFC 1035). */
export const HOSTNAME_CHARACTERS_MAX = 253 - RECORD_LABEL.length - 1;

export function recordName(hostname: string): string {
  return `${RECORD_LABEL}.${hostname}`;
}

/** The domain as the API and its events show it. */
export function domainOfRow(row: DomainRow): Domain {
  return {
    id: row.id,
    hostname: row.hostname,
    status: row.status,
    failure_reason: row.failure_reason,
    dns_record: { type: 'TXT', name: recordName(row.hostname), value: row.txt_value },
    case_insensitive: row.case_insensitive,
    redirects: {
      root: row.redirects.root ?? null,
      not_found: row.redirects.not_found ?? null,
      expired: row.redirects.expired ?? null,
    },
    qr_style: row.qr_style,
    last_checked_at: instantOrNull(row.last_checked_at),
    created_at: formatInstant(row.created_at.getTime()),
    updated_at: formatInstant(row.updated_at.getTime()),
  };
}
