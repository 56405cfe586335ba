import type { Clock } from '../../shared/base/clock.js';
import type { Logger } from '../../shared/base/log.js';
import type { LinkUrlForm } from '../../shared/resolve/link-origin.js';
import type { Database } from '../db/database.js';
import { tellExpiredLinks } from '../links/expire-due.js';
import { createPeriodicJob, type PeriodicJob } from './periodic.js';

export interface LinkExpiriesOptions {
  readonly database: Database;
  readonly log: Logger;
  readonly clock: Clock;
  readonly form: LinkUrlForm;
  /** Says that deliveries were committed. */
  readonly deliveriesQueued: () => void;
  readonly intervalMs?: number;
}

/** How late the expiry of a link may be told. One look at an index of the links that are to expire. */
const INTERVAL_MS = 5_000;
const RETRY_MS = 30_000;
const OVERDUE_MS = 300_000;

/** Tells subscribers of the links that have expired. */
export function createLinkExpiries(options: LinkExpiriesOptions): PeriodicJob {
  const { database, log, clock, form, deliveriesQueued, intervalMs = INTERVAL_MS } = options;
  return createPeriodicJob({
    part: 'link-expiries',
    async round({ isStopping, progressed }) {
      while (!isStopping() && (await tellExpiredLinks(database, form)) > 0) {
        deliveriesQueued();
        progressed();
      }
    },
    intervalMs,
    retryMs: RETRY_MS,
    overdueMs: OVERDUE_MS,
    overdueReason: 'expiries of links are not told',
    log,
    clock,
  });
}
