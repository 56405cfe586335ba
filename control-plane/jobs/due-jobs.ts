import type { LinkUrlForm } from '../../shared/resolve/link-origin.js';
import { endDueCampaigns } from '../campaigns/end-due.js';
import type { Database } from '../db/database.js';
import { checkDueDomains } from '../domains/due-checks.js';
import type { TxtLookup } from '../domains/txt-lookup.js';
import { tellExpiredLinks } from '../links/expire-due.js';
import { createPeriodicJob, type JobSurroundings, type PeriodicJob, type PeriodicJobOptions } from './periodic.js';

interface DueOptions extends JobSurroundings {
  readonly database: Database;
}

interface DeliveringOptions extends DueOptions {
  /** Called after deliveries were committed. */
  readonly deliveriesQueued: () => void;
}

/** How late events for the end of a campaign or a link may be. Each check is one look at an index of those that will end. */
const ENDS_INTERVAL_MS = 5_000;
const DOMAINS_INTERVAL_MS = 10_000;
const OVERDUE_MS = 300_000;

/** Ends campaigns whose time has come, and emits events for their subscribers. */
export function createCampaignEnds({ database, deliveriesQueued, ...given }: DeliveringOptions): PeriodicJob {
  return createDueJob({
    part: 'campaign-ends',
    overdueReason: 'events for ended campaigns are not emitted',
    intervalMs: ENDS_INTERVAL_MS,
    ...given,
    work: () => endDueCampaigns(database, given.clock()),
    worked: deliveriesQueued,
  });
}

/** Emits events for links that have expired. */
export function createLinkExpiries({ database, form, deliveriesQueued, ...given }: DeliveringOptions & { readonly form: LinkUrlForm }) {
  return createDueJob({
    part: 'link-expiries',
    overdueReason: 'events for expired links are not emitted',
    intervalMs: ENDS_INTERVAL_MS,
    ...given,
    work: () => tellExpiredLinks(database, form),
    worked: deliveriesQueued,
  });
}

interface DomainChecksOptions extends DueOptions {
  readonly lookUpTxt: TxtLookup;
  /** Called after feed rows or deliveries were committed. */
  readonly changed: () => void;
}

/** Looks up the records of the domains whose check is due. */
export function createDomainChecks({ database, lookUpTxt, changed, ...given }: DomainChecksOptions): PeriodicJob {
  return createDueJob({
    part: 'domain-checks',
    overdueReason: 'custom domains are not checked',
    intervalMs: DOMAINS_INTERVAL_MS,
    ...given,
    work: () => checkDueDomains(database, lookUpTxt, given.clock),
    worked: changed,
  });
}

interface DueJob extends Omit<PeriodicJobOptions, 'round' | 'overdueMs'> {
  /** Does some of the work that is due. Returns how much. */
  readonly work: () => Promise<number>;
  /** Called after some work was done. */
  readonly worked: () => void;
}

function createDueJob({ work, worked, ...options }: DueJob): PeriodicJob {
  return createPeriodicJob({
    ...options,
    overdueMs: OVERDUE_MS,
    async round({ isStopping, progressed }) {
      while (!isStopping() && (await work()) > 0) {
        worked();
        progressed();
      }
    },
  });
}
