import type { Clock } from '../../shared/base/clock.js';
import type { Database } from '../db/database.js';
import { recordName } from './domain-row.js';
import { findingOf } from './finding.js';
import { claimDueDomains } from './sql.js';
import { storeFinding } from './store-finding.js';
import type { TxtLookup } from './txt-lookup.js';

/** Domains looked up at once: c-ares asks them side by side, and each has five seconds. */
const DOMAINS_AT_ONCE = 20;

/** Longer than their look-ups can take. */
const LEASE_MS = 60_000;

/** Checks the domains whose time has come, as many as are looked up at once. Returns how many; called until it is none. */
export async function checkDueDomains(database: Database, lookUp: TxtLookup, clock: Clock): Promise<number> {
  const due = await claimDueDomains(database, { rowsMax: DOMAINS_AT_ONCE, leaseMs: LEASE_MS });
  const findings = await Promise.all(
    due.map(async (domain) => ({ domain, finding: findingOf(await lookUp(recordName(domain.hostname)), domain.txt_value) })),
  );
  // One after the other: a background pool has few connections.
  for (const { domain, finding } of findings) await storeFinding(database, domain, finding, { nowMs: clock(), asked: false });
  return due.length;
}
