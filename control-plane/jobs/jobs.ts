import type { Clock } from '../../shared/base/clock.js';
import type { Logger } from '../../shared/base/log.js';
import type { LinkUrlForm } from '../../shared/resolve/link-origin.js';
import type { ClickStore } from '../click-store/click-store.js';
import type { Database } from '../db/database.js';
import type { TxtLookup } from '../domains/txt-lookup.js';
import type { Retention } from '../settings.js';
import { createBlocklistScan } from './blocklist-scan.js';
import { type Counting, countingOf, createCounting } from './counting.js';
import { createCampaignEnds, createDomainChecks, createLinkExpiries } from './due-jobs.js';
import { createMaintenance } from './maintenance.js';
import type { PeriodicJob } from './periodic.js';

export interface JobDependencies {
  readonly database: Database;
  readonly clickStore: ClickStore;
  /** What the thread of counting does. */
  readonly counting: Counting;
  readonly log: Logger;
  readonly clock: Clock;
  readonly retention: Retention;
  readonly linkUrlForm: LinkUrlForm;
  readonly lookUpTxt: TxtLookup;
  /** Called after feed rows were committed. */
  readonly feedChanged: () => void;
  /** Called after deliveries were committed without a feed row. */
  readonly deliveriesQueued: () => void;
}

/** Creates the periodic jobs of a control plane. */
export function createJobs(dependencies: JobDependencies): readonly PeriodicJob[] {
  const { database, clickStore, counting, log, clock, linkUrlForm: form, lookUpTxt, retention } = dependencies;
  const { feedChanged, deliveriesQueued } = dependencies;
  const changed = (): void => {
    feedChanged();
    deliveriesQueued();
  };
  return [
    createMaintenance({ database, clickStore, log, clock, retention, feedChanged }),
    createCounting({ counting: countingOf(counting, clickStore, database), log, clock }),
    createBlocklistScan({ database, log, clock, form, feedChanged }),
    createCampaignEnds({ database, log, clock, deliveriesQueued }),
    createLinkExpiries({ database, log, clock, form, deliveriesQueued }),
    createDomainChecks({ database, lookUpTxt, log, clock, changed }),
  ];
}
