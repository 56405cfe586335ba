import type { Clock } from '../../shared/base/clock.js';
import type { Database } from '../db/database.js';
import { recordName } from './domain-row.js';
import { findingOf } from './finding.js';
import { claimDueDomains } from './sql.js';
import { storeFinding } from './store-finding.js';
import type { TxtLookup } from './txt-lookup.js';

/** How many domains are looked up at once. c-ares asks for them side by side, and each takes at most five seconds. */
const DOMAINS_AT_ONCE = 20;

/** Longer than the look-ups of the domains can take. */
const LEASE_MS = 60_000;

/** Checks the domains that are due, as many as are looked up at once. Returns their number; call it until it returns 0. */
export async function checkDueDomains(database: Database, lookUp: TxtLookup, clock: Clock): Promise<number> {
  const due = await claimDueDomains(database, { rowsMax: DOMAINS_AT_ONCE, leaseMs: LEASE_MS });
  const findings = await Promise.all(
    due.map(async (domain) => ({ domain, finding: findingOf(await lookUp(recordName(domain.hostname)), domain.txt_value) })),
  );
  // One after the other, because a background pool has few connections.
  for (const { domain, finding } of findings) await storeFinding(database, domain, finding, { nowMs: clock(), asked: false });
  return due.length;
}
