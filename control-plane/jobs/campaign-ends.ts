import type { Clock } from '../../shared/base/clock.js';
import type { Logger } from '../../shared/base/log.js';
import { endDueCampaigns } from '../campaigns/end-due.js';
import type { Database } from '../db/database.js';
import { createPeriodicJob, type PeriodicJob } from './periodic.js';

export interface CampaignEndsOptions {
  readonly database: Database;
  readonly log: Logger;
  readonly clock: Clock;
  /** Says that deliveries were committed. */
  readonly deliveriesQueued: () => void;
  readonly intervalMs?: number;
}

/** How late a campaign's end may be told. One look at an index of the campaigns that are to end. */
const INTERVAL_MS = 5_000;
const RETRY_MS = 30_000;
const OVERDUE_MS = 300_000;

/** Ends campaigns whose time has come, and tells their subscribers. */
export function createCampaignEnds(options: CampaignEndsOptions): PeriodicJob {
  const { database, log, clock, deliveriesQueued, intervalMs = INTERVAL_MS } = options;
  return createPeriodicJob({
    part: 'campaign-ends',
    async round({ isStopping, progressed }) {
      while (!isStopping() && (await endDueCampaigns(database, clock())) > 0) {
        deliveriesQueued();
        progressed();
      }
    },
    intervalMs,
    retryMs: RETRY_MS,
    overdueMs: OVERDUE_MS,
    overdueReason: 'ends of campaigns are not told',
    log,
    clock,
  });
}
