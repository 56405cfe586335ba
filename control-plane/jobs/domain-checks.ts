import type { Clock } from '../../shared/base/clock.js';
import type { Logger } from '../../shared/base/log.js';
import type { Database } from '../db/database.js';
import { checkDueDomains } from '../domains/due-checks.js';
import type { TxtLookup } from '../domains/txt-lookup.js';
import { createPeriodicJob, type PeriodicJob } from './periodic.js';

export interface DomainChecksOptions {
  readonly database: Database;
  readonly lookUpTxt: TxtLookup;
  readonly log: Logger;
  readonly clock: Clock;
  /** Says that feed rows or deliveries were committed. */
  readonly changed: () => void;
  readonly intervalMs?: number;
}

const INTERVAL_MS = 10_000;
const RETRY_MS = 30_000;
const OVERDUE_MS = 300_000;

/** Looks up the records of the domains whose check is due. */
export function createDomainChecks(options: DomainChecksOptions): PeriodicJob {
  const { database, lookUpTxt, log, clock, changed, intervalMs = INTERVAL_MS } = options;
  return createPeriodicJob({
    part: 'domain-checks',
    async round({ isStopping, progressed }) {
      while (!isStopping() && (await checkDueDomains(database, lookUpTxt, clock)) > 0) {
        changed();
        progressed();
      }
    },
    intervalMs,
    retryMs: RETRY_MS,
    overdueMs: OVERDUE_MS,
    overdueReason: 'custom domains are not verified',
    log,
    clock,
  });
}
