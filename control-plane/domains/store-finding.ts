import { buildEvent, type EventRow } from '../../shared/webhooks/body.js';
import type { Database } from '../db/database.js';
import { leaveDomain } from '../environment/open-host.js';
import { insertEvents } from '../events/emit.js';
import { type DomainRow, domainOfRow } from './domain-row.js';
import { type CheckOccasion, checkedRow, type Finding } from './finding.js';
import * as sql from './sql.js';

/**
 * Writes what a check found, with its event, in one transaction. The row is read again under a lock, because another check may have ended
 * in the meantime. An open host that only this domain allows is reset when the domain is lost. Null if the domain is gone.
 */
export function storeFinding(
  database: Database,
  domain: Pick<DomainRow, 'id' | 'hostname'>,
  found: Exclude<Finding, 'taken'>,
  occasion: CheckOccasion,
): Promise<DomainRow | null> {
  return database.transaction(async (transaction) => {
    const before = await sql.lockDomain(transaction, domain.id, domain.hostname);
    if (before === null) return null;
    const finding = found === 'found' && (await sql.isTaken(transaction, before)) ? 'taken' : found;
    const after = checkedRow(before, finding, occasion);
    const [wasVerified, isVerified] = [before, after].map(({ status }) => status === 'verified');
    if (wasVerified && !isVerified) await leaveDomain(transaction, before.environment_id, before.hostname, after.updated_at);
    await sql.updateDomain(transaction, after, wasVerified !== isVerified);
    await insertEvents(transaction, checkEvents(before, after, occasion));
    return after;
  });
}

/** A requested check is reported whatever it found. The daily automatic ones are reported only if the status changed. */
function checkEvents(before: sql.LockedDomain, after: DomainRow, { nowMs, asked }: CheckOccasion): readonly EventRow[] {
  if (after.status === 'pending' || (before.status === after.status && !asked)) return [];
  const { environment_id, environment } = before;
  const type = after.status === 'verified' ? 'domain.verified' : 'domain.failed';
  return [buildEvent({ environment_id, environment, at_ms: nowMs }, type, domainOfRow(after))];
}
