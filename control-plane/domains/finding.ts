import { HOUR_MS, laterThan } from '../../shared/base/instant.js';
import type { DomainFailure } from '../../shared/contract/schemas/domain.js';
import type { DnsAnswer } from './ask-dns.js';
import type { DomainRow } from './domain-row.js';

/** What a check found. `taken`: the record is there, but another environment has verified the host. */
export type Finding = 'found' | DomainFailure;

export function findingOf(answer: DnsAnswer<readonly string[]>, expected: string): Exclude<Finding, 'taken'> {
  if (answer.kind === 'failed') return 'dns_error';
  if (answer.kind === 'none') return 'record_missing';
  return answer.records.includes(expected) ? 'found' : 'record_differs';
}

const MINUTE_MS = 60_000;

/** How long a domain is looked up after it was added, and how long a verified one may be without its record. */
export const GRACE_MS = 72 * HOUR_MS;

export interface CheckOccasion {
  readonly nowMs: number;
  /** Whether somebody requested the check and gets its result. */
  readonly asked: boolean;
}

/**
 * The row after a check.
 *
 *   pending   found -> verified; not found -> failed if it was requested or the grace period has ended, otherwise pending
 *   failed    found -> verified
 *   verified  found -> verified; not found throughout the grace period -> failed
 *
 * `taken` always leads to failed at once. If DNS does not answer, the status does not change unless the grace period has ended, because
 * nothing new is known.
 */
export function checkedRow(row: DomainRow, finding: Finding, occasion: CheckOccasion): DomainRow {
  const { nowMs } = occasion;
  const missing_since = row.status === 'verified' && finding !== 'found' ? (row.missing_since ?? new Date(nowMs)) : null;
  const status = statusAfter({ ...row, missing_since }, finding, occasion);
  const failure_reason = finding === 'found' ? null : finding;
  const checked: DomainRow = {
    ...row,
    status,
    failure_reason,
    missing_since: status === 'verified' ? missing_since : null,
    last_checked_at: new Date(nowMs),
  };
  return {
    ...checked,
    next_check_at: nextCheck(checked, nowMs),
    updated_at: status !== row.status ? laterThan(row.updated_at, nowMs) : row.updated_at,
  };
}

function statusAfter(row: DomainRow, finding: Finding, { nowMs, asked }: CheckOccasion): DomainRow['status'] {
  if (finding === 'found') return 'verified';
  if (finding === 'taken') return 'failed';
  if (row.status === 'failed') return 'failed';
  const waitingSince = row.status === 'verified' ? row.missing_since : row.created_at;
  if (waitingSince !== null && nowMs - waitingSince.getTime() >= GRACE_MS) return 'failed';
  return row.status === 'pending' && asked && finding !== 'dns_error' ? 'failed' : row.status;
}

/**
 * Often in the first hours, while the owner waits, then less often. A verified domain is checked every day, and every hour while its record
 * is missing.
 */
export function nextCheck(row: DomainRow, nowMs: number): Date | null {
  if (row.status === 'verified') return new Date(nowMs + (row.missing_since === null ? 24 * HOUR_MS : HOUR_MS));
  const ageMs = nowMs - row.created_at.getTime();
  if (ageMs >= GRACE_MS) return null;
  return new Date(nowMs + (ageMs < HOUR_MS ? MINUTE_MS : ageMs < 24 * HOUR_MS ? 10 * MINUTE_MS : HOUR_MS));
}
